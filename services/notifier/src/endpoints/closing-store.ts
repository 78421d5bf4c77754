import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { failHeld } from '../deliveries/verdict-store'

const LANES_AT_ONCE = 500

/** Fails the deliveries that wait for a deleted endpoint, a batch of lanes at once; locked lanes are left for later. */
export async function closeSome(tx: Db, receiverId: number): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM lanes WHERE receiver_id = $1 LIMIT ${LANES_AT_ONCE} FOR UPDATE SKIP LOCKED`,
    [receiverId],
  )
  const lanes = rows.map(({ id }) => id)
  return failHeld(tx, lanes, 'endpoint_deleted')
}

/** Closes a deleted endpoint's lanes, and removes its receiver once it has none. Returns how many rows were written. */
export async function closeReceivers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT id FROM receivers WHERE state = 'CLOSING' ORDER BY random() LIMIT 1`,
  )
  if (!rows[0]) return 0
  const { id } = rows[0]
  const closed = await withTransaction(pool, (tx) => closeSome(tx, id))
  if (closed > 0) return closed
  const { rowCount } = await pool.query(
    `DELETE FROM receivers WHERE id = $1 AND state = 'CLOSING' AND NOT EXISTS (
       SELECT FROM lanes WHERE receiver_id = $1)`,
    [id],
  )
  return rowCount ?? 0
}
