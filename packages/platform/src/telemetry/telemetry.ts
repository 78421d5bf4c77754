import { monitorEventLoopDelay } from 'node:perf_hooks'
import { observe } from './metrics'
import type { TelemetrySettings } from '../service/settings'
import { sampleTraces } from './spans'
import { within } from '../within'

const FLUSH_MS = 3_000
const NANOSECONDS = 1e9

export type Telemetry = { stop(): Promise<void> }

/** A provider of traces or metrics. */
export type Provider = { shutdown(): Promise<void> }

/**
 * Starts traces and metrics as the settings say. Must run before any code that records them. An exporter is loaded only
 * where it is asked for: it takes its part of a start.
 */
export async function startTelemetry(service: string, settings: TelemetrySettings): Promise<Telemetry> {
  const attributes = { 'service.name': service, 'service.namespace': 'cofre' }
  const providers: Provider[] = []
  const { otelExporterOtlpEndpoint: endpoint, metricsPort: port, metricsHost: host } = settings
  if (endpoint) {
    const { sendTraces } = await import('@cofre/platform/telemetry/send-traces')
    providers.push(sendTraces(attributes, endpoint))
    sampleTraces(settings.otelTracesSamplerArg)
  }
  if (port !== undefined) {
    const { serveMetrics } = await import('@cofre/platform/telemetry/serve-metrics')
    providers.push(await serveMetrics(attributes, { host, port }))
    observeProcess()
  }
  const stop = async () => {
    const ended = providers.map((provider) =>
      within(FLUSH_MS, provider.shutdown(), 'not flushed').catch(() => {}),
    )
    await Promise.all(ended)
  }
  return { stop }
}

function observeProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  observe('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  observe(
    'nodejs_event_loop_delay_p99_seconds',
    'How late timers were since the last scrape, 99th percentile.',
    () => {
      const late = delay.percentile(99) / NANOSECONDS
      delay.reset()
      return late
    },
  )
}
