import { eventually } from '@cofre/testing/testing'
import { startRetiring } from '../src/sweepers/retire'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

const KEPT = 2
const SELLERS = 6

let notifier: Notifier
let receiver: Receiver
beforeEach(async () => {
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: [3_600], leaseMs: 2_000 },
  }))
  receiver = await startReceiver()
  await notifier.consume()
})
afterEach(async () => {
  await receiver.close()
  await notifier.stop()
})

const publish = (sellerId: number) =>
  notifier.deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId: newChargeId(), url: receiver.url, sellerId }),
  ])
const sellersOfReceivers = async () => {
  const { rows } = await notifier.pool.query<{ sellerId: number }>(
    'SELECT seller_id AS "sellerId" FROM receivers ORDER BY seller_id',
  )
  return rows.map(({ sellerId }) => sellerId)
}

test('few idle hosts are kept; one with a waiting delivery stays, and one named again gets its delivery', async () => {
  receiver.respond(503)
  await publish(1)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  // The delivery waits for its next attempt, for longer than this test lasts.
  await eventually(async () => expect((await notifier.pool.query('SELECT FROM attempts')).rowCount).toBe(1))
  receiver.respond(200)
  for (let sellerId = 2; sellerId <= SELLERS; sellerId++) await publish(sellerId)
  const retiring = startRetiring(notifier.deps, KEPT, 20)
  try {
    await eventually(async () => expect(await sellersOfReceivers()).toEqual([1, 5, 6]))
    receiver.respond(503)
    await publish(2)
    await eventually(() =>
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(SELLERS + 1),
    )
    await eventually(async () => expect(await sellersOfReceivers()).toEqual([1, 2, 5, 6]))
  } finally {
    await retiring.stop()
  }
})
