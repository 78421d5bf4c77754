import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { runCall, newCall } from '@cofre/platform/grpc/call-context'
import { DeliveryStatus, EndpointStatus, type Delivery } from '@cofre/proto/notifier/v1/notifier'
import { eventually } from '@cofre/testing/testing'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { PLAIN } from './support/plain-endpoint'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
let sellerId = 0
beforeAll(async () => {
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: [3_600, 3_600] },
  }))
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId += 1
})
afterEach(() => receiver.close())

const client = () => notifier.client
type Target = { sellerId: number; endpointId: number }

async function newEndpoint(): Promise<Target> {
  const ask = { sellerId, url: receiver.url, events: [], ...PLAIN }
  const { endpoint } = await callRpc(client(), client().createEndpoint, ask)
  return { sellerId, endpointId: endpoint?.id ?? 0 }
}

async function disable(target: Target): Promise<void> {
  receiver.respond(410)
  const { id } = await callRpc(client(), client().pingEndpoint, target)
  await eventually(async () => {
    const { status } = await callRpc(client(), client().getEndpoint, target)
    expect(status).toBe(EndpointStatus.DISABLED)
  })
  await eventually(async () => expect((await read(id)).status).toBe(DeliveryStatus.FAILED))
  receiver.received.length = 0
  receiver.respond(200)
}

/** Stores `count` events of one charge for the seller's endpoints. Returns their deliveries, the oldest first. */
async function happened(count: number, chargeId = newChargeId()): Promise<Delivery[]> {
  const events = Array.from({ length: count }, (_, index) =>
    chargeEvent({ chargeId, url: '', sellerId, sequence: index + 1 }),
  )
  const before = new Set((await deliveries()).map(({ id }) => id))
  await notifier.deps.eventLog.publish('orders.v1', events)
  return eventually(async () => {
    const found = (await deliveries()).filter(
      ({ id, resourceKind }) => !before.has(id) && resourceKind === 'charge',
    )
    expect(found).toHaveLength(count)
    return found.toReversed()
  })
}

async function deliveries(): Promise<Delivery[]> {
  const page = { sellerId, statuses: [], eventTypes: [], page: 0, size: 100, after: undefined }
  return (await callRpc(client(), client().listDeliveries, page)).deliveries
}
const read = async (id: number) => {
  const found = (await deliveries()).find((each) => each.id === id)
  if (!found) throw new Error('no delivery')
  return found
}
const resend = ({ id }: Pick<Delivery, 'id'>) =>
  callRpc(client(), client().resendDelivery, { sellerId, deliveryId: id })
const untilDelivered = (...sent: Delivery[]) =>
  eventually(async () => {
    for (const { id } of sent) expect((await read(id)).status).toBe(DeliveryStatus.DELIVERED)
  })
const sequences = () => receiver.received.map(({ json }) => json.sequence)
const lanes = async () => {
  const { rows } = await notifier.pool.query(
    'SELECT FROM lanes JOIN receivers ON receivers.id = receiver_id WHERE seller_id = $1',
    [sellerId],
  )
  return rows.length
}

async function threeWaiting() {
  const target = await newEndpoint()
  await disable(target)
  const [first, second, third] = await happened(3)
  if (!first || !second || !third) throw new Error('too few')
  return { target, first, second, third }
}

test('a delivery that is sent again to a disabled endpoint is sent alone; the others wait in their order', async () => {
  const { target, first, second, third } = await threeWaiting()
  await resend(second)
  await untilDelivered(second)
  await resend(second)
  await eventually(async () => expect((await read(second.id)).attempts).toBe(2))
  await untilDelivered(second)
  expect(sequences()).toEqual([2, 2])
  for (const { id } of [first, third]) {
    expect(await read(id)).toMatchObject({ status: DeliveryStatus.PENDING, attempts: 0 })
  }
  await callRpc(client(), client().enableEndpoint, target)
  await untilDelivered(first, third)
  expect(sequences()).toEqual([2, 2, 1, 3])
  expect(await lanes()).toBe(0)
})

