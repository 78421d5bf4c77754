import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import type { CreateEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import { giveBack, payForAttempts } from '../src/endpoints/rate-store'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { PLAIN } from './support/plain-endpoint'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
let sellerId = 0
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId += 1
})
afterEach(() => receiver.close())

const client = () => notifier.client
async function made(change: Partial<CreateEndpointRequest> = {}) {
  const request = { sellerId, url: `${receiver.url}/hooks`, events: [], ...PLAIN, ...change }
  const { endpoint } = await callRpc(client(), client().createEndpoint, request)
  if (!endpoint) throw new Error('no endpoint')
  return endpoint
}
const publish = (type = 'charge.captured', chargeId = newChargeId()) =>
  notifier.deps.eventLog.publish('orders.v1', [chargeEvent({ chargeId, url: '', sellerId, type })])
const received = (count: number) => eventually(() => expect(receiver.received).toHaveLength(count))
const types = () => receiver.received.map(({ json }) => json.type).sort()

test('a page of endpoints goes on after the last one seen, though it was deleted', async () => {
  const [one, two, three] = [await made(), await made(), await made()]
  const page = { sellerId, page: 0, size: 2 }
  const first = await callRpc(client(), client().listEndpoints, page)
  expect(first).toMatchObject({ endpoints: [{ id: three.id }, { id: two.id }], more: true, total: 3 })
  await callRpc(client(), client().deleteEndpoint, { sellerId, endpointId: two.id })
  const next = await callRpc(client(), client().listEndpoints, { ...page, after: two.id })
  expect(next).toMatchObject({ endpoints: [{ id: one.id }], more: false })
})

test('`charge.*` stands for every type of a charge, and is shown as it was given', async () => {
  const endpoint = await made({ events: ['charge.*', 'invoice.paid'] })
  expect(endpoint.events).toEqual(['charge.*', 'invoice.paid'])
  const { events } = await callRpc(client(), client().getEndpoint, { sellerId, endpointId: endpoint.id })
  expect(events).toEqual(['charge.*', 'invoice.paid'])
  await made({ events: ['invoice.*'], url: `${receiver.url}/other` })
  await publish('charge.captured')
  // A type that the endpoint is older than.
  await publish('charge.disputed')
  await received(2)
  expect(types()).toEqual(['charge.captured', 'charge.disputed'])
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks', '/hooks'])
})

test('an endpoint’s headers come with first attempts, retries and pings, and replace none of Cofre’s', async () => {
  const values = { 'x-api-key': 'k-1', authorization: 'Basic abc', 'webhook-id': 'mine' }
  const endpoint = await made({ headers: { values }, description: 'the shop' })
  expect(endpoint).toMatchObject({ headerNames: Object.keys(values), description: 'the shop' })
  let attempts = 0
  receiver.respond((_received, response) => response.writeHead((attempts += 1) === 1 ? 500 : 200).end())
  await publish()
  await received(2)
  await callRpc(client(), client().pingEndpoint, { sellerId, endpointId: endpoint.id })
  await received(3)
  for (const { headers } of receiver.received) {
    expect(headers).toMatchObject({ 'x-api-key': 'k-1', authorization: 'Basic abc' })
    expect(headers['webhook-id']).toMatch(/^evt_/)
  }
})

test('header values are sealed at rest, kept by a replacement without any, and removed by an empty set', async () => {
  const { id: endpointId } = await made({ headers: { values: { 'x-api-key': 'a-value-to-look-for' } } })
  const { rows } = await notifier.pool.query('SELECT * FROM endpoints WHERE id = $1', [endpointId])
  expect(JSON.stringify(rows) + rows[0].headers_sealed.toString('latin1')).not.toContain('a-value-to')
  const replace = (headers: CreateEndpointRequest['headers']) =>
    callRpc(client(), client().replaceEndpoint, {
      sellerId,
      endpointId,
      url: `${receiver.url}/hooks`,
      events: [],
      ...PLAIN,
      headers,
    })
  expect((await replace(undefined)).headerNames).toEqual(['x-api-key'])
  await publish()
  await received(1)
  expect(receiver.received[0]?.headers['x-api-key']).toBe('a-value-to-look-for')
  expect((await replace({ values: {} })).headerNames).toEqual([])
  await publish()
  await received(2)
  expect(receiver.received[1]?.headers).not.toHaveProperty('x-api-key')
})

test('a rate limit allows a burst of one second, and then no more attempts than its rate', async () => {
  await made({ rateLimit: 5 })
  await made({ url: `${receiver.url}/unlimited` })
  const startedAt = Date.now()
  const times: number[] = []
  receiver.respond(({ path }, response) => {
    if (path === '/hooks') times.push(Date.now() - startedAt)
    response.end()
  })
  for (let count = 0; count < 12; count++) await publish()
  await received(24)
  // Twelve at five a second: five at once, and seven that take 1.4 s.
  expect(times.at(-1)).toBeGreaterThan(1_300)
  for (const [at, time] of times.entries()) expect(time).toBeGreaterThan(((at - 5) / 5) * 1_000 - 50)
})

test('two replicas share one rate limit, and unused attempts are given back', async () => {
  const { id: endpointId } = await made({ rateLimit: 10 })
  const wanted = { endpointId, rateLimit: 10, attempts: 8 }
  const startedAt = Date.now()
  await payForAttempts(notifier.pool, [wanted])
  const paid = await Promise.all([1, 2].map(() => payForAttempts(notifier.pool, [wanted])))
  const sum = paid.reduce((all, each) => all + (each.get(endpointId) ?? 0), 0)
  const most = 10 + Math.ceil((Date.now() - startedAt) / 100)
  // The replica that pays second may have begun first: by its clock, part of the last attempt is not saved up yet.
  expect(sum).toBeGreaterThanOrEqual(9)
  expect(sum).toBeLessThanOrEqual(Math.min(16, most))
  await giveBack(notifier.pool, [{ ...wanted, attempts: 8 }])
  expect((await payForAttempts(notifier.pool, [wanted])).get(endpointId)).toBe(8)
})
