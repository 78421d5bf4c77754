import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import type { Transaction } from '../invoice/rules/invoice'
import { discardCard } from './store/kept-card-store'
import { deletePending, freeMark } from '../invoice/store/transaction-store'

/**
 * Forgets an attempt to pay that was refused before anything was done: invoice, events and key are as before. An attempt
 * that the sweeper resolved meanwhile stays.
 */
export function forgetPayment(pool: Pool, { id, sellerId, operationId }: Transaction): Promise<void> {
  return withTransaction(pool, async (tx) => {
    const forgotten = await deletePending(tx, id)
    if (!forgotten) return
    // Read with the deletion: the vault may have stored the card after the attempt was begun.
    const { keepCardId: cardId, keepCardIsOurs } = forgotten
    if (cardId !== null && keepCardIsOurs) await discardCard(tx, { sellerId, cardId })
    if (operationId !== null) await freeMark(tx, operationId)
  })
}
