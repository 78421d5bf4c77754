import type { Pool } from '@cofre/platform/postgres/postgres'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import { claimDue, oldestDueAge, type Claimed } from '../deliveries/claim-store'
import type { Deps } from '../deps'
import { findDueReceivers, noteNext, postpone, type DueReceiver } from '../receivers/receiver-store'
import { openRoom, type Asker } from '../receivers/room'
import { attempt, type Ended } from './attempt'

const POLL_MS = 200
const RECEIVERS_AT_ONCE = 100

const NOT_WRITTEN: Ended = { ending: 'failed', handedOn: undefined }

type Seen = DueReceiver & { attempts: number; taken: number }

type Deliverer = Loop & { wakeFor(receiverIds: readonly number[]): void }

/** Attempts due deliveries until stopped, many at once; stopping lets those that run finish. Any number may run. */
export function startDeliverer(deps: Deps): Deliverer {
  const { log, pool, delivery } = deps
  const room = openRoom(delivery.concurrency)
  const running = new Set<Promise<void>>()
  /** Receivers that have more due than they had room for. */
  const hungry = new Set<number>()
  const woken = new Set<number>()
  const runningAt = openTally()
  const start = (claimed: Claimed, asker: Asker) => {
    room.begin(asker, claimed.retried)
    runningAt.count(claimed.receiverId, 1)
    const work = run(claimed, asker).finally(() => running.delete(work))
    running.add(work)
  }
  const run = async (claimed: Claimed, asker: Asker) => {
    const { receiverId, retried } = claimed
    const { ending, handedOn } = await attempt(deps, claimed, room.isDistrusted(asker)).catch(
      (err: unknown) => {
        log.error({ err, deliveryId: claimed.delivery.id }, 'attempt not written')
        return NOT_WRITTEN
      },
    )
    room.end(asker, retried, ending)
    runningAt.count(receiverId, -1)
    if (!hungry.has(receiverId) && handedOn?.nextInMs !== 0) return
    woken.add(receiverId)
    loop.wake()
  }
  const look = async () => {
    if (room.isFull()) return 0
    const asked = [...woken]
    woken.clear()
    const due = await findDueReceivers(pool, asked, RECEIVERS_AT_ONCE)
    // Endpoints of one host share its slots: whoever has the fewest is asked first, however long others have waited.
    due.sort((one, other) => runningAt.of(one.id) - runningAt.of(other.id))
    const offers = room.offer(due)
    const rooms = due.map(({ id }, at) => ({ receiverId: id, attempts: 0, retries: 0, ...offers[at] }))
    const claimed = await claimDue(
      pool,
      rooms.filter(({ attempts }) => attempts > 0),
      delivery.leaseMs,
    )
    const receivers = new Map<number, Seen>()
    for (const [at, each] of due.entries())
      receivers.set(each.id, { ...each, attempts: rooms[at]?.attempts ?? 0, taken: 0 })
    for (const each of claimed) {
      const receiver = receivers.get(each.receiverId)
      if (!receiver) continue
      receiver.taken += 1
      start(each, receiver)
    }
    const postponed = await noteSeen(pool, hungry, [...receivers.values()])
    return claimed.length + postponed
  }
  observe('lanes_oldest_due_age_seconds', 'How long the oldest delivery that is due has been due.', () =>
    oldestDueAge(pool),
  )
  const loop = repeat(look, POLL_MS, (err) => log.warn({ err }, 'deliverer will try again'))
  const stop = async () => {
    await loop.stop()
    await Promise.all(running)
  }
  /** Looks at once, and at these receivers whatever is noted of them. */
  const wakeFor = (receiverIds: readonly number[]) => {
    for (const id of receiverIds) woken.add(id)
    loop.wake()
  }
  return { stop, wake: loop.wake, wakeFor }
}

/** How many attempts run at each receiver. */
function openTally() {
  const running = new Map<number, number>()
  const of = (receiverId: number) => running.get(receiverId) ?? 0
  const count = (receiverId: number, change: number) => {
    const left = of(receiverId) + change
    if (left > 0) running.set(receiverId, left)
    else running.delete(receiverId)
  }
  return { of, count }
}

/** Notes who has more due than there was room for, and when the others are due again. Answers how many make way. */
async function noteSeen(pool: Pool, hungry: Set<number>, seen: readonly Seen[]): Promise<number> {
  const isEmpty = ({ attempts, taken }: Seen) => taken < attempts
  for (const each of seen) {
    if (isEmpty(each)) hungry.delete(each.id)
    else hungry.add(each.id)
  }
  const empty = seen.filter(isEmpty)
  if (empty.length > 0) await noteNext(pool, empty)
  const full = seen.filter(({ attempts }) => attempts === 0).map(({ id }) => id)
  if (seen.length < RECEIVERS_AT_ONCE || full.length === 0) return 0
  await postpone(pool, full)
  return full.length
}