test('one that failed alone waits in the order of its resource again, once the endpoint is enabled', async () => {
  const { target, first, second, third } = await threeWaiting()
  receiver.respond(500)
  await resend(second)
  await eventually(async () =>
    expect(await read(second.id)).toMatchObject({ status: DeliveryStatus.PENDING, attempts: 1 }),
  )
  receiver.respond(200)
  await callRpc(client(), client().enableEndpoint, target)
  await untilDelivered(first, second, third)
  expect(sequences()).toEqual([2, 1, 2, 3])
  expect(await lanes()).toBe(0)
})

test('a repeated request sends once; requests at once for all, and an enabling among them, lose nothing', async () => {
  const { target, first, second, third } = await threeWaiting()
  const idempotency = {
    key: 'again',
    method: 'POST',
    path: '/resend',
    fingerprint: 'f',
  }
  const once = () =>
    runCall({ ...newCall({ timeoutMs: 10_000 }), idempotency } as never, () =>
      callRepeatable(client(), client().resendDelivery, { sellerId, deliveryId: third.id }),
    )
  await once()
  await untilDelivered(third)
  expect((await once()).replayed).toBe(true)
  expect(sequences()).toEqual([3])
  await Promise.all([
    ...[first, second, second, first].map(resend),
    callRpc(client(), client().enableEndpoint, target),
    ...[second, first].map(resend),
  ])
  await untilDelivered(first, second)
  await eventually(async () => expect(await lanes()).toBe(0))
  expect(sequences().slice(1)).toEqual(expect.arrayContaining([1, 2]))
})

test('a request during an attempt waits for its end, and sends nothing more when that delivers', async () => {
  const target = await newEndpoint()
  const held: (() => void)[] = []
  receiver.respond((_received, response) => held.push(() => void response.writeHead(200).end()))
  const [first, second] = await happened(2)
  if (!first || !second) throw new Error('too few')
  await eventually(() => expect(held).toHaveLength(1))
  await notifier.pool.query("UPDATE endpoints SET status = 'DISABLED' WHERE id = $1", [target.endpointId])
  await notifier.pool.query(
    "UPDATE receivers SET state = 'PAUSED', next_at = 'infinity' WHERE endpoint_id = $1",
    [target.endpointId],
  )
  await resend(first)
  held[0]?.()
  await untilDelivered(first)
  // The lease of the attempt is over: its lane of its own is empty, and closed.
  await notifier.pool.query(
    "UPDATE lanes SET due_at = now() - interval '1 second' FROM receivers WHERE receivers.id = receiver_id AND seller_id = $1",
    [sellerId],
  )
  await eventually(async () => expect(await lanes()).toBe(1))
  expect(sequences()).toEqual([1])
  expect(await read(second.id)).toMatchObject({ status: DeliveryStatus.PENDING, attempts: 0 })
})

test('an event, a ping and a test event to a disabled endpoint are sent alone', async () => {
  const other = await newEndpoint()
  const known = await happened(1)
  await untilDelivered(...known)
  await callRpc(client(), client().deleteEndpoint, other)
  const target = await newEndpoint()
  await disable(target)
  const waiting = await happened(2, Number(known[0]?.resourceId))
  const eventId = known[0]?.webhookId ?? ''
  const added = await callRpc(client(), client().resendEvent, { ...target, eventId })
  await untilDelivered(added)
  const ping = await callRpc(client(), client().pingEndpoint, target)
  await untilDelivered(ping)
  expect(receiver.received).toHaveLength(2)
  for (const { id } of waiting) expect(await read(id)).toMatchObject({ attempts: 0 })
})

test('what failed alone is recovered in the order of its resource', async () => {
  const { target, first, second, third } = await threeWaiting()
  await notifier.pool.query("UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL WHERE id = $1", [
    first.id,
  ])
  receiver.respond(500)
  await resend(first)
  await eventually(async () => expect(await read(first.id)).toMatchObject({ attempts: 1 }))
  await notifier.pool.query("UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL WHERE id = $1", [
    first.id,
  ])
  receiver.respond(200)
  await callRpc(client(), client().recoverEndpoint, { ...target, since: Date.now() - 86_400_000 })
  await untilDelivered(first, second, third)
  // The ping that disabled the endpoint is recovered too, in a lane of its own.
  expect(sequences().filter((each) => each <= 3)).toEqual([1, 1, 2, 3])
})
