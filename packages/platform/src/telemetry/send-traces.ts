import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Provider } from './telemetry'

const SEND_EVERY_MS = 1_000

/** Starts to send the spans of this process to a collector (OTLP over HTTP). */
export function sendTraces(attributes: Record<string, string>, endpoint: string): Provider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  // `startTrace` does the sampling: a request that is not sampled makes no span at all.
  const sampler = new AlwaysOnSampler()
  const provider = new TracerProvider({
    resource: resourceFromAttributes(attributes),
    sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS })],
  })
  trace.setGlobalTracerProvider(provider)
  return provider
}
