import { DeliveryStatus, type Delivery } from '@cofre/proto/notifier/v1/notifier'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.notifier.deliveries.length = 0
})

const PATH = '/api/v2/webhooks/deliveries'

/** Adds a delivery to the notifier, by default of the gateway's own seller. */
function given(change: Partial<Delivery & { sellerId: number }> = {}) {
  const delivery = {
    id: 512,
    sellerId: gateway.sellerId,
    webhookId: 'evt_1',
    eventType: 'charge.captured',
    resourceKind: 'charge',
    resourceId: '981',
    endpointId: undefined,
    url: 'https://shop.example.com/hooks',
    status: DeliveryStatus.FAILED,
    attempts: 2,
    lastStatus: 500,
    nextAttemptAt: undefined,
    createdAt: 1_767_225_600_000,
    ...change,
  }
  gateway.notifier.deliveries.push(delivery)
  return delivery
}

const SHOWN = {
  id: 512,
  webhookId: 'evt_1',
  eventType: 'charge.captured',
  resource: { kind: 'charge', id: 981 },
  endpointId: null,
  url: 'https://shop.example.com/hooks',
  status: 'FAILED',
  attempts: 2,
  lastStatus: 500,
  nextAttemptAt: null,
  createdAt: 1_767_225_600_000,
}

test('deliveries come as a page, filtered by status', async () => {
  given()
  given({
    id: 511,
    status: DeliveryStatus.DELIVERED,
    resourceKind: 'network_token',
    resourceId: 'f3a1'.repeat(16),
  })
  given({ id: 510, sellerId: gateway.other.sellerId })
  const all = await gateway.call('GET', `${PATH}?size=1`)
  expect(all.status).toBe(200)
  expect(all.body).toMatchObject({
    content: [SHOWN],
    totalElements: 2,
    totalPages: 2,
    first: true,
    last: false,
  })
  expect(all.headers.get('link')).toContain(
    `<https://pay.example.com${PATH}?page=1&size=1&after=${SHOWN.id}>; rel="next"`,
  )
  const delivered = await gateway.call('GET', `${PATH}?status=DELIVERED,PENDING`)
  expect(delivered.body.content).toMatchObject([
    { id: 511, resource: { kind: 'network_token', id: 'f3a1'.repeat(16) } },
  ])
  expect(delivered.headers.get('link')).toContain('status=DELIVERED%2CPENDING')
})

test('deliveries are filtered by type, endpoint, resource and time', async () => {
  given({ id: 5, endpointId: 3, createdAt: 500 })
  given({ id: 4, eventType: 'charge.refunded', createdAt: 400 })
  given({ id: 3, eventType: 'invoice.paid', resourceKind: 'invoice', createdAt: 300 })
  const ids = async (query: string) => {
    const { status, body } = await gateway.call('GET', `${PATH}?${query}`)
    return status === 200 ? body.content.map(({ id }: { id: number }) => id) : status
  }
  expect(await ids('type=charge.captured')).toEqual([5])
  expect(await ids('type=charge.*')).toEqual([5, 4])
  expect(await ids('type=invoice.paid,charge.refunded')).toEqual([4, 3])
  expect(await ids('endpointId=3')).toEqual([5])
  expect(await ids('resourceKind=invoice&resourceId=981')).toEqual([3])
  expect(await ids('createdFrom=300&createdTo=400')).toEqual([4, 3])
  expect(await ids('type=charge.*&createdFrom=401&endpointId=3&status=FAILED')).toEqual([5])
})

test.each([
  ['type=charge', '#/type/0'],
  ['type=charge.lost', '#/type/0'],
  ['type=test.*', '#/type/0'],
  ['endpointId=x', '#/endpointId'],
  ['resourceKind=charge', '#/resourceId'],
  ['resourceId=981', '#/resourceKind'],
  ['resourceKind=card&resourceId=981', '#/resourceKind'],
  ['createdFrom=yesterday', '#/createdFrom'],
  ['createdTo=-1', '#/createdTo'],
])('%s is refused with a pointer to its parameter', async (query, pointer) => {
  const { status, body } = await gateway.call('GET', `${PATH}?${query}`)
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'VALIDATION_FAILED', pointer])
})

test('a delivery is read with its body as sent and the outcome of each attempt', async () => {
  given()
  const { status, body } = await gateway.call('GET', `${PATH}/512`)
  expect([status, body]).toEqual([
    200,
    {
      ...SHOWN,
      body: '{"id":"evt_1"}',
      attemptHistory: [
        {
          number: 1,
          at: 1,
          durationMs: 15_000,
          status: null,
          error: 'Your server did not answer in time.',
          errorCode: 'TIMEOUT',
          response: null,
        },
        { number: 2, at: 2, durationMs: 9, status: 500, error: null, errorCode: null, response: 'sorry' },
      ],
    },
  ])
})

test('resending answers 202, and is repeatable by its Idempotency-Key', async () => {
  given()
  const resend = () => gateway.call('POST', `${PATH}/512/resend`, { headers: { 'idempotency-key': 'again' } })
  const first = await resend()
  expect([first.status, first.body]).toEqual([202, { ...SHOWN, status: 'PENDING', attempts: 3 }])
  const second = await resend()
  expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  const { body: kept } = await gateway.call('GET', '/api/v2/requests/again')
  expect(kept).toMatchObject({ path: `${PATH}/512/resend`, status: 202, location: null })
})

test('an unknown status is 400; the delivery of another seller, an unknown id and a malformed id are 404', async () => {
  given({ sellerId: gateway.other.sellerId })
  expect(await gateway.call('GET', `${PATH}?status=LOST`)).toMatchObject({ status: 400 })
  expect(await gateway.call('GET', `${PATH}?size=101`)).toMatchObject({
    status: 400,
    body: { code: 'PAGE_SIZE_TOO_LARGE' },
  })
  for (const id of ['512', '999', '0', 'x', '4111111111111111']) {
    expect(await gateway.call('GET', `${PATH}/${id}`)).toMatchObject({ status: 404 })
    expect(await gateway.call('POST', `${PATH}/${id}/resend`)).toMatchObject({ status: 404 })
  }
})

test('reading needs webhooks:read, resending webhooks:write', async () => {
  given()
  const reader = await gateway.tokenWith(['webhooks:read'])
  const writer = await gateway.tokenWith(['webhooks:write'])
  const asked = (token: string) => [
    gateway.call('GET', PATH, { token }),
    gateway.call('GET', `${PATH}/512`, { token }),
    gateway.call('POST', `${PATH}/512/resend`, { token }),
  ]
  const statuses = async (token: string) => (await Promise.all(asked(token))).map(({ status }) => status)
  expect(await statuses(reader.accessToken)).toEqual([200, 200, 403])
  expect(await statuses(writer.accessToken)).toEqual([403, 403, 202])
})
