import { addDays, dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { AutomaticCharge, PrintedCustomer, Unreached, WholeInvoice } from '../../invoice/rules/invoice'
import { latenessOf } from '../../invoice/rules/lateness'
import { settingsOf } from '../../methods/methods'
import { newInvoice } from '../../invoice/rules/new-invoice'
import { afterRetries } from './free-days'
import type { RecurringItem, WholeRecurring } from './recurring-invoice'
import { chargeMomentOf, daysToPay, dueDateOf } from './schedule'

/**
 * The data of a cycle's invoice, as they are on the cycle day. A product deleted since is missing. `holidays`: of the
 * seller's town.
 */
export type Printed = {
  customer: PrintedCustomer
  productNames: ReadonlyMap<number, string>
  holidays: readonly CalendarDay[]
}

/** The public id and the number of a new invoice. */
export type Names = { publicId: string; invoiceNumber: string }

/** The items of a billed cycle, from 1: those of every cycle, then its own. */
export function itemsOfCycle<Each extends Pick<RecurringItem, 'cycle'>>(
  items: readonly Each[],
  cycle: number,
): Each[] {
  return [...items.filter((item) => item.cycle === null), ...items.filter((item) => item.cycle === cycle)]
}

/**
 * The draft of the next cycle's invoice, before it has an id. `keptCardId`: the card that the customer keeps.
 * `isPermitted`: Pix Automático collects it, so that no card is charged. `dunningDays`: on which a card is tried again.
 */
export function cycleInvoice(
  recurring: WholeRecurring,
  {
    customer,
    productNames,
    holidays,
    keptCardId,
    isPermitted,
    dunningDays,
  }: Printed & {
    keptCardId: number | null
    isPermitted: boolean
    dunningDays: readonly number[]
  },
  names: Names,
  at: number,
): WholeInvoice {
  const { sellerId, acceptedMethods, partialPayments, splits, notificationUrl, successUrl } = recurring
  const { fine, interest, discounts } = recurring
  const charged = { acceptedMethods, partialPayments, splits, fine, interest, discounts }
  const terms = { sellerId, ...charged, notificationUrl, successUrl }
  const cycle = recurring.cyclesBilled + 1
  const dueDate = dueDateOf(recurring, recurring.nextPeriod)
  const items = itemsOfCycle(recurring.items, cycle).map(({ cycle: _cycle, ...item }) => ({
    ...item,
    description: productNames.get(item.productId) ?? item.description,
  }))
  // What is billed late, through a delay of ours or for a missed cycle, leaves the customer as many days as any other.
  const leastDay = addDays(dayOf(at), daysToPay(recurring, recurring.nextPeriod))
  const lateness = latenessOf({ dueDate, lateFrom: null }, leastDay, holidays)
  const ofCycle = { recurringInvoiceId: recurring.id, cycle, dueDate, paymentLimitDate: null, ...lateness }
  const invoice = newInvoice({ ...terms, ...names, ...ofCycle, customer, items }, at)
  // What asks for nothing is charged to no card.
  const isOfCard = invoice.amount > 0 && !isPermitted && settingsOf(acceptedMethods, 'CREDIT_CARD')
  const automaticCharge = isOfCard ? automaticChargeOf(recurring, keptCardId, dueDate) : null
  const isCollected = isPermitted || automaticCharge?.status === 'WAITING'
  const unreached = customer.email === null ? unreachedOf(recurring, isCollected) : null
  const isTried = automaticCharge?.status === 'WAITING' && !recurring.cardPaysFineAndInterest
  const later = isTried ? afterRetries(invoice, dunningDays) : {}
  return { ...invoice, ...later, automaticCharge, unreached }
}

/** Why the invoice of a customer without an e-mail address reaches nobody. Null: it is collected, or its slip is printed. */
function unreachedOf(
  { kind, collectionMethod }: Pick<WholeRecurring, 'kind' | 'collectionMethod'>,
  isCollected: boolean,
): Unreached | null {
  if (collectionMethod === 'CHARGE_AUTOMATICALLY') return isCollected ? null : 'NOBODY_TO_CHARGE'
  return kind === 'RECURRING' ? 'NOBODY_TO_MAIL' : null
}

/** The automatic charge of an invoice; without a card it waits for one. Null when the invoice is mailed instead. */
function automaticChargeOf(
  { collectionMethod, cardId }: Pick<WholeRecurring, 'collectionMethod' | 'cardId'>,
  keptCardId: number | null,
  dueDate: number,
): AutomaticCharge | null {
  if (collectionMethod === 'SEND_INVOICE') return null
  if (cardId === null && keptCardId === null) {
    return { status: 'NEEDS_CARD', attempts: 0, nextAttemptAt: null, reason: 'NO_CARD', isHeld: false }
  }
  const nextAttemptAt = chargeMomentOf(dueDate)
  return { status: 'WAITING', attempts: 0, nextAttemptAt, reason: null, isHeld: false }
}
