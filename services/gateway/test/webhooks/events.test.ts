import { DeliveryStatus, type Delivery } from '@cofre/proto/notifier/v1/notifier'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.notifier.deliveries.length = 0
})

const PATH = '/api/v2/events'

function given(change: Partial<Delivery & { sellerId: number }> = {}) {
  const delivery = {
    id: 512,
    sellerId: gateway.sellerId,
    webhookId: 'evt_1',
    eventType: 'charge.captured',
    resourceKind: 'charge',
    resourceId: '981',
    endpointId: 3,
    url: 'https://shop.example.com/hooks',
    status: DeliveryStatus.FAILED,
    attempts: 2,
    lastStatus: 500,
    nextAttemptAt: undefined,
    createdAt: 1_767_225_600_000,
    ...change,
  }
  gateway.notifier.deliveries.push(delivery)
}

const SHOWN = {
  id: 'evt_1',
  type: 'charge.captured',
  resource: { kind: 'charge', id: 981 },
  createdAt: 1_767_225_600_000,
  deliveryCounts: { pending: 0, delivered: 1, failed: 1 },
}

test('events are listed once each, by type, resource and time, with a link to the next page', async () => {
  given()
  given({ id: 511, endpointId: undefined, status: DeliveryStatus.DELIVERED })
  given({ id: 510, webhookId: 'evt_2', eventType: 'invoice.paid', resourceKind: 'invoice', resourceId: '77' })
  given({ id: 509, webhookId: 'evt_3', sellerId: gateway.other.sellerId })
  const { status, body, headers } = await gateway.call('GET', `${PATH}?size=1`)
  expect([status, body.totalElements, body.content]).toEqual([200, 2, [SHOWN]])
  expect(headers.get('link')).toContain('rel="next"')
  const ids = async (query: string) =>
    (await gateway.call('GET', `${PATH}?${query}`)).body.content.map(({ id }: { id: string }) => id)
  expect(await ids('type=invoice.*')).toEqual(['evt_2'])
  expect(await ids('resourceId=981')).toEqual(['evt_1'])
  expect(await ids('createdTo=2025-12-30')).toEqual([])
})

test.each(['type=charge.lost', 'after=7', 'createdFrom=soon', 'size=101', 'resourceKind=charge'])(
  'a list with %s is refused',
  async (query) => {
    expect((await gateway.call('GET', `${PATH}?${query}`)).status).toBe(400)
  },
)

test('an event is read with its body and its deliveries; what is none, or another seller’s, is not found', async () => {
  given()
  given({ id: 511, endpointId: undefined, status: DeliveryStatus.DELIVERED })
  const { status, body } = await gateway.call('GET', `${PATH}/evt_1`)
  expect([status, body]).toEqual([
    200,
    {
      ...SHOWN,
      body: '{"id":"evt_1"}',
      deliveries: [
        expect.objectContaining({ id: 512, endpointId: 3 }),
        expect.objectContaining({ id: 511, endpointId: null }),
      ],
    },
  ])
  for (const id of ['evt_2', '7', 'evt_%27']) {
    expect((await gateway.call('GET', `${PATH}/${id}`)).status).toBe(404)
  }
  const { token } = gateway.other
  expect((await gateway.call('GET', `${PATH}/evt_1`, { token })).status).toBe(404)
  const sent = await gateway.call('POST', `${PATH}/evt_1/resend`, { token, body: { endpointId: 3 } })
  expect(sent.status).toBe(404)
})

test('an event is sent to an endpoint, once for each key', async () => {
  given()
  const headers = { 'Idempotency-Key': 'send-1' }
  const send = () => gateway.call('POST', `${PATH}/evt_1/resend`, { body: { endpointId: 9 }, headers })
  const first = await send()
  expect([first.status, first.body]).toEqual([
    202,
    expect.objectContaining({ webhookId: 'evt_1', endpointId: 9 }),
  ])
  expect((await send()).headers.get('idempotency-replayed')).toBe('true')
  expect(gateway.notifier.deliveries).toHaveLength(2)
  for (const body of [{}, { endpointId: 0 }, { endpointId: '9' }]) {
    expect((await gateway.call('POST', `${PATH}/evt_1/resend`, { body })).status).toBe(400)
  }
})
