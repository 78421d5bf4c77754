import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'

/** A card that the vault is asked to store for a payment. */
export type BeingStored = { sellerId: number; operationId: string }

/** How long the process of a payment has to store its card; a request is over by then. */
const STORING_MS = 120_000

/** Notes that the vault is about to store a card. */
export async function insertBeingStored(db: Db, { sellerId, operationId }: BeingStored): Promise<void> {
  await db.query(
    `INSERT INTO cards_being_stored (operation_id, seller_id, ask_at)
     VALUES ($1, $2, now() + $3 * interval '1 ms')`,
    [operationId, sellerId, STORING_MS],
  )
}

/** Takes cards that no payment has noted in time, for this caller alone until their next time. */
export function leaseBeingStored(pool: Pool, lease: Lease): Promise<BeingStored[]> {
  const returning = 'seller_id AS "sellerId", operation_id AS "operationId"'
  return leaseDue(pool, { table: 'cards_being_stored', key: 'operation_id', returning }, lease)
}

/** Deletes the row, which gives the card to the caller: a payment or the sweeper. False when the other was faster. */
export async function forgetBeingStored(tx: Db, operationId: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM cards_being_stored WHERE operation_id = $1', [operationId])
  return rowCount === 1
}
