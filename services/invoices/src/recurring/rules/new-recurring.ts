import { dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { References } from '../../invoice/store/new-invoice-store'
import { fault, throwFaults, unknownReference } from '../../request-check'
import type { AskedRecurringItem, RecurringRequest } from '../rpc/recurring-request'
import type { WholeRecurring } from './recurring-invoice'
import { anchorOf, missedCycles } from './schedule'

type Given = Omit<RecurringRequest, 'start'> &
  Pick<WholeRecurring, 'sellerId' | 'kind' | 'anchorDay' | 'startOverridden' | 'charges'> & {
    customer: { id: number; document: string }
    products: References['products']
  }

/** A new recurring invoice or booklet, before it has an id. `at`: epoch milliseconds. */
export function newRecurring(
  { customer, products, items, ...given }: Given,
  at: number,
): Omit<WholeRecurring, 'id'> {
  return {
    ...given,
    status: 'ACTIVE',
    customerId: customer.id,
    customerDocument: customer.document,
    cardChosenAt: null,
    cyclesBilled: 0,
    nextPeriod: 0,
    nextCycleDay: given.anchorDay,
    items: items.map((item, place) => ({
      ...item,
      id: place + 1,
      description: products.get(item.productId) ?? '',
    })),
    sequence: 1,
    createdAt: at,
    updatedAt: at,
  }
}

/** The recurring invoice that a request asks for. FAILED_PRECONDITION, INVALID_ARGUMENT VALIDATION_FAILED. */
export function askedRecurring(
  sellerId: number,
  { start, ...asked }: RecurringRequest,
  { customer, products, hasCard }: References & { hasCard: boolean },
  at: number,
): Omit<WholeRecurring, 'id'> {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...(hasCard ? [] : ['#/cardId']),
    ...missingProducts(asked.items, products),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The recurring invoice', missing)
  const anchorDay = anchorOf(start, dayOf(at))
  checkMissed({ anchorDay, frequency: asked.frequency }, at)
  checkFirstDue(asked.firstDueDate, anchorDay)
  const schedule = {
    kind: 'RECURRING',
    anchorDay,
    startOverridden: start.isOverridden,
    charges: null,
  } as const
  return newRecurring({ ...asked, ...schedule, sellerId, customer, products }, at)
}

/** Pointers to items whose product the seller does not have. Each item stands at its place in its own list. */
export function missingProducts(
  items: readonly AskedRecurringItem[],
  products: References['products'],
): string[] {
  const recurring = items.filter(({ cycle }) => cycle === null)
  const extra = items.filter(({ cycle }) => cycle !== null)
  return [
    ...recurring.map((item, place) => [item, `#/recurringItems/${place}/productId`] as const),
    ...extra.map((item, place) => [item, `#/extraItems/${place}/productId`] as const),
  ].flatMap(([{ productId }, pointer]) => (products.has(productId) ? [] : [pointer]))
}

/** The most invoices that are billed at once for past cycles. */
const MISSED_MAX = 120

function checkMissed(schedule: Parameters<typeof missedCycles>[0], at: number): void {
  if (missedCycles(schedule, dayOf(at)) <= MISSED_MAX) return
  const detail = `must leave at most ${MISSED_MAX} cycles to be billed at once`
  throwFaults([fault('#/billingCycleStartDate', 'MIN', detail)])
}

/** Refuses an invoice that is due before it is billed: the customer would be charged for lateness from the start. */
function checkFirstDue(firstDueDate: number | null, anchorDay: CalendarDay): void {
  if (firstDueDate === null || dayOf(firstDueDate) >= anchorDay) return
  throwFaults([fault('#/nextCycleDueDate', 'MIN', 'must not be before the day of the first cycle')])
}
