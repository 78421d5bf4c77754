import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP has it (opentelemetry-proto, JSON), with the service that made it. */
export type Span = {
  service: string
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** Takes spans over OTLP/HTTP, as an OpenTelemetry collector does, and keeps them. */
export async function startCollector(port = 0) {
  const spans: Span[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      bodies.push(text)
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')
        for (const each of scopeSpans.flatMap((scope: { spans: Span[] }) => scope.spans)) {
          spans.push({ ...each, service: named.value.stringValue })
        }
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()))
  return { url, spans, bodies, stop }
}

/** The spans of a trace as an indented tree: service, name, milliseconds. Those without a parent here come first. */
export function treeOf(spans: readonly Span[], { durations = false } = {}): string[] {
  const known = new Set(spans.map(({ spanId }) => spanId))
  const byStart = (one: Span, other: Span) =>
    Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano))
  const lines = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter(({ parentSpanId }) =>
        parent === undefined ? !parentSpanId || !known.has(parentSpanId) : parentSpanId === parent,
      )
      .toSorted(byStart)
      .flatMap((span) => {
        const ms = Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6
        const line = `${'  '.repeat(depth)}${span.service}: ${span.name}`
        return [durations ? `${line}  ${ms.toFixed(1)} ms` : line, ...lines(span.spanId, depth + 1)]
      })
  return lines(undefined, 0)
}
