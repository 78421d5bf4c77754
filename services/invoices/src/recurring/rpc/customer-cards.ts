import { notFound } from '@cofre/platform/errors'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type {
  CustomerCard,
  GetCustomerRequest,
  ListCustomerCardsResponse,
  RemoveCustomerCardRequest,
} from '@cofre/proto/invoices/v1/customers'
import { forgetKeptCard } from '../../cards/store/kept-card-store'
import type { CustomerKey } from '../../catalog/customers/customer'
import { CUSTOMERS } from '../../catalog/customers/customer-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import {
  awaitOtherCards,
  readChargedCards,
  unnameCard,
  type ChargedCard,
} from '../store/customer-cards-store'
import { holdCharged, lockCustomer } from '../store/stop-charges-store'

export async function listCustomerCards(
  { pool, cards }: Deps,
  { sellerId, customerId }: GetCustomerRequest,
): Promise<ListCustomerCardsResponse> {
  await CUSTOMERS.read(pool, { sellerId, id: customerId })
  const charged = await readChargedCards(pool, { sellerId, customerId })
  const found = await Promise.all(charged.map((each) => describe(cards, sellerId, each)))
  return { cards: found.filter((card) => card !== undefined) }
}

/** A card as the vault shows it. Undefined when the vault has destroyed it: nobody can charge it. */
async function describe(
  cards: Deps['cards'],
  sellerId: number,
  { cardId: id, since, isDefault, plans, consent }: ChargedCard,
): Promise<CustomerCard | undefined> {
  const stored = await cards.find(sellerId, { id })
  if (!stored?.card) return undefined
  const { brand, lastFour, expirationYear, expirationMonth } = stored.card
  const shown = { brand, lastFour, expirationYear, expirationMonth }
  return { id, ...shown, since, isDefault, recurringInvoiceIds: plans, consent: consent ?? undefined }
}

export async function removeCustomerCard(
  deps: Pick<Deps, 'pool' | 'log'>,
  { sellerId, customerId, cardId }: RemoveCustomerCardRequest,
): Promise<Empty> {
  if (!(await removeCards(deps, { sellerId, customerId }, (id) => id === cardId))) throw notFound()
  return {}
}

/**
 * Has no automatic charge of a customer use some cards any more. A charge under way goes on. False when there is no such
 * card.
 */
export async function removeCards(
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
  customer: CustomerKey,
  isMeant: (cardId: number) => boolean,
): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    // In the order of payments, which lock the invoice, then the customer that keeps the card.
    await holdCharged(tx, customer)
    if (!(await lockCustomer(tx, customer))) return false
    const charged = await readChargedCards(tx, customer)
    const removed = charged.filter(({ cardId }) => isMeant(cardId))
    const at = now()
    for (const { cardId } of removed) {
      await unnameCard(tx, { ...customer, cardId, at })
      await forgetKeptCard(tx, { ...customer, cardId })
    }
    if (removed.length === 0) return false
    const waiting = await awaitOtherCards(tx, { ...customer, at })
    log.info({ ...customer, cards: removed.map(({ cardId }) => cardId), waiting }, 'kept cards removed')
    return true
  })
}
