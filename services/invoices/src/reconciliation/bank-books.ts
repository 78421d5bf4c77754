import type { BankSlip } from '../bank/bank'
import { BANK_DISAGREES } from '../boleto/transition'
import type { Boleto } from '../boleto/boleto'
import type { BankReceipt } from '../receipts/receipt'
import { DAY_MS } from './schedule'

/** By then every check of a slip, and every notice of the bank, is over: money that we do not know was lost to us. */
const KNOWN_BY_MS = 4 * DAY_MS

export type BankBooks = {
  /** The differences; empty when the books agree. */
  differences: string[]
  /** Money that the bank has and we do not. It is always taken. */
  toTake: readonly BankReceipt[]
}

/** Compares the bank's receipts of a slip with ours. `at`: epoch milliseconds. */
export function compareWithBank(
  boleto: Pick<Boleto, 'status' | 'withdrawing' | 'refusal'>,
  kept: readonly BankReceipt[],
  { receipts, cancelled }: Pick<BankSlip, 'receipts' | 'cancelled'>,
  at: number,
): BankBooks {
  const ours = new Map(kept.map(({ bankId, amount }) => [bankId, amount]))
  const theirs = new Map(receipts.map(({ bankId, amount }) => [bankId, amount]))
  const toTake = receipts.filter(({ bankId }) => !ours.has(bankId))
  const isOther = receipts.some(({ bankId, amount }) => ours.has(bankId) && ours.get(bankId) !== amount)
  const isPayable = !cancelled && receipts.length === 0 && isOver(boleto)
  const differences = [
    ...(toTake.some(({ paidAt }) => paidAt + KNOWN_BY_MS < at) ? ['money that we did not know'] : []),
    ...(kept.some(({ bankId }) => !theirs.has(bankId)) ? ['money that the bank does not know'] : []),
    ...(isOther ? ['another amount'] : []),
    ...(isPayable ? ['it can still be paid'] : []),
  ]
  return { differences, toTake }
}

/** The differences of a slip that the bank does not know: it may forget one that nobody paid. */
export function differencesOfAbsent(kept: readonly BankReceipt[]): string[] {
  return kept.length > 0 ? ['money that the bank does not know'] : []
}

/** True when the bank must accept no payment of the slip: it was refused, or withdrawn there. */
function isOver({
  status,
  withdrawing,
  refusal,
}: Pick<Boleto, 'status' | 'withdrawing' | 'refusal'>): boolean {
  if (status === 'REFUSED') return refusal !== BANK_DISAGREES
  return status === 'CANCELLED' && !withdrawing
}
