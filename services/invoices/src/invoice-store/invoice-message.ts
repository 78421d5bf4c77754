import { TOPICS } from '@cofre/api/events'
import type { InvoiceEventType } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { InvoiceEvent } from '@cofre/proto/invoices/v1/events'
import {
  AutomaticChargeStatus,
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
  type AcceptedMethod as MethodMessage,
  type AutomaticCharge as AutomaticChargeMessage,
  type Invoice as Message,
  type InvoiceCharge as ChargeMessage,
  type InvoiceItem,
  type InvoiceTransaction,
  type Split as SplitMessage,
} from '@cofre/proto/invoices/v1/invoices'
import { DeclineAdvice, type Decline as DeclineMessage } from '@cofre/proto/orders/v1/orders'
import type {
  AcceptedMethod,
  AutomaticCharge,
  Decline,
  Invoice,
  InvoiceCharge,
  Item,
  Split,
  Transaction,
  WholeInvoice,
} from '../invoice/invoice'
import { FAILURE_WORDS } from '../invoice/failure'
import { lateChargesOf } from '../invoice/late-charges'
import { isPastDue } from '../invoice/lateness'
import { warningsOf } from '../invoice/warnings'

/** The methods that an absent list stands for. */
export const ALL_METHODS: readonly AcceptedMethod[] = [
  { method: 'CREDIT_CARD', maxInstallments: null, feePassThrough: false },
  { method: 'BOLETO', daysAfterDueDate: null, instructions: [] },
]

/** An invoice with all that belongs to it, as it is at a moment (epoch milliseconds). */
export function toMessage(invoice: WholeInvoice, at: number): Message {
  const { items, charge, transactions, automaticCharge } = invoice
  return {
    ...toEntry(invoice, at),
    items: items.map(itemMessage),
    charge: charge ? chargeMessage(charge, transactions) : undefined,
    automaticCharge: automaticCharge ? automaticMessage(automaticCharge) : undefined,
  }
}

/** An invoice as an entry of a list: without items and charge. */
export function toEntry(invoice: Invoice, at: number): Message {
  const { customer, fine, interest } = invoice
  return {
    id: invoice.id,
    sellerId: invoice.sellerId,
    status: InvoiceStatus[invoice.status],
    invoiceNumber: invoice.invoiceNumber,
    customer: { ...customer, email: customer.email ?? '' },
    dueDate: invoice.dueDate,
    closeDate: invoice.closeDate ?? undefined,
    paymentDate: invoice.paymentDate ?? undefined,
    paymentLimitDate: invoice.paymentLimitDate ?? undefined,
    pastDue: isPastDue(invoice, at),
    amount: invoice.amount,
    ...lateChargesOf(invoice, at),
    paidAmount: invoice.paidAmount,
    refundedAmount: invoice.refundedAmount,
    acceptedMethods: (invoice.acceptedMethods ?? ALL_METHODS).map(methodMessage),
    splits: invoice.splits.map(splitMessage),
    fine: fine ? given(fine) : undefined,
    interest: interest ? given(interest) : undefined,
    notificationUrl: invoice.notificationUrl ?? '',
    successUrl: invoice.successUrl ?? '',
    publicId: invoice.publicId,
    warnings: warningsOf(invoice),
    items: [],
    charge: undefined,
    automaticCharge: undefined,
    recurringInvoiceId: invoice.recurringInvoiceId ?? undefined,
    cycle: invoice.cycle ?? undefined,
    createdAt: invoice.createdAt,
    updatedAt: invoice.updatedAt,
  }
}

/** A message leaves out each field that is null here. */
type Given<T> = { [Field in keyof T]: null extends T[Field] ? Exclude<T[Field], null> | undefined : T[Field] }

export function given<T extends object>(value: T): Given<T> {
  const entries = Object.entries(value).map(([name, held]) => [name, held ?? undefined])
  return Object.fromEntries(entries) as Given<T>
}

export function methodMessage(accepted: AcceptedMethod): MethodMessage {
  const method = PaymentMethod[accepted.method]
  if (accepted.method === 'CREDIT_CARD') {
    const { maxInstallments, feePassThrough, threeDSecure = false } = accepted
    const cardSettings = { maxInstallments: maxInstallments ?? undefined, feePassThrough, threeDSecure }
    return { method, cardSettings, boletoSettings: undefined }
  }
  const { daysAfterDueDate, instructions } = accepted
  const boletoSettings = { daysAfterDueDate: daysAfterDueDate ?? undefined, instructions: [...instructions] }
  return { method, cardSettings: undefined, boletoSettings }
}

export function splitMessage(split: Split): SplitMessage {
  return given(split)
}

function itemMessage({ unitPrice, ...item }: Item): InvoiceItem {
  return { ...item, unitPriceInCents: unitPrice, totalInCents: unitPrice * item.quantity }
}

/** A charge with the attempts to pay its invoice, the oldest first. */
export function chargeMessage(
  { status, method, ...charge }: InvoiceCharge,
  transactions: readonly Transaction[],
): ChargeMessage {
  return {
    ...charge,
    status: InvoiceChargeStatus[status],
    method: method ? PaymentMethod[method] : PaymentMethod.UNSPECIFIED,
    transactions: transactions.filter(({ chargeId }) => chargeId === charge.id).map(transactionMessage),
  }
}

function transactionMessage({
  id,
  type,
  status,
  amount,
  createdAt,
  ...more
}: Transaction): InvoiceTransaction {
  return {
    id,
    type: PaymentMethod[type],
    status: InvoiceTransactionStatus[status],
    amount,
    chargeId: more.orderChargeId ?? 0,
    decline: more.decline ? declineMessage(more.decline) : undefined,
    failure: more.failure ? { code: more.failure, message: FAILURE_WORDS[more.failure] } : undefined,
    authentication: more.authentication ?? undefined,
    createdAt,
  }
}

function automaticMessage({
  status,
  attempts,
  nextAttemptAt,
  reason,
}: AutomaticCharge): AutomaticChargeMessage {
  return {
    status: AutomaticChargeStatus[status],
    attempts,
    nextAttemptAt: nextAttemptAt ?? undefined,
    reason: reason ?? '',
  }
}

function declineMessage({ advice, ...decline }: Decline): DeclineMessage {
  const { adviceCode = '' } = decline
  return { ...decline, adviceCode, advice: DeclineAdvice[advice as keyof typeof DeclineAdvice] }
}

/** The event that reports a change to sellers. The change took place at `updatedAt`. */
export function eventOf(invoice: WholeInvoice, event: InvoiceEventType): DomainEvent {
  const { id, sellerId, sequence, updatedAt: occurredAt } = invoice
  const value = InvoiceEvent.toJSON({ invoice: toMessage(invoice, occurredAt), sequence, occurredAt })
  return { topic: TOPICS.invoices, key: String(id), type: event, sellerId, value }
}
