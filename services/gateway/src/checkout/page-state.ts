import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import {
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
  type Invoice,
  type InvoiceTransaction,
} from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'

/**
 * The state of an invoice for its payer. `CONFIRMING`: a payment awaits its answer. `BOLETO_REQUESTED`: the bank has
 * not answered. `BOLETO_OPEN`: the boleto can be paid, and the invoice can be paid by card.
 */
export type PageState =
  'PAYABLE' | 'CONFIRMING' | 'BOLETO_REQUESTED' | 'BOLETO_OPEN' | 'PAID' | 'VOID' | 'EXPIRED'

/** `at`: epoch milliseconds. */
export function stateOf({ invoice, boleto }: PaymentPage, at: number): PageState {
  if (invoice?.status === InvoiceStatus.PAID) return 'PAID'
  if (invoice?.status === InvoiceStatus.CANCELLED) return 'VOID'
  const isConfirming = latestCardTry(invoice)?.status === InvoiceTransactionStatus.PENDING
  if (isConfirming || boleto?.status === BoletoStatus.PAID) return 'CONFIRMING'
  if (invoice?.paymentLimitDate !== undefined && at > invoice.paymentLimitDate) return 'EXPIRED'
  if (boleto?.status === BoletoStatus.PENDING) return 'BOLETO_REQUESTED'
  return boleto?.status === BoletoStatus.REGISTERED ? 'BOLETO_OPEN' : 'PAYABLE'
}

/** True when the page waits for an answer from a bank. */
export function isWaiting(state: PageState): boolean {
  return state === 'CONFIRMING' || state === 'BOLETO_REQUESTED' || state === 'BOLETO_OPEN'
}

/** True when a payment may begin. */
export function isPayable(state: PageState): boolean {
  return state === 'PAYABLE' || state === 'BOLETO_REQUESTED' || state === 'BOLETO_OPEN'
}

/** True when a payment may begin and there is an amount to pay. */
export function canBePaid(page: PaymentPage, at: number): boolean {
  return isPayable(stateOf(page, at)) && (page.invoice?.payableAmount ?? 0) > 0
}

export function latestCardTry(invoice: Invoice | undefined): InvoiceTransaction | undefined {
  return invoice?.charge?.transactions.findLast(({ type }) => type === PaymentMethod.CREDIT_CARD)
}
