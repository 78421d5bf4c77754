import { ENDPOINT_EVENTS, EVENT_TYPES, resourceKindOf } from '@cofre/api/events'
import { Endpoint } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { sampleEvent } from '../../src/docs/sample-events'
import { startGateway, type Gateway } from '../support/gateway'

type Schema = Record<string, unknown>
type Post = { requestBody: { content: Record<string, { schema: Schema; example: Schema }> } }
type Document = { webhooks: Record<string, { post: Post }>; components: { schemas: Record<string, Schema> } }

let gateway: Gateway
let document: Document
beforeAll(async () => {
  gateway = await startGateway()
  document = (await gateway.call('GET', '/openapi.json', { token: null })).body
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/webhooks/test-events'

/** Returns the document's schema for the body of an event. */
function schemaOf(type: string) {
  const { schema } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? {}
  const whole = { ...schema, $defs: document.components.schemas }
  return z.fromJSONSchema(JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')))
}

test('the reference has every type to which an endpoint may subscribe, and a ping, and no other', () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES].sort())
  expect([...EVENT_TYPES].sort()).toEqual([...ENDPOINT_EVENTS, 'test.ping'].sort())
})

test.each([...EVENT_TYPES])('the example of %s, and the sample that is sent, match its schema', (type) => {
  const { example } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? {}
  const schema = schemaOf(type)
  expect(schema.safeParse(example).error).toBeUndefined()
  expect(schema.safeParse({ ...example, type: 'charge.lost' }).success).toBe(false)
  const { kind, id, path, data } = sampleEvent(type)
  expect(schema.safeParse({ ...example, test: true, data }).error).toBeUndefined()
  expect([kind, id, path]).toEqual([
    resourceKindOf(type),
    expect.stringMatching(/^0+$/),
    expect.stringMatching(/^\/api\/v2\/.*\/0+$/),
  ])
})

test('no id in a sample belongs to the seller', () => {
  const named = EVENT_TYPES.flatMap((type) => {
    const text = JSON.stringify(sampleEvent(type).data)
    return [...text.matchAll(/"(\w*(?:[iI]d|Reference|[tT]oken|Number))":("[^"]*"|\d+)/g)]
      .filter(([, , value = '']) => !/^("TEST"|0|"0+")$/.test(value))
      .map(([pair]) => `${type} ${pair}`)
  })
  expect(named).toEqual([])
})

test('a sample is sent to all subscribed endpoints, or to one that the request names', async () => {
  const { status, body } = await gateway.call('POST', PATH, { body: { type: 'charge.captured' } })
  expect([status, body]).toEqual([202, { webhookId: 'evt_test_1', receivers: 1 }])
  const named = { type: 'test.ping', endpointId: 3 }
  const unknown = await gateway.call('POST', PATH, { body: named })
  expect([unknown.status, unknown.body.code]).toEqual([422, 'REFERENCE_NOT_FOUND'])
  gateway.notifier.endpoints.push({ ...Endpoint.fromPartial({ id: 3 }), sellerId: gateway.sellerId })
  await gateway.call('POST', PATH, { body: named })
  expect(gateway.notifier.samples).toMatchObject([
    { sellerId: gateway.sellerId, eventType: 'charge.captured', resourceKind: 'charge', resourceId: '0' },
    { eventType: 'test.ping', endpointId: 3, resourceKind: 'endpoint' },
  ])
})

test.each([
  [{}, '#/type'],
  [{ type: 'charge.*' }, '#/type'],
  [{ type: 'charge.captured', endpointId: 0 }, '#/endpointId'],
  [{ type: 'charge.captured', data: {} }, '#/data'],
])('%j is refused', async (body, pointer) => {
  const answer = await gateway.call('POST', PATH, { body })
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer])
})

test('sending a sample needs webhooks:write, and is repeatable by its Idempotency-Key', async () => {
  const { accessToken: token } = await gateway.tokenWith(['webhooks:read'])
  const body = { type: 'charge.captured' }
  expect((await gateway.call('POST', PATH, { body, token })).status).toBe(403)
  const headers = { 'idempotency-key': 'sample' }
  const first = await gateway.call('POST', PATH, { body, headers })
  const again = await gateway.call('POST', PATH, { body, headers })
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
})

test('a sample has the state of its type', () => {
  const [paid, denied] = [dataOf('invoice.paid'), dataOf('charge.denied')]
  expect([paid.status, paid.paidInCents, paid.payableInCents, paid.charge]).toMatchObject([
    'PAID',
    10_000,
    0,
    { status: 'PAID', method: 'CREDIT_CARD', transactions: [{ status: 'SUCCEEDED', decline: null }] },
  ])
  expect(denied).toMatchObject({
    status: 'DENIED',
    payments: [{ status: 'DENIED', decline: { code: 'INSUFFICIENT_FUNDS' } }],
    transactions: [{ status: 'FAILED', failure: { code: 'DECLINED' } }],
  })
  expect(dataOf('charge.refunded')).toMatchObject({
    refundedAmount: 10_000,
    payments: [{ status: 'REFUNDED', refundedAmount: 10_000 }],
  })
  expect(dataOf('invoice.created')).toMatchObject({ status: 'OPEN', charge: null, transactions: [] })
  expect(dataOf('recurring_invoice.created')).toMatchObject({ cyclesBilled: 0 })
  for (const type of EVENT_TYPES.filter((each) => each.startsWith('charge.'))) {
    const { status, payments, pendingOperations } = dataOf(type)
    const [payment] = payments as [{ status: string }]
    const isPartial = String(status).startsWith('PARTIALLY')
    expect([type, payment.status]).toEqual([type, isPartial ? payment.status : status])
    expect([type, (pendingOperations as object[]).length]).toEqual([type, type === 'charge.pending' ? 1 : 0])
  }
})

function dataOf(type: (typeof EVENT_TYPES)[number]): Record<string, unknown> {
  return sampleEvent(type).data as Record<string, unknown>
}
