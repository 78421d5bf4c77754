import { randomUUID } from 'node:crypto'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import {
  DeliveryStatus,
  EndpointStatus,
  ListEventsRequest,
  type EventDetail,
} from '@cofre/proto/notifier/v1/notifier'
import { following, walk, type Beginning } from '@cofre/testing/moving-list'
import { eventually } from '@cofre/testing/testing'
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
const list = (changes: Partial<ListEventsRequest> = {}) =>
  callRpc(client(), client().listEvents, ListEventsRequest.fromPartial({ sellerId, size: 10, ...changes }))
const idsOf = async (changes: Partial<ListEventsRequest> = {}) =>
  (await list(changes)).events.map(({ id }) => id)
const read = (eventId: string): Promise<EventDetail> =>
  callRpc(client(), client().getEvent, { sellerId, eventId })
const resend = (eventId: string, endpointId: number) =>
  callRpc(client(), client().resendEvent, { sellerId, eventId, endpointId })

async function newEndpoint(path: string): Promise<number> {
  const ask = { sellerId, url: `${receiver.url}/${path}`, events: [], ...PLAIN }
  return (await callRpc(client(), client().createEndpoint, ask)).endpoint?.id ?? 0
}

/** A charge was captured, or what `type` says. Returns the event's id, once its deliveries are known. */
async function happened(type = 'charge.captured', chargeId = newChargeId()): Promise<string> {
  const id = randomUUID()
  await notifier.deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId, url: `${receiver.url}/url`, sellerId, id, type }),
  ])
  const eventId = `evt_${id.replaceAll('-', '')}`
  await eventually(async () => expect((await read(eventId)).event?.pending).toBe(0))
  return eventId
}

test('an event is listed once, however many receivers get it, and read with each delivery and its body', async () => {
  const [one, two] = [await newEndpoint('one'), await newEndpoint('two')]
  const chargeId = newChargeId()
  const eventId = await happened('charge.captured', chargeId)
  const listed = {
    id: eventId,
    eventType: 'charge.captured',
    resourceKind: 'charge',
    resourceId: String(chargeId),
    pending: 0,
    delivered: 3,
    failed: 0,
  }
  expect(await list()).toMatchObject({ events: [listed], total: 1, more: false })
  const { event, body, deliveries } = await read(eventId)
  expect(event).toMatchObject(listed)
  expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([undefined, one, two])
  const sent = receiver.received.find(({ path }) => path === '/one')
  expect(body).toBe(sent?.body)
})

test('events are found by type, resource and time, and paged by the last one', async () => {
  await newEndpoint('all')
  const chargeId = newChargeId()
  const first = await happened('charge.authorized', chargeId)
  const second = await happened('charge.captured', chargeId)
  const third = await happened('charge.refunded')
  expect(await idsOf()).toEqual([third, second, first])
  expect(await idsOf({ eventTypes: ['charge.captured'] })).toEqual([second])
  expect(await idsOf({ eventTypes: ['charge.*'], resourceId: String(chargeId) })).toEqual([second, first])
  expect(await idsOf({ resourceId: 'none' })).toEqual([])
  const { events } = await list({ after: third, size: 1 })
  expect(events.map(({ id }) => id)).toEqual([second])
  const at = events[0]?.createdAt ?? 0
  expect(await idsOf({ createdFrom: at })).toEqual([third, second])
  expect(await idsOf({ createdTo: at })).toEqual([second, first])
  expect(await list({ page: 1, size: 2 })).toMatchObject({ events: [{ id: first }], total: 3, more: false })
})

