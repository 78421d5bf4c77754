import { DomainError, unavailable } from '@cofre/platform/errors'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Transaction } from '../invoice/invoice'
import { discardCard } from '../payment-store/kept-card-store'
import { noteStoredCard } from '../payment-store/transaction-store'
import type { Cards } from './cards'

/** A card that the vault is asked to store for a payment. */
export type BeingStored = { sellerId: number; operationId: string }

/** How long the process of a payment has to store its card; a request is over by then. */
const STORING_MS = 120_000

/**
 * Has the vault store the card of a payment, to be kept, and notes it with the payment. A process that ends between leaves
 * a row, by which the sweeper finds the card. Throws, the card not being kept, what forbids it.
 */
export async function storeToKeep(
  { pool, cards }: { pool: Pool; cards: Cards },
  transaction: Pick<Transaction, 'id' | 'invoiceId' | 'sellerId'>,
  { handle, operationId }: { handle: string; operationId: string },
): Promise<void> {
  const { sellerId } = transaction
  await pool.query(
    `INSERT INTO cards_being_stored (operation_id, seller_id, ask_at)
     VALUES ($1, $2, now() + $3 * interval '1 ms')`,
    [operationId, sellerId, STORING_MS],
  )
  const cardId = await cards.store(sellerId, handle, operationId)
  const isNoted = await withTransaction(pool, async (tx) => {
    const isOurs = await forget(tx, operationId)
    if (isOurs) await noteStoredCard(tx, transaction, cardId)
    else await discardCard(tx, { sellerId, cardId })
    return isOurs
  })
  if (!isNoted) throw unavailable('The card was stored too late to be kept. Nothing was charged.')
}

/** Takes cards that no payment has noted in its time, for this caller alone until their next time. */
export function leaseBeingStored(pool: Pool, lease: Lease): Promise<BeingStored[]> {
  const returning = 'seller_id AS "sellerId", operation_id AS "operationId"'
  return leaseDue(pool, { table: 'cards_being_stored', key: 'operation_id', returning }, lease)
}

/** Has a card destroyed that no payment has noted, if the vault has it. Throws where the vault does not answer. */
export async function discardBeingStored(
  { pool, cards }: { pool: Pool; cards: Cards },
  { sellerId, operationId }: BeingStored,
): Promise<void> {
  const cardId = await findStored(cards, sellerId, operationId)
  await withTransaction(pool, async (tx) => {
    const isOurs = await forget(tx, operationId)
    if (isOurs && cardId !== undefined) await discardCard(tx, { sellerId, cardId })
  })
}

/** The card that was stored under a key. Undefined: none. UNAVAILABLE or a conflict: it is not known yet. */
export async function findStored(
  cards: Cards,
  sellerId: number,
  operationId: string,
): Promise<number | undefined> {
  try {
    return await cards.store(sellerId, '', operationId)
  } catch (error) {
    const isAbsent = error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'conflict'
    if (!isAbsent) throw error
    return undefined
  }
}

/** Of the payment and the sweeper one has the card. */
async function forget(tx: Db, operationId: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM cards_being_stored WHERE operation_id = $1', [operationId])
  return rowCount === 1
}
