import { randomUUID } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Account } from '../acquirer/acquirer'
import type { Charge } from '../charge/charge'
import { readCharge, saveCharge, type ChargeKey, type StoredCharge } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { accountsOf } from '../dispute-store/account-store'
import { askAccount } from '../disputes/ask-account'
import { lookAtPix } from '../pix/look-at-pix'
import { compareWithAcquirer, type Compared } from '../reconciliation/acquirer-book'
import { adoptReturned } from '../reconciliation/adopt'
import { leaseComparisons, setNextComparison } from '../reconciliation/comparison-store'
import { DAY_MS, HOUR_MS, nextLook, paceOf } from '../reconciliation/schedule'
import { workOnCharge } from './charge-in-call'
import { findPayment } from './find-payment'

/**
 * Compares charges that are due with the acquirer's state of their payments, a few at a time. What was given back there
 * is adopted. Any other difference is logged as a violation, once a day while it lasts. Moves no money. Returns how many
 * were compared.
 */
export async function compareBooks(deps: Deps): Promise<number> {
  const at = databaseNow()
  const pace = paceOf(deps.rules.comparedPerMinute)
  const keys = await leaseComparisons(deps.pool, { at, again: at + HOUR_MS, ...pace })
  await Promise.all(
    keys.map((key) => workOnCharge(deps, key, 'charge not compared', () => compareCharge(deps, key))),
  )
  return keys.length
}

async function compareCharge(deps: Deps, key: ChargeKey): Promise<void> {
  const stored = await readCharge(deps.pool, key)
  await setNextComparison(deps.pool, stored.charge, await compare(deps, stored))
}

/** When to compare the charge next, in epoch milliseconds; null: not before it changes. */
async function compare(deps: Deps, stored: StoredCharge): Promise<number | null> {
  const { charge, account } = stored
  const at = databaseNow()
  const agedAt = charge.updatedAt + DAY_MS
  if (agedAt > at) return agedAt
  if (charge.acquirer === 'pix') return comparePix(deps, stored, at)
  const { answeredForDays } = deps.acquirers[charge.acquirer].capabilities
  const isForgotten = charge.createdAt + answeredForDays * DAY_MS < at
  // Of money that is still taken, the acquirer may know more than it promises.
  if (isForgotten && charge.capturedAmount === charge.refundedAmount) return null
  // The wait doubles each time: a charge without an answer must not take the turns of the others.
  const later = at + Math.max(HOUR_MS, at - agedAt)
  // The resolver asks about it, and logs a state that it can't explain.
  if (charge.askAt !== null) return later
  const compared = await compareAll(deps, account, charge)
  if (isForgotten && [...compared.values()].some((each) => each?.theirs === undefined)) {
    deps.log.info({ chargeId: charge.id }, 'charge too old for its acquirer: nothing is proven')
    return nextLook(charge, at)
  }
  const differing = [...compared].filter(([, each]) => each !== undefined && each.differences.length > 0)
  // A change made meanwhile is in only one of the books.
  if (differing.length > 0 && !(await settle(deps, { charge, account, askedAt: at }, differing))) return later
  if (differing.length > 0) return at + DAY_MS
  return [...compared.values()].every((each) => each !== undefined) ? nextLook(charge, at) : later
}

/** The look at a Pix charge compares the books, and finds money that came after its end. */
async function comparePix(deps: Deps, stored: StoredCharge, at: number): Promise<number | null> {
  const isAnswered = stored.charge.askAt === null && (await lookAtPix(deps, stored))
  return isAnswered ? nextLook(stored.charge, at) : at + HOUR_MS
}

type Differing = readonly (readonly [position: number, compared: Compared | undefined])[]

async function compareAll(deps: Deps, account: Account, charge: Charge) {
  const payments = charge.payments.filter(({ amount }) => amount > 0)
  const entries = payments.map(async (payment) => {
    const found = await findPayment(deps, account, payment, charge)
    return [payment.position, compareWithAcquirer(payment, found)] as const
  })
  return new Map(await Promise.all(entries))
}

/** Adopts what was given back, and logs the other differences. False when the charge has changed meanwhile. */
async function settle(
  deps: Deps,
  { charge, account, askedAt }: { charge: Charge; account: Account; askedAt: number },
  differing: Differing,
): Promise<boolean> {
  const returned = new Map(
    differing.flatMap(([position, each]) => (each?.returned ? [[position, each.returned] as const] : [])),
  )
  // It may be a dispute that is not known yet: with it the charge changes, and is compared again.
  if (returned.size > 0 && !(await knowsDisputes(deps, account, askedAt))) return false
  const adopted = adoptReturned(charge, returned, { operationId: randomUUID(), at: databaseNow() })
  if (adopted ? !(await saveCharge(deps.pool, adopted)) : await hasChanged(deps, charge)) return false
  const { id: chargeId, sellerId } = charge
  for (const [position, each] of differing) {
    const facts = { chargeId, sellerId, position, ...each }
    if (adopted && each?.returned) deps.log.warn(facts, 'given back at the acquirer')
    else tellViolation(deps.log, 'acquirer-book-agrees', facts)
  }
  return true
}

/** True once all disputes of the account were read after a moment. */
async function knowsDisputes(deps: Deps, account: Account, since: number): Promise<boolean> {
  for (const one of await accountsOf(deps.pool, account)) {
    if (one.askedAt < since && !(await askAccount(deps, one))) return false
  }
  return true
}

async function hasChanged({ pool }: Deps, { sellerId, id, version }: Charge): Promise<boolean> {
  const { charge } = await readCharge(pool, { sellerId, id })
  return charge.version !== version
}
