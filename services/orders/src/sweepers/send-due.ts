import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Account } from '../acquirer/acquirer'
import { sendTransactions } from '../acquirer/send-transactions'
import type { Charge, Transaction } from '../charge/charge'
import { withEndsNotified } from '../charge/operation-event'
import { recordOutcomes } from '../charge/operation-outcome'
import { dispatchDue } from '../charge/release'
import { saveCharge, saveOutcome } from '../charge-store/charge-store'
import { holderOf, termsFrom, type Deps } from '../deps'

/** Sends operations of a charge that may leave now: saved before they leave, and their answers after. */
export async function sendDue(
  deps: Deps,
  account: Account,
  charge: Charge,
  due: readonly Transaction[],
): Promise<void> {
  if (due.length === 0) return
  const { pauseMs } = holderOf(deps, charge.acquirer).capabilities
  const terms = termsFrom(deps, charge.acquirer, due[0]?.operationId ?? '')
  const intention = dispatchDue(charge, due, terms, pauseMs)
  // Only one sweeper may save this: two would send operations closer together than the acquirer accepts.
  if (!(await saveCharge(deps.pool, intention))) return
  const ids = new Set(due.map(({ id }) => id))
  const leaving = intention.charge.transactions.filter(({ id }) => ids.has(id))
  const outcomes = await sendTransactions(deps, account, intention.charge, leaving)
  await saveOutcome(deps.pool, intention.charge, (current) =>
    withEndsNotified(recordOutcomes(current, outcomes, databaseNow(), pauseMs)),
  )
}
