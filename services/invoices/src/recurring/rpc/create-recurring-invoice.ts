import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  RecurringInvoice as Message,
  type CreateRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { checkRecipients } from '../../catalog/recipients/recipient-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { amountOf } from '../../invoice/rules/amount'
import { checkFees } from '../../invoice/rpc/terms-request'
import { checkDiscounts } from '../../invoice/rules/discounts'
import { checkSplits } from '../../invoice/rules/splits'
import { holdReferences } from '../../invoice/store/new-invoice-store'
import { itemsOfCycle } from '../rules/cycle-invoice'
import { askedRecurring } from '../rules/new-recurring'
import { isCardOfAnother } from '../store/plan-card-store'
import { toMessage } from '../store/recurring-message'
import { insertRecurring } from '../store/recurring-store'
import { readRequest } from './recurring-request'

export async function createRecurringInvoice(
  { pool, cards, log, rules }: Deps,
  request: CreateRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  const { sellerId, customerId } = request
  const asked = readRequest(request)
  await checkFees({ pool, rules }, sellerId, asked)
  // The cycles without extra items have the smallest total.
  checkSplits(asked.splits, amountOf(itemsOfCycle(asked.items, 0)))
  checkDiscounts(asked.discounts, amountOf(itemsOfCycle(asked.items, 0)))
  const { cardId } = asked
  const isStored = cardId === null || (await cards.find(sellerId, { id: cardId })) !== undefined
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    await checkRecipients(tx, sellerId, asked.splits)
    const productIds = [...new Set(asked.items.map(({ productId }) => productId))]
    const references = await holdReferences(tx, { sellerId, customerId, productIds })
    const isOthers = cardId !== null && (await isCardOfAnother(tx, { sellerId, customerId, cardId }))
    const hasCard = isStored && !isOthers
    const draft = askedRecurring(sellerId, asked, { ...references, hasCard }, now())
    const recurring = await insertRecurring(tx, draft)
    log.info({ sellerId, recurringInvoiceId: recurring.id }, 'recurring invoice made')
    return toMessage(recurring)
  })
}