test('another seller’s events are not listed, not read and not sent', async () => {
  const endpointId = await newEndpoint('mine')
  const eventId = await happened()
  sellerId += 1
  expect(await idsOf()).toEqual([])
  await expect(read(eventId)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await expect(resend(eventId, endpointId)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await expect(list({ after: eventId })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  const mine = await happened()
  await expect(resend(mine, endpointId)).rejects.toMatchObject({
    reason: 'REFERENCE_NOT_FOUND',
    extra: { errors: [{ pointer: '#/endpointId' }] },
  })
})

test.each([{ size: 0 }, { size: 101 }, { page: -1 }])('a page of %p is refused', async (page) => {
  await expect(list(page)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('an event is sent again to an endpoint that had it, and for the first time to one that did not', async () => {
  const had = await newEndpoint('had')
  const eventId = await happened()
  const later = await newEndpoint('later')
  const paths = () => receiver.received.map(({ path }) => path).toSorted()
  await resend(eventId, had)
  await eventually(() => expect(paths()).toEqual(['/had', '/had', '/url']))
  expect(await resend(eventId, later)).toMatchObject({ webhookId: eventId, endpointId: later, attempts: 0 })
  await eventually(() => expect(paths()).toEqual(['/had', '/had', '/later', '/url']))
  const bodies = receiver.received.filter(({ path }) => path !== '/url').map(({ body }) => body)
  expect(new Set(bodies).size).toBe(1)
  await eventually(async () => expect((await read(eventId)).event).toMatchObject({ delivered: 3 }))
})

test('one key sends once, and requests at once make one delivery', async () => {
  await newEndpoint('first')
  const eventId = await happened()
  const later = await newEndpoint('later')
  await Promise.all(Array.from({ length: 5 }, () => resend(eventId, later)))
  const { deliveries } = await read(eventId)
  expect(deliveries.filter(({ endpointId }) => endpointId === later)).toHaveLength(1)
  const asked = { sellerId, eventId, endpointId: later }
  const { replayed } = await callRepeatable(client(), client().resendEvent, asked)
  expect(replayed).toBe(false)
})

test('a disabled endpoint gets what its seller sends to it', async () => {
  await newEndpoint('first')
  const eventId = await happened()
  const later = await newEndpoint('later')
  receiver.respond(410)
  const target = { sellerId, endpointId: later }
  await callRpc(client(), client().pingEndpoint, target)
  await eventually(async () => {
    const { status } = await callRpc(client(), client().getEndpoint, target)
    expect(status).toBe(EndpointStatus.DISABLED)
  })
  receiver.respond(200)
  const { id } = await resend(eventId, later)
  await eventually(async () => {
    const { deliveries } = await read(eventId)
    expect(deliveries.find((each) => each.id === id)?.status).toBe(DeliveryStatus.DELIVERED)
  })
})

test('what was made for a notificationUrl alone, and is no envelope, goes to no endpoint', async () => {
  const eventId = await happened()
  const endpointId = await newEndpoint('later')
  // The stored message of a token: its fields, and nothing around them.
  await notifier.pool.query(`UPDATE deliveries SET body = '{"status":"ACTIVE"}' WHERE webhook_id = $1`, [
    eventId,
  ])
  await expect(resend(eventId, endpointId)).rejects.toMatchObject({ reason: 'REFERENCE_NOT_FOUND' })
  expect((await read(eventId)).body).toBe('{"status":"ACTIVE"}')
})

test('every event that is kept comes once, though the last one seen is forgotten between the pages', async () => {
  const moving = {
    add: () => happened(),
    remove: (id: number | string) =>
      notifier.pool.query('DELETE FROM deliveries WHERE webhook_id = $1', [id]),
    page: async (size: number, { after, place }: Beginning) => {
      const page = await list({ size, after: after === undefined ? undefined : String(after), place })
      return following(page.events, page)
    },
  }
  const leaves = { lastGoes: true, go: [3], come: 1 }
  const { stood, others } = await walk(moving, { rows: 8, size: 2, meanwhile: [leaves, leaves] })
  expect(stood).toEqual(stood.map(() => 1))
  expect(Math.max(...others)).toBe(1)
  await expect(list({ after: 'evt_gone' })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  await expect(list({ after: 'evt_gone', place: 'soon' })).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
  })
})
