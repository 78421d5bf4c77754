import { leaseDue } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { DisputeFacts } from './user-letter-store'

/** A notice of a dispute that the seller's users are to get. The gateway, which knows the users, fetches it. */
export type DisputeNotice = { id: number; sellerId: number }

/** How long a notice is one caller's own. */
const LEASE_MS = 60_000
const BATCH_SIZE = 100

/** Writes a notice, in the transaction of its cause. `at`: epoch milliseconds. */
export async function insertDisputeNotice(
  tx: Db,
  sellerId: number,
  facts: DisputeFacts,
  at: number,
): Promise<void> {
  await tx.query({
    name: 'insert-dispute-notice',
    text: 'INSERT INTO dispute_notices (seller_id, facts, ask_at, created_at) VALUES ($1, $2, $3, $3)',
    values: [sellerId, JSON.stringify(facts), new Date(at)],
  })
}

/** Takes notices for this caller alone for a minute. `at`: epoch milliseconds. */
export function leaseDisputeNotices(pool: Pool, at: number): Promise<DisputeNotice[]> {
  const returning = 'id, seller_id AS "sellerId"'
  const lease = { at, firstMs: LEASE_MS, maxMs: LEASE_MS, batch: BATCH_SIZE, inHand: [] }
  return leaseDue(pool, { table: 'dispute_notices', key: 'id', returning }, lease)
}

/** What a notice says. Undefined once it is over. */
export async function findDisputeNotice(
  db: Db,
  { id, sellerId }: DisputeNotice,
): Promise<DisputeFacts | undefined> {
  const { rows } = await db.query<{ facts: DisputeFacts }>(
    'SELECT facts FROM dispute_notices WHERE id = $1 AND seller_id = $2',
    [id, sellerId],
  )
  return rows[0]?.facts
}

/** Ends a notice: every user has their letter. */
export async function deleteDisputeNotice(db: Db, { id, sellerId }: DisputeNotice): Promise<void> {
  await db.query('DELETE FROM dispute_notices WHERE id = $1 AND seller_id = $2', [id, sellerId])
}
