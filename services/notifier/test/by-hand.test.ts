import { callRpc } from '@cofre/platform/grpc/client'
import { DeliveryStatus, EndpointStatus } from '@cofre/proto/notifier/v1/notifier'
import { eventually } from '@cofre/testing/testing'
import { PLAIN } from './support/plain-endpoint'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
let lastSeller = 0
let sellerId: number
beforeAll(async () => {
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: [3_600, 3_600] },
  }))
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId = lastSeller += 1
})
afterEach(() => receiver.close())

const client = () => notifier.client
const deliveries = async () => {
  const page = { sellerId, statuses: [], eventTypes: [], page: 0, size: 10, after: undefined }
  return (await callRpc(client(), client().listDeliveries, page)).deliveries
}
const onlyDelivery = async (expected: object) =>
  eventually(async () => {
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject(expected)
    return delivery?.id ?? 0
  })

async function disabledEndpoint() {
  const ask = { sellerId, url: receiver.url, events: [], ...PLAIN }
  const { endpoint } = await callRpc(client(), client().createEndpoint, ask)
  const target = { sellerId, endpointId: endpoint?.id ?? 0 }
  receiver.respond(410)
  await callRpc(client(), client().pingEndpoint, target)
  await eventually(async () => {
    const { status } = await callRpc(client(), client().getEndpoint, target)
    expect(status).toBe(EndpointStatus.DISABLED)
  })
  return target
}

test('a disabled endpoint is recovered as often as its seller asks, even while its receiver still fails', async () => {
  const target = await disabledEndpoint()
  receiver.respond(500)
  const recover = { ...target, since: Date.now() - 86_400_000 }
  for (const attempts of [2, 3, 4]) {
    expect(await callRpc(client(), client().recoverEndpoint, recover)).toEqual({ deliveries: 1 })
    await onlyDelivery({ status: DeliveryStatus.PENDING, attempts })
  }
  await callRpc(client(), client().deleteEndpoint, target)
  await onlyDelivery({ status: DeliveryStatus.FAILED })
  await eventually(async () => {
    const { rowCount } = await notifier.pool.query('SELECT FROM receivers WHERE seller_id = $1', [sellerId])
    expect(rowCount).toBe(0)
  })
})

test('a delivery that its seller resends during an attempt that fails is sent again at once', async () => {
  const held: ((status: number) => void)[] = []
  receiver.respond((_received, response) => held.push((status) => void response.writeHead(status).end()))
  await notifier.deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId: newChargeId(), url: receiver.url, sellerId }),
  ])
  for (const times of [0, 1]) {
    await eventually(() => expect(held).toHaveLength(times + 1))
    const [delivery] = await deliveries()
    const ask = { sellerId, deliveryId: delivery?.id ?? 0 }
    expect(await callRpc(client(), client().resendDelivery, ask)).toMatchObject({ attempts: times })
    held[times]?.(500)
  }
  await eventually(() => expect(held).toHaveLength(3))
  // The schedule begins again, and this is its first attempt that counts.
  held[2]?.(500)
  const id = await onlyDelivery({ status: DeliveryStatus.PENDING, attempts: 3 })
  receiver.respond(200)
  await callRpc(client(), client().resendDelivery, { sellerId, deliveryId: id })
  await onlyDelivery({ status: DeliveryStatus.DELIVERED, attempts: 4 })
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})
