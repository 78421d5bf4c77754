import type { LogEvent } from '@cofre/platform/events/event-log'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { unlessItWaits, whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { eventually } from '@cofre/testing/testing'
import { claimDue, type Claimed } from '../src/deliveries/claim-store'
import { forgetDeliveries, insertDeliveries } from '../src/deliveries/delivery-store'
import type { Verdict } from '../src/deliveries/delivery'
import { finishAttempts, type Attempt } from '../src/deliveries/verdict-store'
import { findDueReceivers } from '../src/receivers/receiver-store'
import { deliveriesOf as deliveriesFor } from '../src/notifications/envelope'
import { notificationOf, SOURCES } from '../src/notifications/sources'
import { openTools } from '../src/sweepers/attempt'
import { startDeliverer } from '../src/sweepers/deliver'
import { startForgetting } from '../src/sweepers/forget'
import { chargeEvent, newChargeId } from './support/charge-event'
import { attemptsOf, deliveriesOf } from './support/deliveries'
import { BASE_URL, startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
  // Retries come when a test moves the time of a lane, not by themselves.
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: [3_600] },
  }))
})
afterEach(async () => {
  await notifier.stop()
  await receiver.close()
})

const ok = { at: new Date(), durationMs: 1, outcome: { status: 200 } }

/** Stores the deliveries of events. Their first attempts, if any begin, fail. */
async function store(...events: LogEvent[]): Promise<void> {
  const stop = await notifier.consume()
  receiver.respond(500)
  await notifier.deps.eventLog.publish('orders.v1', events)
  await eventually(async () => {
    const { rows } = await notifier.pool.query('SELECT FROM deliveries')
    expect(rows).toHaveLength(events.length)
  })
  await stop()
}

async function claimAll(leaseMs: number): Promise<Claimed[]> {
  const due = await findDueReceivers(notifier.pool, [], 100)
  const shares = due.map(({ id }) => ({ receiverId: id, attempts: 100, retries: 100 }))
  return claimDue(notifier.pool, shares, leaseMs)
}

async function claimOne(leaseMs: number): Promise<Claimed> {
  const [claimed] = await claimAll(leaseMs)
  if (!claimed) throw new Error('nothing was due')
  return claimed
}

/** Finishes an attempt. True when it counted. */
async function finish(claimed: Claimed, attempt: Attempt, verdict: Verdict): Promise<boolean> {
  return (await finishAttempts(notifier.deps, [{ claimed, attempt, verdict }])).length === 1
}

/** Lets a day pass for every lane: retries are due, and leases have run out. */
async function letTimePass(): Promise<void> {
  await notifier.pool.query("UPDATE lanes SET due_at = due_at - interval '1 day'")
  await notifier.pool.query("UPDATE receivers SET next_at = now() - interval '1 second'")
}

test('an attempt that a killed deliverer had begun is made again once its lease has run out, not before', async () => {
  const chargeId = newChargeId()
  await store(chargeEvent({ chargeId, url: receiver.url }))
  await letTimePass()
  receiver.respond(200)
  receiver.received.length = 0

  expect(await claimAll(20_000)).toHaveLength(1)
  expect(await claimAll(20_000)).toEqual([])
  const deliverer = startDeliverer(notifier.deps)
  await letTimePass()
  await eventually(async () =>
    expect(await deliveriesOf(notifier.pool, chargeId)).toMatchObject([{ status: 'DELIVERED' }]),
  )
  expect(receiver.received).toHaveLength(1)
  await deliverer.stop()
})

test('a claimed delivery that cannot be read is due again at once', async () => {
  await store(chargeEvent({ chargeId: newChargeId(), url: receiver.url }))
  await letTimePass()
  const rename = (from: string, to: string) =>
    notifier.pool.query(`ALTER TABLE endpoints RENAME COLUMN ${from} TO ${to}`)
  await rename('headers_sealed', 'away')
  await expect(claimAll(20_000)).rejects.toThrow('headers_sealed')
  await rename('away', 'headers_sealed')
  expect(await claimAll(20_000)).toHaveLength(1)
})

test('an attempt that outlived its lease does not undo a later one', async () => {
  const chargeId = newChargeId()
  const url = receiver.url
  await store(chargeEvent({ chargeId, url, sequence: 1 }), chargeEvent({ chargeId, url, sequence: 2 }))
  await letTimePass()
  const late = await claimOne(0)
  const next = await claimOne(20_000)
  expect(next.delivery).toEqual(late.delivery)

  expect(await finish(next, ok, { status: 'DELIVERED' })).toBe(true)
  const failed = { ...ok, outcome: { error: 'timeout' } }
  expect(await finish(late, failed, { status: 'PENDING', retryInMs: 0 })).toBe(false)
  const following = await claimOne(20_000)
  expect(await finish(late, failed, { status: 'PENDING', retryInMs: 0 })).toBe(false)
  expect(following.delivery.sequence).toBe(2)
  expect(await deliveriesOf(notifier.pool, chargeId)).toMatchObject([
    { status: 'DELIVERED', lastStatus: 200 },
    { status: 'PENDING' },
  ])
})

