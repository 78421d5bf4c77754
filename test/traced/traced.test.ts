import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../engines/src/ports'
import { eventually } from '@cofre/testing/testing'
import { cardEndingIn, cardFields, customer, discard, startSystem, type System } from '../journeys/system'
import { startCollector, treeOf } from './collector'

let collector: Awaited<ReturnType<typeof startCollector>>
let system: System
const metricsPorts: Record<string, number> = {}

beforeAll(async () => {
  collector = await startCollector()
  const ports = await freePorts(8)
  system = await startSystem(undefined, {
    adapt: (name, own) => ({
      ...own,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: String((metricsPorts[name] ??= ports.pop() ?? 0)),
    }),
  })
})
afterAll(async () => {
  await discard(system)
  await collector.stop()
})

const NUMBER = cardEndingIn(1)
const charge = (headers: Record<string, string> = {}) =>
  system.api('POST', `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/charge`, {
    headers,
    body: {
      amount: 4_990,
      installments: 1,
      customer,
      card: { ...cardFields(NUMBER), cvv: '123' },
      notificationUrl: `${system.ready.sandboxInboxUrl}/traced`,
    },
  })

test('a request is one tree, from HTTP over gRPC, SQL, partner and event to the delivered webhook', async () => {
  const traceId = 'c0f4e'.padEnd(32, '0')
  const { status } = await charge({ traceparent: `00-${traceId}-00f067aa0ba902b7-00` })
  expect(status).toBe(201)
  const tree = await eventually(() => {
    const spans = collector.spans.filter((span) => span.traceId === traceId)
    const lines = treeOf(spans)
    expect(lines.filter((line) => !line.startsWith(' '))).toHaveLength(1)
    expect(lines.join('\n')).toMatch(
      /notifier: handle charge\.captured(\n +notifier: .*)*\n +notifier: deliver webhook/,
    )
    if (process.env['SHOW_TRACE']) process.stderr.write(`${treeOf(spans, { durations: true }).join('\n')}\n`)
    return lines.map((line) => line.trim())
  })
  expect(tree[0]).toMatch(/^gateway: POST \/api\/v2\/sellers\/\{sellerId\}\/orders\/credit-card\/charge$/)
  for (const part of [
    /^vault: .*SealCardData/,
    /^orders: .*AuthorizeOrder/,
    /^vault: .*Forward/,
    /^vault: call partner/,
    /^orders: publish charge.captured/,
    /^notifier: handle charge.captured/,
    // Saves the delivery and the event's mark.
    /^notifier: transaction/,
  ]) {
    expect(tree).toContainEqual(expect.stringMatching(part))
  }
})

test('the webhook carries the trace, and so does every log line of the request', async () => {
  const traceId = 'c0f4e1'.padEnd(32, '0')
  const { headers } = await charge({ traceparent: `00-${traceId}-00f067aa0ba902b7-00` })
  await eventually(async () => {
    const received: { headers: Record<string, string> }[] = await system.sandbox('GET', '/inbox/traced')
    expect(received.map((each) => each.headers['traceparent'])).toContainEqual(
      expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`)),
    )
  })
  await eventually(() => {
    const lines = ['gateway', 'notifier'].map((name) =>
      readFileSync(join(system.runDir, 'logs', `${name}.log`), 'utf8')
        .split('\n')
        .filter((line) => line.includes(traceId)),
    )
    for (const each of lines) expect(each).not.toEqual([])
    expect(lines[0]?.[0]).toContain(String(headers.get('x-request-id')))
  })
})

test('no span holds a card number, a name, a document or a token', async () => {
  await charge()
  await eventually(() => expect(collector.spans.length).toBeGreaterThan(20))
  const sent = collector.bodies.join('\n')
  for (const secret of [NUMBER, NUMBER.slice(0, 12), 'ANA SOUZA', customer.document, system.ready.token]) {
    expect(sent).not.toContain(secret)
  }
})

test.each([
  [
    'gateway',
    ['http_server_request_duration_seconds_bucket', 'operation="chargeCard"', 'database_connections'],
  ],
  ['vault', ['rpc_server_duration_seconds_bucket', 'partner_call_duration_seconds_bucket']],
  [
    'orders',
    ['rpc_server_duration_seconds_bucket', 'outbox_oldest_age_seconds', 'charges_pending_oldest_age_seconds'],
  ],
  ['notifier', ['webhook_duration_seconds_bucket', 'event_log_lag_events', 'lanes_oldest_due_age_seconds']],
])('%s serves its metrics to Prometheus', async (name, expected) => {
  await charge()
  await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPorts[name]}/metrics`)).text()
    for (const each of [
      ...expected,
      'process_resident_memory_bytes',
      'nodejs_event_loop_delay_p99_seconds',
    ]) {
      expect(text).toContain(each)
    }
  })
})
