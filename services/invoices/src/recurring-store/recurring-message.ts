import { TOPICS, type RecurringInvoiceEventType } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { EmailLanguage } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  RecurringInvoiceEvent,
  RecurringInvoiceKind,
  RecurringInvoiceStatus,
  type InvoiceTerms,
  type RecurringInvoice as Message,
  type RecurringItem as ItemMessage,
} from '@cofre/proto/invoices/v1/recurring'
import { startOf } from '../invoice/calendar-day'
import { ALL_METHODS, given, methodMessage, splitMessage } from '../invoice-store/invoice-message'
import type { RecurringInvoice, RecurringItem, WholeRecurring } from '../recurring/recurring-invoice'
import { dueDateOf } from '../recurring/schedule'

export function toMessage(recurring: WholeRecurring): Message {
  return { ...toEntry(recurring), items: recurring.items.map(itemMessage) }
}

/** A recurring invoice as an entry of a list: without its items. */
export function toEntry(recurring: RecurringInvoice): Message {
  const { nextCycleDay, nextPeriod } = recurring
  return {
    id: recurring.id,
    sellerId: recurring.sellerId,
    kind: RecurringInvoiceKind[recurring.kind],
    status: RecurringInvoiceStatus[recurring.status],
    customerId: recurring.customerId,
    customerDocument: recurring.customerDocument,
    frequency: BillingFrequency[recurring.frequency],
    collectionMethod: CollectionMethod[recurring.collectionMethod],
    orderReference: recurring.orderReference ?? '',
    daysUntilDue: recurring.daysUntilDue,
    billingCycleStartDate: startOf(recurring.anchorDay),
    startDateOverridden: recurring.startOverridden,
    nextCycleDate: nextCycleDay === null ? undefined : startOf(nextCycleDay),
    nextCycleDueDate: nextCycleDay === null ? undefined : dueDateOf(recurring, nextPeriod),
    cyclesBilled: recurring.cyclesBilled,
    charges: recurring.charges ?? undefined,
    cardId: recurring.cardId ?? undefined,
    onPaymentFailure: recurring.givesUp ? OnPaymentFailure.UNCOLLECTIBLE : OnPaymentFailure.PAST_DUE,
    language: recurring.language === 'en' ? EmailLanguage.ENGLISH : EmailLanguage.PORTUGUESE,
    terms: termsMessage(recurring),
    items: [],
    createdAt: recurring.createdAt,
    updatedAt: recurring.updatedAt,
  }
}

function termsMessage({ acceptedMethods, splits, fine, interest, ...urls }: RecurringInvoice): InvoiceTerms {
  return {
    acceptedMethods: (acceptedMethods ?? ALL_METHODS).map(methodMessage),
    splits: splits.map(splitMessage),
    fine: fine ? given(fine) : undefined,
    interest: interest ? given(interest) : undefined,
    notificationUrl: urls.notificationUrl ?? '',
    successUrl: urls.successUrl ?? '',
  }
}

function itemMessage({ unitPrice, cycle, ...item }: RecurringItem): ItemMessage {
  return { ...item, unitPriceInCents: unitPrice, cycle: cycle ?? undefined }
}

/** The invoice that a cycle has made, and the cycle's number, from 1. */
export type BilledCycle = { invoiceId: number; cycle: number }

/** The event that reports a change to sellers. The change took place at `updatedAt`. */
export function eventOf(
  recurring: WholeRecurring,
  event: RecurringInvoiceEventType,
  billed?: BilledCycle,
): DomainEvent {
  const { id, sellerId, sequence, updatedAt: occurredAt } = recurring
  const value = RecurringInvoiceEvent.toJSON({
    recurringInvoice: toMessage(recurring),
    sequence,
    occurredAt,
    invoiceId: billed?.invoiceId,
    cycle: billed?.cycle,
  })
  return { topic: TOPICS['recurring-invoices'], key: String(id), type: event, sellerId, value }
}
