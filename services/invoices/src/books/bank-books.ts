import type { BankAsk } from '../methods/bank-answer'
import type { BankReceipt } from '../methods/ask'
import { BANK_DISAGREES, type RegisteredAsk } from '../methods/rules/registered-ask'
import { DAY_MS } from './schedule'

/** By then every check of an ask, and every notice of the bank, is over: money that we do not know was lost to us. */
const KNOWN_BY_MS = 4 * DAY_MS

/** The differences between the bank's receipts of an ask and ours; empty when they agree. `at`: epoch milliseconds. */
export function differencesOfBank(
  ask: Pick<RegisteredAsk, 'status' | 'withdrawing' | 'refusal'>,
  kept: readonly BankReceipt[],
  { receipts, cancelled }: Pick<BankAsk, 'receipts' | 'cancelled'>,
  at: number,
): string[] {
  const ours = new Map(kept.map(({ bankId, amount }) => [bankId, amount]))
  const theirs = new Map(receipts.map(({ bankId, amount }) => [bankId, amount]))
  const unknown = receipts.filter(({ bankId }) => !ours.has(bankId))
  const isOther = receipts.some(({ bankId, amount }) => ours.has(bankId) && ours.get(bankId) !== amount)
  const isPayable = !cancelled && receipts.length === 0 && isOver(ask)
  return [
    ...(unknown.some(({ paidAt }) => paidAt + KNOWN_BY_MS < at) ? ['money that we did not know'] : []),
    ...(kept.some(({ bankId }) => !theirs.has(bankId)) ? ['money that the bank does not know'] : []),
    ...(isOther ? ['another amount'] : []),
    ...(isPayable ? ['it can still be paid'] : []),
  ]
}

/** The differences of an ask that the bank does not know: it may forget one that nobody paid. */
export function differencesOfAbsent(kept: readonly BankReceipt[]): string[] {
  return kept.length > 0 ? ['money that the bank does not know'] : []
}

/** True when the bank must accept no payment of the ask: it was refused, or withdrawn there. */
function isOver({
  status,
  withdrawing,
  refusal,
}: Pick<RegisteredAsk, 'status' | 'withdrawing' | 'refusal'>): boolean {
  if (status === 'REFUSED') return refusal !== BANK_DISAGREES
  return status === 'CANCELLED' && !withdrawing
}
