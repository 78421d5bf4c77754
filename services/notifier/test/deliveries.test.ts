import { callRpc } from '@cofre/platform/grpc/client'
import type { History } from '@cofre/platform/history/history'
import { unavailable } from '@cofre/platform/errors'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { eventually } from '@cofre/testing/testing'
import { DeliveryStatus, type ListDeliveriesRequest } from '@cofre/proto/notifier/v1/notifier'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
let away = false
let lastSeller = 0
let sellerId: number
beforeAll(async () => {
  notifier = await startNotifier((deps) => ({ history: thatMayBeAway(deps.history) }))
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId = lastSeller += 1
})
afterEach(() => receiver.close())

function thatMayBeAway(history: History): History {
  const find: History['find'] = async (query) => {
    if (away) throw unavailable('away')
    return history.find(query)
  }
  return { ...history, find }
}

const END = { totalIsLowerBound: false, more: false }
const list = (change: Partial<ListDeliveriesRequest> = {}) =>
  callRpc(notifier.client, notifier.client.listDeliveries, {
    sellerId,
    statuses: [],
    page: 0,
    size: 10,
    after: undefined,
    eventTypes: [],
    ...change,
  })
const get = (deliveryId: number, seller = sellerId) =>
  callRpc(notifier.client, notifier.client.getDelivery, { sellerId: seller, deliveryId })
const resend = (deliveryId: number, seller = sellerId) =>
  callRpc(notifier.client, notifier.client.resendDelivery, { sellerId: seller, deliveryId })
const publish = (change: Partial<Parameters<typeof chargeEvent>[0]> = {}) => {
  const event = chargeEvent({ chargeId: newChargeId(), url: receiver.url, sellerId, ...change })
  return notifier.deps.eventLog.publish('orders.v1', [event])
}
const settled = (count: number) =>
  eventually(async () => {
    const { deliveries } = await list({ size: 100 })
    expect(deliveries.filter(({ status }) => status !== DeliveryStatus.PENDING)).toHaveLength(count)
    return deliveries
  })

