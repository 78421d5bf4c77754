import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  RecurringInvoice as Message,
  type CreateRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { amountOf } from '../../invoice/amount'
import { dayOf, type CalendarDay } from '../../invoice/calendar-day'
import { checkSplits } from '../../invoice/splits'
import { holdReferences, type References } from '../../invoice-store/new-invoice-store'
import { itemsOfCycle } from '../../recurring/cycle-invoice'
import type { WholeRecurring } from '../../recurring/recurring-invoice'
import { anchorOf, missedCycles } from '../../recurring/schedule'
import { toMessage } from '../../recurring-store/recurring-message'
import { insertRecurring } from '../../recurring-store/recurring-store'
import { fault, throwFaults, unknownReference } from '../request-check'
import { readRequest, type AskedRecurringItem, type RecurringRequest } from './recurring-request'

export async function createRecurringInvoice(
  { pool, cards, log }: Deps,
  request: CreateRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  const { sellerId, customerId } = request
  const asked = readRequest(request)
  // The cycles without extra items have the smallest total.
  checkSplits(asked.splits, amountOf(itemsOfCycle(asked.items, 0)))
  const hasCard = asked.cardId === null || (await cards.find(sellerId, { id: asked.cardId })) !== undefined
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    const productIds = [...new Set(asked.items.map(({ productId }) => productId))]
    const references = await holdReferences(tx, { sellerId, customerId, productIds })
    const draft = draftOf(sellerId, asked, { ...references, hasCard }, now())
    const recurring = await insertRecurring(tx, draft)
    log.info({ sellerId, recurringInvoiceId: recurring.id }, 'recurring invoice made')
    return toMessage(recurring)
  })
}

function draftOf(
  sellerId: number,
  { start, items, ...asked }: RecurringRequest,
  { customer, products, hasCard }: References & { hasCard: boolean },
  at: number,
): Omit<WholeRecurring, 'id'> {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...(hasCard ? [] : ['#/cardId']),
    ...missingProducts(items, products),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The recurring invoice', missing)
  const anchorDay = anchorOf(start, dayOf(at))
  checkMissed({ anchorDay, frequency: asked.frequency }, at)
  checkFirstDue(asked.firstDueDate, anchorDay)
  return {
    ...asked,
    sellerId,
    kind: 'RECURRING',
    status: 'ACTIVE',
    customerId: customer.id,
    customerDocument: customer.document,
    anchorDay,
    startOverridden: start.isOverridden,
    charges: null,
    cyclesBilled: 0,
    nextPeriod: 0,
    nextCycleDay: anchorDay,
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

/** Pointers to items whose product the seller does not have. Each item stands at its place in its own list. */
function missingProducts(items: readonly AskedRecurringItem[], products: References['products']): string[] {
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
