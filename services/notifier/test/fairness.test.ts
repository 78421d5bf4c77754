import { eventually } from '@cofre/testing/testing'
import { claimDue } from '../src/deliveries/claim-store'
import { findDueReceivers } from '../src/receivers/receiver-store'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'
import { storeWaiting } from './support/waiting'

const TARPITS = 8
const WAITING = 1_000

let notifier: Notifier
let receivers: Receiver[]
beforeEach(async () => {
  notifier = await startNotifier(({ delivery }) => ({ delivery: { ...delivery, concurrency: 256 } }))
  receivers = []
})
afterEach(async () => {
  for (const each of receivers) each.respond(200)
  await Promise.all(receivers.map((each) => each.close()))
  await notifier.stop()
})

async function receiverOn(address: string): Promise<Receiver> {
  const receiver = await startReceiver(undefined, address)
  receivers.push(receiver)
  return receiver
}
const publish = (sellerId: number, url: string) =>
  notifier.deps.eventLog.publish('orders.v1', [chargeEvent({ chargeId: newChargeId(), url, sellerId })])
const attemptsOfSeller = async (sellerId: number) => {
  const { rowCount } = await notifier.pool.query(
    'SELECT FROM attempts JOIN deliveries ON deliveries.id = delivery_id WHERE seller_id = $1',
    [sellerId],
  )
  return rowCount
}

test.each([1, 2])(
  "eight receivers that never answer, with a thousand charges waiting, hold up no other seller's first attempt: %i replicas",
  async (replicas) => {
    for (let each = 0; each < TARPITS; each++) {
      const tarpit = await receiverOn(`127.0.0.${each + 2}`)
      tarpit.respond(() => {})
      const firstId = 1_000_000 + each * WAITING
      await storeWaiting(notifier.pool, {
        sellerId: 1,
        endpointId: null,
        url: tarpit.url,
        count: WAITING / TARPITS,
        firstId,
        dueInSeconds: -1,
      })
    }
    for (let replica = 0; replica < replicas; replica++) await notifier.consume()
    await eventually(() => {
      for (const each of receivers) expect(each.received.length).toBeGreaterThan(0)
    })
    const quick = await receiverOn('127.0.0.1')
    for (let sellerId = 2; sellerId <= 20; sellerId++) await publish(sellerId, quick.url)
    await eventually(() => expect(quick.received).toHaveLength(19))
    // No attempt at the silent receivers has ended.
    expect(await attemptsOfSeller(1)).toBe(0)
  },
)

test('a first attempt goes before the retries of its receiver, however long they have been due', async () => {
  const [first, again] = [newChargeId(), newChargeId()]
  const common = { sellerId: 1, endpointId: null, url: 'http://127.0.0.1:9/', count: 1 }
  await storeWaiting(notifier.pool, { ...common, firstId: again, dueInSeconds: -86_400 })
  await storeWaiting(notifier.pool, { ...common, firstId: first, isFirst: true, dueInSeconds: 0 })
  const due = await findDueReceivers(notifier.pool, [], 10)
  const shares = due.map(({ id }) => ({ receiverId: id, attempts: 1, retries: 1 }))
  const claimed = [
    ...(await claimDue(notifier.pool, shares, 60_000)),
    ...(await claimDue(notifier.pool, shares, 60_000)),
  ]
  expect(claimed.map(({ delivery }) => Number(delivery.resourceId))).toEqual([first, again])
})
