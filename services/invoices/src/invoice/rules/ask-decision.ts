import { stillHolds, withdraw, type RegisteredAsk } from '../../methods/rules/registered-ask'
import type { WholeInvoice } from './invoice'
import { beginPaying, canBePaid, isBeingPaid, paymentPending } from './transition'

/** `open`: the invoice keeps this ask. Otherwise it gets a new one, and `old` is withdrawn. */
export type OpenOrNew<A> = { open: A } | { payable: WholeInvoice; old: A | undefined }

/**
 * Decides at a moment (epoch milliseconds) whether an invoice keeps its open ask or gets a new one. FAILED_PRECONDITION
 * PAYMENT_PENDING, INVALID_INVOICE_STATE.
 */
export function decideAsk<A extends RegisteredAsk>(
  invoice: WholeInvoice,
  open: A | undefined,
  at: number,
): OpenOrNew<A> {
  const isPayable = invoice.status === 'OPEN' || canBePaid(invoice)
  if (open && isPayable && stillHolds(open, at)) return { open }
  if (isBeingPaid(invoice)) throw paymentPending()
  const payable = beginPaying(invoice, at)?.invoice ?? invoice
  return { payable, old: open && withdraw(open, at) }
}