test('when two attempts of one lane are written together, only the attempt with the lease counts', async () => {
  const chargeId = newChargeId()
  await store(chargeEvent({ chargeId, url: receiver.url }))
  await letTimePass()
  const late = await claimOne(0)
  const next = await claimOne(20_000)
  const before = await attemptsOf(notifier.pool, chargeId)
  const { writeVerdict } = openTools(notifier.deps)
  const failed = { ...ok, outcome: { error: 'timeout' } }
  const [ofLate, ofNext] = await Promise.all([
    writeVerdict({ claimed: late, attempt: failed, verdict: { status: 'PENDING', retryInMs: 0 } }),
    writeVerdict({ claimed: next, attempt: ok, verdict: { status: 'DELIVERED' } }),
  ])
  expect([ofLate, ofNext?.lease]).toEqual([undefined, next.lease])
  expect(await attemptsOf(notifier.pool, chargeId)).toEqual([...before, [before.length + 1, 200]])
})

test('a delivery stored while the one before it is finished is never left behind', async () => {
  const chargeId = newChargeId()
  await store(chargeEvent({ chargeId, url: receiver.url, sequence: 1 }))
  await letTimePass()
  const head = await claimOne(20_000)
  const [charges] = SOURCES
  if (!charges) throw new Error('there is no source')
  const event = chargeEvent({ chargeId, url: receiver.url, sequence: 2 })
  const second = notificationOf(charges, event, BASE_URL)
  const [finishing] = await withTransaction(notifier.pool, async (storing) => {
    await insertDeliveries(storing, deliveriesFor(second, []))
    const finished = finish(head, ok, { status: 'DELIVERED' })
    await unlessItWaits(notifier.pool, finished)
    return [finished]
  })
  await finishing
  expect((await claimOne(20_000)).delivery.sequence).toBe(2)
})

test('stopping lets the attempt that runs finish and be written', async () => {
  const chargeId = newChargeId()
  let answer = () => {}
  const stop = await notifier.consume()
  receiver.respond((_received, response) => (answer = () => response.end()))
  await notifier.deps.eventLog.publish('orders.v1', [chargeEvent({ chargeId, url: receiver.url })])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const stopped = stop()
  answer()
  await stopped
  expect(await attemptsOf(notifier.pool, chargeId)).toEqual([[1, 200]])
})

test('events published while no consumer runs are delivered once one is back', async () => {
  const chargeId = newChargeId()
  await notifier.deps.eventLog.publish('orders.v1', [chargeEvent({ chargeId, url: receiver.url })])
  await notifier.consume()
  await eventually(() => expect(receiver.received).toHaveLength(1))
})

test('settled deliveries are forgotten after 30 days, waiting ones are kept', async () => {
  const [settled, waiting] = [newChargeId(), newChargeId()]
  await store(
    chargeEvent({ chargeId: settled, url: receiver.url }),
    chargeEvent({ chargeId: waiting, url: receiver.url }),
  )
  await notifier.pool.query(
    `UPDATE deliveries SET created_at = now() - interval '31 days',
       status = CASE resource_id WHEN $1 THEN 'FAILED' ELSE 'PENDING' END, next_attempt_at = NULL`,
    [String(settled)],
  )
  const forgetting = startForgetting(notifier.deps)
  await eventually(async () => expect(await deliveriesOf(notifier.pool, settled)).toEqual([]))
  await forgetting.stop()
  expect(await deliveriesOf(notifier.pool, waiting)).toHaveLength(1)
})

test('a delivery that is resent just when it would be forgotten stays', async () => {
  const chargeId = newChargeId()
  await store(chargeEvent({ chargeId, url: receiver.url }))
  const { pool } = notifier
  await pool.query(
    `UPDATE deliveries SET created_at = now() - interval '31 days', status = 'FAILED', next_attempt_at = NULL`,
  )
  const again = "UPDATE deliveries SET status = 'PENDING', next_attempt_at = now() - interval '1 second'"
  const { forgotten } = await whileHeld(pool, [again, []], async () => {
    const forgetting = forgetDeliveries(pool)
    await whenWaiting(pool, 1)
    return { forgotten: forgetting }
  })
  await forgotten
  expect(await deliveriesOf(pool, chargeId)).toHaveLength(1)
})
