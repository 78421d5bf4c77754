import { DomainError, notFound } from '@cofre/platform/errors'
import {
  AutomaticChargeStatus,
  InvoiceCharge,
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  MovementMethod,
  PaymentMethod,
  type GetInvoiceRequest,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { DeclineAdvice, type Decline } from '@cofre/proto/orders/v1/orders'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000

const DECLINE: Decline = {
  code: 'INSUFFICIENT_FUNDS',
  acquirerCode: '51',
  message: 'Insufficient funds.',
  retryable: true,
  advice: DeclineAdvice.TRY_LATER,
  adviceCode: '',
}

/** Payments of invoices in memory. An amount that ends in 99 is never resolved, one that ends in 51 is declined. */
export function createInvoicePayments(marks: Marks, invoices: Map<number, Invoice>) {
  const asked: PayByCardRequest[] = []
  const payByCard = async (request: PayByCardRequest) => {
    asked.push(request)
    const { sellerId, invoiceId } = request
    const invoice = invoices.get(invoiceId)
    if (invoice?.sellerId !== sellerId) throw notFound()
    return marks.once(sellerId, InvoiceCharge, () => {
      if (invoice.status === InvoiceStatus.PAID) throw invalidState()
      const paid = pay(invoice)
      invoices.set(invoiceId, paid.invoice)
      return paid.charge
    })
  }
  const retryAutomaticCharge = async ({ sellerId, invoiceId }: GetInvoiceRequest) => {
    const invoice = invoices.get(invoiceId)
    if (invoice?.sellerId !== sellerId) throw notFound()
    return marks.once(sellerId, InvoiceCharge, () => {
      if (invoice.automaticCharge?.status !== AutomaticChargeStatus.GIVEN_UP) throw invalidState()
      const paid = pay(invoice)
      invoices.set(invoiceId, paid.invoice)
      return paid.charge
    })
  }
  return { answers: { payByCard, retryAutomaticCharge }, asked }
}

function pay(invoice: Invoice): { invoice: Invoice; charge: InvoiceCharge } {
  const { id: invoiceId, sellerId, amount } = invoice
  const status = outcomeOf(amount)
  const isPaid = status === InvoiceTransactionStatus.SUCCEEDED
  const transaction = {
    id: 9,
    type: PaymentMethod.CREDIT_CARD,
    status,
    amount,
    chargeId: 981,
    decline: status === InvoiceTransactionStatus.FAILED ? DECLINE : undefined,
    createdAt: MADE_AT,
  }
  const charge = InvoiceCharge.fromPartial({
    id: 30 + invoiceId,
    sellerId,
    invoiceId,
    status: isPaid ? InvoiceChargeStatus.PAID : InvoiceChargeStatus.PENDING,
    method: isPaid ? MovementMethod.CREDIT_CARD : MovementMethod.UNSPECIFIED,
    amount,
    transactions: [...(invoice.charge?.transactions ?? []), transaction],
  })
  const now = isPaid ? InvoiceStatus.PAID : InvoiceStatus.CLOSED
  return { invoice: { ...invoice, status: now, charge }, charge }
}

function outcomeOf(amount: number): InvoiceTransactionStatus {
  if (amount % 100 === 99) return InvoiceTransactionStatus.PENDING
  return amount % 100 === 51 ? InvoiceTransactionStatus.FAILED : InvoiceTransactionStatus.SUCCEEDED
}

function invalidState(): DomainError {
  const members = { currentStatus: 'PAID', allowedActions: [] }
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', 'It is PAID.', { members })
}
