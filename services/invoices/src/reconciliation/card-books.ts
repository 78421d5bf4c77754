import type { Transaction, WholeInvoice } from '../invoice/invoice'

/**
 * What the orders service has of a charge. Cents; `changedAt` in epoch milliseconds. `isHeld`: an authorization that is
 * neither taken nor released. `isPending`: something of it has no outcome yet.
 */
export type ChargeBook = {
  captured: number
  refunded: number
  isHeld: boolean
  isPending: boolean
  changedAt: number
}

/**
 * In what a card payment that is over and its charge differ; empty: they agree. `book` undefined: there is no charge. A
 * payment that succeeded was captured whole, and its invoice shows what was given back. Of one that failed nothing stayed.
 */
export function differencesOfCard(
  { paidAmount, refundedAmount }: Pick<WholeInvoice, 'paidAmount' | 'refundedAmount'>,
  { status, amount }: Pick<Transaction, 'status' | 'amount'>,
  book: ChargeBook | undefined,
): string[] {
  const { captured, refunded, isHeld } = book ?? { captured: 0, refunded: 0, isHeld: false }
  const held = isHeld ? ['held'] : []
  if (status !== 'SUCCEEDED') return [...(captured <= refunded ? [] : ['captured']), ...held]
  // Of a fee that the payer bore, the invoice knows nothing.
  const shown = Math.min(refunded, paidAmount)
  return [
    ...(captured === amount ? [] : ['captured']),
    ...(shown === refundedAmount ? [] : ['refunded']),
    ...held,
  ]
}

/** What an invoice has is what its payments brought. */
export function addsUp({ paidAmount, transactions }: WholeInvoice): boolean {
  const succeeded = transactions.filter(({ status }) => status === 'SUCCEEDED')
  return succeeded.reduce((sum, { payable }) => sum + payable, 0) === paidAmount
}
