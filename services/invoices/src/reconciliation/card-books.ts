import type { Transaction, WholeInvoice } from '../invoice/invoice'

/**
 * The orders service's book of a charge. Cents; `changedAt` in epoch milliseconds. `isHeld`: an authorization that is
 * neither captured nor voided. `isPending`: a part of it has no outcome yet.
 */
export type ChargeBook = {
  captured: number
  refunded: number
  isHeld: boolean
  isPending: boolean
  changedAt: number
}

/**
 * The differences between a card payment that is over and its charge; empty when they agree. `book` undefined: no
 * charge. A payment that succeeded was captured whole, and its invoice shows the refunds. A failed one left no money.
 */
export function differencesOfCard(
  { paidAmount, refundedAmount }: Pick<WholeInvoice, 'paidAmount' | 'refundedAmount'>,
  { status, amount }: Pick<Transaction, 'status' | 'amount'>,
  book: ChargeBook | undefined,
): string[] {
  const { captured, refunded, isHeld } = book ?? { captured: 0, refunded: 0, isHeld: false }
  const held = isHeld ? ['held'] : []
  if (status !== 'SUCCEEDED') return [...(captured <= refunded ? [] : ['captured']), ...held]
  // The invoice knows nothing of a fee that the payer bore.
  const shown = Math.min(refunded, paidAmount)
  return [
    ...(captured === amount ? [] : ['captured']),
    ...(shown === refundedAmount ? [] : ['refunded']),
    ...held,
  ]
}

/** Whether the paid amount of an invoice is the sum of its payments. */
export function addsUp({ paidAmount, transactions }: WholeInvoice): boolean {
  const succeeded = transactions.filter(({ status }) => status === 'SUCCEEDED')
  return succeeded.reduce((sum, { payable }) => sum + payable, 0) === paidAmount
}
