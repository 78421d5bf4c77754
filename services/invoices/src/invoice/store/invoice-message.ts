import { TOPICS } from '@cofre/api/events'
import type { InvoiceEventType } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { InvoiceEvent } from '@cofre/proto/invoices/v1/events'
import {
  AutomaticChargeStatus,
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  MovementMethod,
  PaymentMethod,
  type AutomaticCharge as AutomaticChargeMessage,
  type Invoice as Message,
  type InvoiceCharge as ChargeMessage,
  type InvoiceItem,
  type InvoiceTransaction,
  type Discount as DiscountMessage,
  type Split as SplitMessage,
} from '@cofre/proto/invoices/v1/invoices'
import { DeclineAdvice, type Decline as DeclineMessage } from '@cofre/proto/orders/v1/orders'
import type {
  AutomaticCharge,
  Decline,
  Discount,
  Invoice,
  InvoiceCharge,
  Item,
  Split,
  Transaction,
  WholeInvoice,
} from '../rules/invoice'
import { methodMessage } from '../../methods/methods'
import { FAILURE_WORDS } from '../rules/failure'
import { lateChargesOf } from '../rules/late-charges'
import { isPastDue } from '../rules/lateness'
import { warningsOf } from '../rules/warnings'

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
    balanceAmount: invoice.status === 'CANCELLED' ? 0 : invoice.open.principal,
    writtenOffAmount: invoice.writtenOffAmount,
    partialPayments: invoice.partialPayments,
    paidAmount: invoice.paidAmount,
    refundedAmount: invoice.refundedAmount,
    disputedAmount: invoice.disputedAmount,
    acceptedMethods: invoice.acceptedMethods.map(methodMessage),
    splits: invoice.splits.map(splitMessage),
    fine: fine ? given(fine) : undefined,
    interest: interest ? given(interest) : undefined,
    discounts: invoice.discounts.map(discountMessage),
    notificationUrl: invoice.notificationUrl ?? '',
    successUrl: invoice.successUrl ?? '',
    publicId: invoice.publicId,
    warnings: warningsOf(invoice),
    items: [],
    charge: undefined,
    automaticCharge: undefined,
    recurringInvoiceId: invoice.recurringInvoiceId ?? undefined,
    cycle: invoice.cycle ?? undefined,
    paymentLinkProductId: invoice.paymentLinkProductId ?? undefined,
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

export function splitMessage(split: Split): SplitMessage {
  return given(split)
}

export function discountMessage(discount: Discount): DiscountMessage {
  return given(discount)
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
    method: method ? MovementMethod[method] : MovementMethod.UNSPECIFIED,
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
    givingBack: more.giveBack,
    createdAt,
  }
}

function automaticMessage({
  status,
  attempts,
  nextAttemptAt,
  reason,
  isHeld,
}: AutomaticCharge): AutomaticChargeMessage {
  const isPaused = isHeld && (status === 'WAITING' || status === 'NEEDS_CARD')
  return {
    status: AutomaticChargeStatus[status],
    attempts,
    nextAttemptAt: isPaused ? undefined : (nextAttemptAt ?? undefined),
    reason: isPaused ? 'RECURRING_INVOICE_PAUSED' : (reason ?? ''),
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
