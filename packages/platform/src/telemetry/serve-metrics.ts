import { metrics } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Provider } from './telemetry'

/** Serves metrics to Prometheus, at `/metrics` of an address of its own. */
export async function serveMetrics(
  attributes: Record<string, string>,
  address: { host: string; port: number },
): Promise<Provider> {
  const exporter = new PrometheusExporter({ ...address, preventServerStart: true })
  const provider = new MeterProvider({ resource: resourceFromAttributes(attributes), readers: [exporter] })
  metrics.setGlobalMeterProvider(provider)
  await exporter.startServer()
  return provider
}
