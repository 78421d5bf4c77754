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
import { startOf } from '@cofre/platform/calendar-day'
import { amountOf } from '../../invoice/rules/amount'
import { warningsOfPlan } from '../../invoice/rules/warnings'
import { discountMessage, given, splitMessage } from '../../invoice/store/invoice-message'
import { methodMessage } from '../../methods/methods'
import { permissionMessage } from '../../pix/automatic/automatic-message'
import type { PixPermission } from '../../pix/rules/permission'
import { itemsOfCycle } from '../rules/cycle-invoice'
import type {
  ListedRecurring,
  RecurringInvoice,
  RecurringItem,
  WholeRecurring,
} from '../rules/recurring-invoice'
import { dueDateOf } from '../rules/schedule'

/** What is shown of a recurring invoice beside its own members, where it is. */
type Shown = { permission?: PixPermission | undefined; nextCardId?: number | undefined }

export function toMessage(recurring: WholeRecurring, { permission, nextCardId }: Shown = {}): Message {
  const pixPermission = permission && permissionMessage(permission)
  const amount = amountOf(itemsOfCycle(recurring.items, 0))
  return {
    ...toListed({ ...recurring, amount }),
    items: recurring.items.map(itemMessage),
    pixPermission,
    nextCardId,
  }
}

/** A recurring invoice as an entry of a list: without its items. */
export function toListed(recurring: ListedRecurring): Message {
  const { nextCycleDay, nextPeriod } = recurring
  return {
    id: recurring.id,
    sellerId: recurring.sellerId,
    kind: RecurringInvoiceKind[recurring.kind],
    status: RecurringInvoiceStatus[recurring.status],
    customerId: recurring.customerId,
    customerDocument: recurring.customerDocument,
    customerName: recurring.customerName ?? '',
    amount: recurring.amount,
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
    cardPaysFineAndInterest: recurring.cardPaysFineAndInterest,
    language: recurring.language === 'en' ? EmailLanguage.ENGLISH : EmailLanguage.PORTUGUESE,
    terms: termsMessage(recurring),
    items: [],
    pixPermission: undefined,
    nextCardId: undefined,
    warnings: warningsOfPlan(recurring),
    createdAt: recurring.createdAt,
    updatedAt: recurring.updatedAt,
  }
}

function termsMessage({
  acceptedMethods,
  partialPayments,
  splits,
  fine,
  interest,
  discounts,
  ...urls
}: RecurringInvoice): InvoiceTerms {
  return {
    acceptedMethods: acceptedMethods.map(methodMessage),
    partialPayments,
    splits: splits.map(splitMessage),
    fine: fine ? given(fine) : undefined,
    interest: interest ? given(interest) : undefined,
    discounts: discounts.map(discountMessage),
    notificationUrl: urls.notificationUrl ?? '',
    successUrl: urls.successUrl ?? '',
  }
}

function itemMessage({ unitPrice, cycle, ...item }: RecurringItem): ItemMessage {
  return { ...item, unitPriceInCents: unitPrice, cycle: cycle ?? undefined }
}

/** The invoice that a cycle has made, and the cycle's number, from 1. */
export type BilledCycle = { invoiceId: number; cycle: number }

/** What an event is about: a cycle that was billed, a permission of the payer, or the members that a seller changed. */
type About = Partial<BilledCycle> & Shown & { changedFields?: readonly string[] }

/** The event that reports a change to sellers. The change took place at `updatedAt`. */
export function eventOf(
  recurring: WholeRecurring,
  event: RecurringInvoiceEventType,
  about: About = {},
): DomainEvent {
  const { id, sellerId, sequence, updatedAt: occurredAt } = recurring
  const value = RecurringInvoiceEvent.toJSON({
    recurringInvoice: toMessage(recurring, about),
    sequence,
    occurredAt,
    invoiceId: about.invoiceId,
    cycle: about.cycle,
    changedFields: [...(about.changedFields ?? [])],
  })
  return { topic: TOPICS['recurring-invoices'], key: String(id), type: event, sellerId, value }
}
