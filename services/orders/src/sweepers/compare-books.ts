import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Account } from '../acquirer/acquirer'
import type { Charge } from '../charge/charge'
import { readCharge, type ChargeKey } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { compareWithAcquirer, type Compared } from '../reconciliation/acquirer-book'
import { leaseComparisons, setNextComparison } from '../reconciliation/comparison-store'
import { findPayment } from './find-payment'

/** How many charges are compared at once. */
const BATCH_SIZE = 5
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The acquirer answers about a payment for three months: the shortest three have 89 days. */
const TOLD_MS = 89 * DAY_MS

/**
 * Compares charges that have not changed for a day with the acquirer's state of their payments, a few at a time. Each
 * is compared once after its last change. A difference is logged as a violation, once a day while it lasts. Moves no
 * money. Returns how many were compared.
 */
export async function compareBooks(deps: Deps): Promise<number> {
  const at = Date.now()
  const keys = await leaseComparisons(deps.pool, {
    at,
    again: at + HOUR_MS,
    everyMs: (BATCH_SIZE * MINUTE_MS) / deps.rules.comparedPerMinute,
    batch: BATCH_SIZE,
  })
  await Promise.all(keys.map((key) => compareInCall(deps, key)))
  return keys.length
}

async function compareInCall(deps: Deps, key: ChargeKey): Promise<void> {
  await runCall(newCall({ timeoutMs: 2 * deps.rules.acquirerTimeoutMs }), async () => {
    try {
      const { charge, account } = await readCharge(deps.pool, key)
      await setNextComparison(deps.pool, charge, await compare(deps, account, charge))
    } catch (err) {
      // One charge that can't be compared must not keep the others waiting; it is compared later.
      deps.log.error({ chargeId: key.id, err }, 'charge not compared')
    }
  })
}

/** When to compare the charge next, in epoch milliseconds; null: not before it changes. */
async function compare(deps: Deps, account: Account, charge: Charge): Promise<number | null> {
  const at = Date.now()
  const agedAt = charge.updatedAt + DAY_MS
  if (agedAt > at) return agedAt
  if (charge.createdAt + TOLD_MS < at) return null
  // The wait doubles each time: a charge without an answer must not take the turns of the others.
  const later = at + Math.max(HOUR_MS, at - agedAt)
  // The settler asks about it, and logs a state that it can't explain.
  if (charge.askAt !== null) return later
  const payments = charge.payments.filter(({ amount }) => amount > 0)
  const compared = await Promise.all(
    payments.map(async (payment) => {
      const found = await findPayment(deps, account, payment, charge)
      return [payment.position, compareWithAcquirer(payment, found)] as const
    }),
  )
  const differing = compared.filter(([, each]) => each !== undefined && each.differences.length > 0)
  // A change made meanwhile is in only one of the books.
  if (differing.length > 0 && (await hasChanged(deps, charge))) return later
  for (const [position, each] of differing) tell(deps, charge, position, each)
  if (differing.length > 0) return at + DAY_MS
  return compared.every(([, each]) => each !== undefined) ? null : later
}

async function hasChanged({ pool }: Deps, { sellerId, id, version }: Charge): Promise<boolean> {
  const { charge } = await readCharge(pool, { sellerId, id })
  return charge.version !== version
}

function tell(deps: Deps, { id, sellerId }: Charge, position: number, compared: Compared | undefined): void {
  tellViolation(deps.log, 'acquirer-book-agrees', { chargeId: id, sellerId, position, ...compared })
}
