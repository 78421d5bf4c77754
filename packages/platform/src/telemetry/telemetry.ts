import { monitorEventLoopDelay } from 'node:perf_hooks'
import { metrics, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { observe } from './metrics'
import type { TelemetrySettings } from '../service/settings'
import { sampleTraces } from './spans'
import { within } from '../within'

const FLUSH_MS = 3_000
const SEND_EVERY_MS = 1_000
const NANOSECONDS = 1e9

export type Telemetry = { stop(): Promise<void> }

/** Begins to keep traces and metrics, as the settings say. Before anything that has either. */
export async function startTelemetry(service: string, settings: TelemetrySettings): Promise<Telemetry> {
  const resource = resourceFromAttributes({ 'service.name': service, 'service.namespace': 'cofre' })
  const stops: (() => Promise<void>)[] = []
  const { otelExporterOtlpEndpoint: endpoint, metricsPort: port, metricsHost: host } = settings
  if (endpoint) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
    // What is sampled is drawn in `startTrace`: a request that is not makes no span at all.
    const sampler = new AlwaysOnSampler()
    const provider = new TracerProvider({
      resource,
      sampler,
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS })],
    })
    trace.setGlobalTracerProvider(provider)
    sampleTraces(settings.otelTracesSamplerArg)
    stops.push(() => provider.shutdown())
  }
  if (port !== undefined) {
    const exporter = new PrometheusExporter({ host, port, preventServerStart: true })
    const provider = new MeterProvider({ resource, readers: [exporter] })
    metrics.setGlobalMeterProvider(provider)
    observeProcess()
    await exporter.startServer()
    stops.push(() => provider.shutdown())
  }
  const stop = async () => {
    await Promise.all(stops.map((each) => within(FLUSH_MS, each(), 'not flushed').catch(() => {})))
  }
  return { stop }
}

function observeProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  observe('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  observe(
    'nodejs_event_loop_delay_p99_seconds',
    'How late timers were since the last look, 99th percentile.',
    () => {
      const late = delay.percentile(99) / NANOSECONDS
      delay.reset()
      return late
    },
  )
}
