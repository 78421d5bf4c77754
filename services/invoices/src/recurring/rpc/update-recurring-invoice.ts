import { dayOf } from '@cofre/platform/calendar-day'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import {
  RecurringInvoice as Message,
  type UpdateRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { itemFaults } from '../../invoice/rpc/terms-request'
import { holdReferences } from '../../invoice/store/new-invoice-store'
import { tellAll } from '../../invoice/store/many-invoices-store'
import { lockOpenPermission } from '../../pix/automatic/permission-store'
import { fault, throwFaults } from '../../request-check'
import { changedRecurring, type AskedChange, type Known } from '../rules/changed-recurring'
import type { WholeRecurring } from '../rules/recurring-invoice'
import { isCardOfAnother, readNextCard } from '../store/plan-card-store'
import { eventOf, toMessage } from '../store/recurring-message'
import { lockRecurring, readRecurring, replaceItems, saveRecurring } from '../store/recurring-store'
import { collectionOf, extraFaults, recurringItemsOf, UNKNOWN } from './recurring-request'

/** Changes what a seller asks to change of a recurring invoice: change, event and the key's mark commit together. */
export async function updateRecurringInvoice(
  { pool, cards, log }: Deps,
  request: UpdateRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  const { sellerId, recurringInvoiceId: id } = request
  const asked = readChange(request)
  const isStored = asked.cardId ? (await cards.find(sellerId, { id: asked.cardId })) !== undefined : true
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    // The time is taken under the lock: a card that is kept later is chosen later.
    const before = await lockRecurring(tx, { sellerId, id })
    const known = await readKnown(tx, before, asked, isStored)
    const { recurring, fields } = changedRecurring(before, asked, known, now())
    if (fields.length === 0) return toMessage(before, { nextCardId: known.nextCardId })
    await saveRecurring(tx, [{ ...recurring, sequence: before.sequence + 1 }])
    if (recurring.items !== before.items) await replaceItems(tx, recurring)
    // Whether its invoices reach somebody may have changed with it.
    const changed = await readRecurring(tx, { sellerId, id })
    const nextCardId = await readNextCard(tx, changed)
    const event = 'recurring_invoice.updated'
    await tellAll(tx, [eventOf(changed, event, { nextCardId, changedFields: fields })])
    log.info({ sellerId, recurringInvoiceId: id, fields }, 'recurring invoice changed')
    return toMessage(changed, { nextCardId })
  })
}

/** Reads a request. INVALID_ARGUMENT VALIDATION_FAILED. */
function readChange(request: UpdateRecurringInvoiceRequest): AskedChange {
  const { cardId, unnameCard, collectionMethod: method, nextCycleDate } = request
  const { recurringItems, extraItems } = request
  throwFaults([
    ...(method === undefined || collectionOf(method) ? [] : [fault('#/collectionMethod', 'ENUM', UNKNOWN)]),
    ...(recurringItems ? itemFaults(recurringItems.items, '#/recurringItems', 1) : []),
    ...(extraItems ? extraFaults(extraItems.items) : []),
  ])
  return {
    cardId: unnameCard ? null : cardId,
    collectionMethod: method === undefined ? undefined : collectionOf(method),
    nextCycleDay: nextCycleDate === undefined ? undefined : dayOf(nextCycleDate),
    recurringItems: recurringItems && recurringItemsOf(recurringItems.items, []),
    extraItems: extraItems && recurringItemsOf([], extraItems.items),
  }
}

/** `isStored`: the seller has the card that is asked for. */
async function readKnown(
  tx: Db,
  before: WholeRecurring,
  { cardId, recurringItems = [], extraItems = [] }: AskedChange,
  isStored: boolean,
): Promise<Known> {
  const { sellerId, customerId } = before
  const productIds = [...new Set([...recurringItems, ...extraItems].map(({ productId }) => productId))]
  const { products } = await holdReferences(tx, { sellerId, customerId, productIds })
  const isOthers = cardId ? await isCardOfAnother(tx, { sellerId, customerId, cardId }) : false
  return {
    hasCard: isStored && !isOthers,
    nextCardId: await readNextCard(tx, before),
    permission: await lockOpenPermission(tx, before.id),
    products,
  }
}
