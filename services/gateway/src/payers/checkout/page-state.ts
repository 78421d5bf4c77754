import {
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
  type Invoice,
  type InvoiceTransaction,
} from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { asksOf } from '../methods/methods'

/**
 * The state of an invoice for its payer. `CONFIRMING`: a payment awaits its answer. `ASK_REQUESTED`: the bank
 * has not answered a request for an ask, such as a boleto. `ASK_OPEN`: the ask can be paid, and so can the invoice, by
 * another method.
 */
export type PageState = 'PAYABLE' | 'CONFIRMING' | 'ASK_REQUESTED' | 'ASK_OPEN' | 'PAID' | 'VOID' | 'EXPIRED'

export function stateOf(page: PaymentPage): PageState {
  const { invoice } = page
  if (invoice?.status === InvoiceStatus.PAID) return 'PAID'
  if (invoice?.status === InvoiceStatus.CANCELLED) return 'VOID'
  const isConfirming = latestCardTry(invoice)?.status === InvoiceTransactionStatus.PENDING
  const asks = asksOf(page).map(({ status }) => status)
  // An ask that brought a part of the amount is PAID, and the rest can be paid.
  const isArriving = asks.includes('PAID') && (invoice?.paidAmount ?? 0) === 0
  if (isConfirming || isArriving) return 'CONFIRMING'
  if (page.windowClosed) return 'EXPIRED'
  if (asks.includes('REQUESTED')) return 'ASK_REQUESTED'
  return asks.includes('OPEN') ? 'ASK_OPEN' : 'PAYABLE'
}

/** True when the page waits for an answer from a bank. */
export function isWaiting(state: PageState): boolean {
  return state === 'CONFIRMING' || state === 'ASK_REQUESTED' || state === 'ASK_OPEN'
}

/** True when a payment may begin. */
export function isPayable(state: PageState): boolean {
  return state === 'PAYABLE' || state === 'ASK_REQUESTED' || state === 'ASK_OPEN'
}

/** True when a payment may begin and there is an amount to pay. */
export function canBePaid(page: PaymentPage): boolean {
  return isPayable(stateOf(page)) && (page.invoice?.payableAmount ?? 0) > 0
}

export function latestCardTry(invoice: Invoice | undefined): InvoiceTransaction | undefined {
  return invoice?.charge?.transactions.findLast(({ type }) => type === PaymentMethod.CREDIT_CARD)
}
