import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import { claimDue, oldestDueAge, type Claimed } from '../deliveries/claim-store'
import type { Deps } from '../deps'
import { findDueReceivers, noteNext, postpone, type DueReceiver } from '../receivers/receiver-store'
import { attempt } from './attempt'

const POLL_MS = 200
/** A receiver that is slow must not take all the room of a process. */
const PER_HOST = 8
const RECEIVERS_AT_ONCE = 100
/** A receiver without room makes way for so long when others may stand behind it. */
const POSTPONED_MS = 250

/** Attempts due deliveries until stopped, many at once; stopping lets those that run finish. Any number may run. */
export function startDeliverer(deps: Deps): Loop {
  const { log, pool, delivery } = deps
  const running = new Set<Promise<unknown>>()
  const runningTo = new Map<string, number>()
  const woken = new Set<number>()
  const count = (host: string, change: number) => runningTo.set(host, (runningTo.get(host) ?? 0) + change)
  const start = (claimed: Claimed, host: string) => {
    count(host, 1)
    const work = attempt(deps, claimed)
      .catch((err: unknown) => log.error({ err, deliveryId: claimed.delivery.id }, 'attempt not written'))
      .finally(() => {
        running.delete(work)
        if (count(host, -1).get(host) === 0) runningTo.delete(host)
        woken.add(claimed.receiverId)
        loop.wake()
      })
    running.add(work)
  }
  const roomsFor = (due: readonly DueReceiver[]) => {
    const given = new Map(runningTo)
    let free = delivery.concurrency - running.size
    return due.map(({ id, host }) => {
      const attempts = Math.max(0, Math.min(free, PER_HOST - (given.get(host) ?? 0)))
      given.set(host, (given.get(host) ?? 0) + attempts)
      free -= attempts
      return { receiverId: id, attempts, retries: attempts }
    })
  }
  const look = async () => {
    if (delivery.concurrency <= running.size) return 0
    const asked = [...woken]
    woken.clear()
    const due = await findDueReceivers(pool, asked, RECEIVERS_AT_ONCE)
    const rooms = roomsFor(due)
    const claimed = await claimDue(
      pool,
      rooms.filter(({ attempts }) => attempts > 0),
      delivery.leaseMs,
    )
    const hostOf = new Map(due.map(({ id, host }) => [id, host]))
    for (const each of claimed) start(each, hostOf.get(each.receiverId) ?? '')
    const taken = (id: number) => claimed.filter(({ receiverId }) => receiverId === id).length
    const empty = due.filter(({ id }, at) => taken(id) < (rooms[at]?.attempts ?? 0))
    if (empty.length > 0) await noteNext(pool, empty)
    const full = rooms.filter(({ attempts }) => attempts === 0).map(({ receiverId }) => receiverId)
    if (due.length >= RECEIVERS_AT_ONCE && full.length > 0) await postpone(pool, full, POSTPONED_MS)
    return claimed.length
  }
  observe('lanes_oldest_due_age_seconds', 'How long the oldest delivery that is due has been due.', () =>
    oldestDueAge(pool),
  )
  const loop = repeat(look, POLL_MS, (err) => log.warn({ err }, 'deliverer will try again'))
  const stop = async () => {
    await loop.stop()
    await Promise.all(running)
  }
  return { stop, wake: loop.wake }
}