test('deliveries are listed newest first, by page and by status', async () => {
  await publish()
  await settled(1)
  receiver.respond(410)
  await publish()
  await settled(2)
  receiver.respond(200)
  await publish()
  const all = await settled(3)
  const [third, second, first] = all
  expect(all.map(({ status }) => status)).toEqual([
    DeliveryStatus.DELIVERED,
    DeliveryStatus.FAILED,
    DeliveryStatus.DELIVERED,
  ])
  expect(await list({ statuses: [DeliveryStatus.FAILED] })).toEqual({
    deliveries: [second],
    total: 1,
    ...END,
  })
  const delivered = await list({ statuses: [DeliveryStatus.DELIVERED, DeliveryStatus.PENDING] })
  expect(delivered).toEqual({ deliveries: [third, first], total: 2, ...END })
  expect(await list({ page: 1, size: 2 })).toEqual({ deliveries: [first], total: 3, ...END })
  expect(await list({ page: 9 })).toEqual({ deliveries: [], total: 3, ...END })
  expect(await list({ after: third?.id, size: 1 })).toEqual({
    deliveries: [second],
    total: 3,
    ...END,
    more: true,
  })
  expect(await list({ after: second?.id, page: 4 })).toEqual({ deliveries: [first], total: 3, ...END })
  expect(second).toMatchObject({
    eventType: 'charge.captured',
    resourceKind: 'charge',
    url: `${receiver.url}/`,
    attempts: 1,
    lastStatus: 410,
    nextAttemptAt: undefined,
    endpointId: undefined,
  })
  await expect(list({ size: 101 })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('a delivery is read with its body and the response to each attempt', async () => {
  let attempts = 0
  receiver.respond((_received, response) => {
    attempts += 1
    // The second attempt gets a connection of its own: a resting one would be replaced within the attempt.
    if (attempts === 1) response.writeHead(500, { connection: 'close' }).end('no: 4111111111111111')
    else if (attempts === 2) response.destroy()
    else response.end('thanks')
  })
  await publish()
  const [delivery] = await settled(1)
  const id = delivery?.id ?? 0
  const read = await eventually(async () => {
    const found = await get(id)
    expect(found.attempts[2]?.response).toBe('thanks')
    return found
  })
  expect(read.delivery).toEqual(delivery)
  expect(read.body).toBe(receiver.received[0]?.body)
  expect(read.attempts).toEqual([
    { number: 1, status: 500, error: undefined, response: 'no: ****************', ...times() },
    { number: 2, status: undefined, error: 'UND_ERR_SOCKET', response: undefined, ...times() },
    { number: 3, status: 200, error: undefined, response: 'thanks', ...times() },
  ])
  away = true
  const without = await get(id)
  away = false
  expect(without.attempts.map(({ number, response }) => [number, response])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ])
})

const times = () => ({ at: expect.any(Number), durationMs: expect.any(Number) })

test('another seller’s delivery is not found, to read or to resend', async () => {
  await publish()
  const [delivery] = await settled(1)
  const id = delivery?.id ?? 0
  for (const ask of [get, resend]) {
    await expect(ask(id, sellerId + 1_000)).rejects.toMatchObject({ kind: 'not_found' })
    await expect(ask(id + 1_000_000)).rejects.toMatchObject({ kind: 'not_found' })
  }
  expect((await get(id)).delivery?.attempts).toBe(1)
})

test('a delivered message that is resent is sent again, the same to the byte', async () => {
  await publish()
  const [delivery] = await settled(1)
  const again = await resend(delivery?.id ?? 0)
  expect(again).toMatchObject({ id: delivery?.id, status: DeliveryStatus.PENDING, attempts: 1 })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  const [one, two] = receiver.received
  expect(two?.body).toBe(one?.body)
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  expect(await settled(1)).toMatchObject([{ attempts: 2, status: DeliveryStatus.DELIVERED }])
})

test('a delivery that is resent after its last attempt gets the whole schedule again', async () => {
  receiver.respond(500)
  await publish()
  const [failed] = await settled(1)
  expect(failed).toMatchObject({ status: DeliveryStatus.FAILED, attempts: 4 })
  let attempts = 0
  receiver.respond((_received, response) => response.writeHead((attempts += 1) < 4 ? 500 : 200).end())
  await resend(failed?.id ?? 0)
  await eventually(async () =>
    expect((await list()).deliveries).toMatchObject([{ status: DeliveryStatus.DELIVERED, attempts: 8 }]),
  )
})

test('a delivery that is resent by many at once during its attempt is sent once and settles', async () => {
  const answers: (() => void)[] = []
  receiver.respond((_received, response) => void answers.push(() => response.end()))
  await publish()
  await eventually(() => expect(answers).toHaveLength(1))
  const { deliveries } = await list()
  const id = deliveries[0]?.id ?? 0
  await Promise.all(Array.from({ length: 8 }, () => resend(id)))
  expect(receiver.received).toHaveLength(1)
  answers[0]?.()
  expect(await settled(1)).toMatchObject([{ status: DeliveryStatus.DELIVERED, attempts: 1 }])
})

test('resending is done once for each Idempotency-Key', async () => {
  await publish()
  const [delivery] = await settled(1)
  const id = delivery?.id ?? 0
  const call = () =>
    runCall(
      {
        ...newCall({ timeoutMs: 10_000 }),
        idempotency: { key: 'again', method: 'POST', path: `/d/${id}`, fingerprint: 'f' },
      },
      () => resend(id),
    )
  const first = await call()
  await settled(1)
  expect(await call()).toEqual(first)
  await eventually(() => expect(receiver.received).toHaveLength(2))
  expect((await settled(1))[0]?.attempts).toBe(2)
})
