import { amountOf } from '../invoice/amount'
import type { AutomaticCharge, PrintedCustomer, WholeInvoice } from '../invoice/invoice'
import { lateDayOf } from '../invoice/lateness'
import type { RecurringItem, WholeRecurring } from './recurring-invoice'
import { chargeMomentOf, dueDateOf } from './schedule'

/** The printed data of a cycle's invoice, as they are on the cycle day. A product deleted since is missing. */
export type Printed = { customer: PrintedCustomer; productNames: ReadonlyMap<number, string> }

/** The public id and the number of a new invoice. */
export type Names = { publicId: string; invoiceNumber: string }

/** The items of a billed cycle, from 1: those of every cycle, then its own. */
export function itemsOfCycle<Each extends Pick<RecurringItem, 'cycle'>>(
  items: readonly Each[],
  cycle: number,
): Each[] {
  return [...items.filter((item) => item.cycle === null), ...items.filter((item) => item.cycle === cycle)]
}

/** The draft of the next cycle's invoice, before it has an id. */
export function cycleInvoice(
  recurring: WholeRecurring,
  { customer, productNames }: Printed,
  names: Names,
  at: number,
): WholeInvoice {
  const cycle = recurring.cyclesBilled + 1
  const dueDate = dueDateOf(recurring, recurring.nextPeriod)
  const items = itemsOfCycle(recurring.items, cycle).map(({ cycle: _cycle, ...item }, place) => ({
    ...item,
    id: place + 1,
    description: productNames.get(item.productId) ?? item.description,
  }))
  return {
    ...termsOf(recurring),
    ...names,
    id: 0,
    status: 'OPEN',
    customer,
    dueDate,
    lateOn: lateDayOf(dueDate),
    closeDate: null,
    paymentDate: null,
    paymentLimitDate: null,
    pastDueTold: false,
    amount: amountOf(items),
    paidAmount: 0,
    refundedAmount: 0,
    recurringInvoiceId: recurring.id,
    cycle,
    sequence: 1,
    createdAt: at,
    updatedAt: at,
    items,
    charge: null,
    transactions: [],
    automaticCharge: null,
  }
}

/** The terms that all its invoices share. */
function termsOf({ sellerId, acceptedMethods, splits, fine, interest, ...urls }: WholeRecurring) {
  const { notificationUrl, successUrl } = urls
  return { sellerId, acceptedMethods, splits, fine, interest, notificationUrl, successUrl }
}

/** The automatic charge of an invoice; without a card it waits for one. Null when the invoice is mailed instead. */
export function automaticChargeOf(
  { collectionMethod, cardId }: Pick<WholeRecurring, 'collectionMethod' | 'cardId'>,
  keptCardId: number | null,
  dueDate: number,
): AutomaticCharge | null {
  if (collectionMethod === 'SEND_INVOICE') return null
  if (cardId === null && keptCardId === null) {
    return { status: 'NEEDS_CARD', attempts: 0, nextAttemptAt: null, reason: 'NO_CARD' }
  }
  return { status: 'WAITING', attempts: 0, nextAttemptAt: chargeMomentOf(dueDate), reason: null }
}
