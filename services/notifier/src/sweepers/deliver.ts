import type { Pool } from '@cofre/platform/postgres/postgres'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import { payForShares } from '../receivers/limited-shares'
import { claimDue, oldestDueAge } from '../deliveries/claim-store'
import type { Deps } from '../deps'
import type { HandedOn } from '../deliveries/verdict-store'
import { findDueReceivers, noteNext, postpone, type DueReceiver } from '../receivers/receiver-store'
import { openBacklog, type Backlog } from './backlog'
import { openRunningAttempts, type RunningAttempts } from './running-attempts'

const POLL_MS = 200
const RECEIVERS_AT_ONCE = 100

type Seen = DueReceiver & { attempts: number; taken: number }

/** A receiver by its name, before it is stored. */
type Named = { sellerId: number; host: string; name: string }

export type Deliverer = Loop &
  Pick<RunningAttempts, 'release' | 'begin' | 'send' | 'endAhead' | 'tellOf' | 'giveUp'> & {
    /** Looks at once, and also at these receivers, even if nothing is noted as due there. */
    wakeFor(receiverIds: readonly number[]): void
    /** A lease for a first attempt, to be begun or released; undefined when the attempt must wait for others. */
    admit(receiver: Named): string | undefined
    /** The same for a delivery sent before it is stored. Half of a receiver's slots stay free for waiting ones. */
    admitAhead(receiver: Named): string | undefined
    /** Whether a receiver answered its last attempt at once. */
    isPrompt(receiver: Named): boolean
  }

/** Attempts due deliveries until stopped, many at once; stopping lets running attempts finish. Any number may run. */
export function startDeliverer(deps: Deps): Deliverer {
  const { log, pool } = deps
  const backlog = openBacklog()
  const woken = new Set<number>()
  const wakeFor = (receiverIds: readonly number[]) => {
    for (const id of receiverIds) woken.add(id)
    loop.wake()
  }
  const attempts = openRunningAttempts(deps, (receiverId: number, handedOn: HandedOn | undefined) => {
    if (backlog.has(receiverId) || handedOn?.nextInMs === 0) wakeFor([receiverId])
  })
  let isOffering = false
  const look = async () => {
    if (attempts.limiter.isFull()) return 0
    const asked = [...woken]
    woken.clear()
    try {
      return await lookAt(asked)
    } catch (error) {
      for (const id of asked) woken.add(id)
      throw error
    }
  }
  const lookAt = async (asked: readonly number[]) => {
    const due = await findDueReceivers(pool, asked, RECEIVERS_AT_ONCE)
    isOffering = due.length > 0
    const found = new Set(due.map(({ id }) => id))
    // Receivers that were not found were closed or disabled meanwhile.
    for (const id of asked) if (!found.has(id)) backlog.remove(id)
    const seen = await takeDue(deps, attempts, due).finally(() => (isOffering = false))
    const taken = seen.reduce((sum, each) => sum + each.taken, 0)
    return taken + (await noteSeen(pool, backlog, seen))
  }
  observe('lanes_oldest_due_age_seconds', 'How long the oldest due delivery has waited.', () =>
    oldestDueAge(pool),
  )
  const loop = repeat(look, POLL_MS, (err) => log.warn({ err }, 'deliverer will try again'))
  const stop = async () => {
    await loop.stop()
    await attempts.allEnded()
  }
  // While due receivers are being offered slots, first attempts get none: no slot is given twice.
  const admit = (receiver: Named, isFree: boolean) =>
    isOffering || !isFree ? undefined : attempts.admit(receiver)
  const { limiter, at: _at, allEnded: _allEnded, ...ofAttempts } = attempts
  return {
    ...ofAttempts,
    stop,
    wake: loop.wake,
    wakeFor,
    // Deliveries that wait there already go first.
    admit: (receiver) => admit(receiver, !backlog.isNamed(receiver)),
    admitAhead: (receiver) => admit(receiver, !backlog.isNamed(receiver) || limiter.isHalfFree(receiver)),
    isPrompt: limiter.isPrompt,
  }
}

/** Begins the due deliveries of these receivers that find a slot. */
async function takeDue(
  { pool, delivery }: Deps,
  attempts: RunningAttempts,
  due: DueReceiver[],
): Promise<Seen[]> {
  // Endpoints of one host share its slots: an endpoint with fewer attempts goes first, however long others have waited.
  due.sort((one, other) => attempts.at(one.id) - attempts.at(other.id))
  const offers = attempts.limiter.offer(due)
  const offered = due.map(({ id }, at) => ({ receiverId: id, attempts: 0, retries: 0, ...offers[at] }))
  const { shares, giveBackUnused } = await payForShares(pool, due, offered)
  const seen = new Map<number, Seen>()
  for (const [at, each] of due.entries())
    seen.set(each.id, { ...each, attempts: shares[at]?.attempts ?? 0, taken: 0 })
  try {
    const wanted = shares.filter((share) => share.attempts > 0)
    for (const each of await claimDue(pool, wanted, delivery.leaseMs)) {
      const receiver = seen.get(each.receiverId)
      if (!receiver) continue
      receiver.taken += 1
      attempts.limiter.begin(receiver, each.retried)
      attempts.begin(each, receiver)
    }
  } finally {
    // Attempts that were paid for and not claimed are given back, even if the claim failed.
    await giveBackUnused(seen)
  }
  return [...seen.values()]
}

/** Notes which receivers lacked slots, and when the others are next due. Returns how many make way for others. */
async function noteSeen(pool: Pool, backlog: Backlog, seen: readonly Seen[]): Promise<number> {
  const isEmpty = ({ attempts, taken }: Seen) => taken < attempts
  for (const each of seen) {
    if (isEmpty(each)) backlog.remove(each.id)
    else backlog.add(each)
  }
  const empty = seen.filter(isEmpty)
  if (empty.length > 0) await noteNext(pool, empty)
  const full = seen.filter(({ attempts }) => attempts === 0).map(({ id }) => id)
  if (seen.length < RECEIVERS_AT_ONCE || full.length === 0) return 0
  await postpone(pool, full)
  return full.length
}
