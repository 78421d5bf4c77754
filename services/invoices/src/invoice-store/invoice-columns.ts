import { assigned, changing, changingTime, fixed, fixedTime, table } from '@cofre/platform/postgres/columns'
import type { AutomaticCharge, Invoice, InvoiceCharge, Item, Transaction } from '../invoice/invoice'

/** The one place that names the columns of an invoice; the statements of its stores are made from it. */
export const INVOICES = table<Invoice>({
  id: assigned,
  sellerId: fixed,
  publicId: fixed,
  status: changing,
  invoiceNumber: fixed,
  customer: { prefix: 'customer_', fields: { id: fixed, name: fixed, document: fixed, email: fixed } },
  dueDate: fixedTime,
  lateOn: fixed,
  closeDate: changingTime,
  paymentDate: changingTime,
  paymentLimitDate: fixedTime,
  pastDueTold: changing,
  amount: fixed,
  paidAmount: changing,
  refundedAmount: changing,
  acceptedMethods: fixed,
  splits: fixed,
  fine: fixed,
  interest: fixed,
  notificationUrl: fixed,
  successUrl: fixed,
  recurringInvoiceId: fixed,
  cycle: fixed,
  sequence: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export const ITEMS = table<Item>({
  id: fixed,
  productId: fixed,
  description: fixed,
  quantity: fixed,
  unitPrice: fixed,
})

export const CHARGES = table<InvoiceCharge>({
  id: assigned,
  sellerId: fixed,
  invoiceId: fixed,
  status: changing,
  amount: fixed,
  method: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export const TRANSACTIONS = table<Transaction>({
  id: assigned,
  sellerId: fixed,
  invoiceId: fixed,
  chargeId: fixed,
  type: fixed,
  status: changing,
  amount: fixed,
  payable: fixed,
  orderChargeId: changing,
  decline: changing,
  failure: changing,
  authentication: changing,
  operationId: fixed,
  dispatchDeadline: fixedTime,
  cardId: fixed,
  cardBrand: fixed,
  keepCardId: changing,
  keepCardIsOurs: changing,
  giveBack: changing,
  askAt: changingTime,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export const AUTOMATIC_CHARGES = table<AutomaticCharge>({
  status: changing,
  attempts: changing,
  nextAttemptAt: changingTime,
  reason: changing,
})
