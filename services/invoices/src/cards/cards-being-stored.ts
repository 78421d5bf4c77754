import { DomainError, unavailable } from '@cofre/platform/errors'
import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import type { Transaction } from '../invoice/rules/invoice'
import { discardCard } from './store/kept-card-store'
import { noteStoredCard } from '../invoice/store/transaction-store'
import { forgetBeingStored, insertBeingStored, type BeingStored } from './store/being-stored-store'
import type { Cards } from './cards'

/**
 * Has the vault store the card of a payment, to be kept, and notes it with the payment. A process that ends in between
 * leaves a row, with which the sweeper finds the card. Returns the card's token. Throws when the card can't be kept.
 */
export async function storeToKeep(
  { pool, cards }: { pool: Pool; cards: Cards },
  transaction: Pick<Transaction, 'id' | 'invoiceId' | 'sellerId'>,
  { handle, operationId }: { handle: string; operationId: string },
): Promise<string> {
  const { sellerId } = transaction
  await insertBeingStored(pool, { sellerId, operationId })
  const { id: cardId, token } = await cards.store(sellerId, handle, operationId)
  const isNoted = await withTransaction(pool, async (tx) => {
    const isOurs = await forgetBeingStored(tx, operationId)
    if (isOurs) await noteStoredCard(tx, transaction, cardId)
    else await discardCard(tx, { sellerId, cardId })
    return isOurs
  })
  if (!isNoted) throw unavailable('The card was stored too late to be kept. Nothing was charged.')
  return token
}

/** Discards a card that no payment has noted, if the vault has it. Throws when the vault does not answer. */
export async function discardBeingStored(
  { pool, cards }: { pool: Pool; cards: Cards },
  { sellerId, operationId }: BeingStored,
): Promise<void> {
  const cardId = await findStored(cards, sellerId, operationId)
  await withTransaction(pool, async (tx) => {
    const isOurs = await forgetBeingStored(tx, operationId)
    if (isOurs && cardId !== undefined) await discardCard(tx, { sellerId, cardId })
  })
}

/** The card that was stored under a key. Undefined when there is none. UNAVAILABLE, CONFLICT when not known yet. */
export async function findStored(
  cards: Cards,
  sellerId: number,
  operationId: string,
): Promise<number | undefined> {
  try {
    return (await cards.store(sellerId, '', operationId)).id
  } catch (error) {
    const isAbsent = error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'conflict'
    if (!isAbsent) throw error
    return undefined
  }
}
