import type { Pool } from '@cofre/platform/postgres/postgres'

const AT_ONCE = 500

const IS_IDLE = `endpoint_id IS NULL AND state = 'OPEN' AND next_at = 'infinity'
  AND NOT EXISTS (SELECT FROM lanes WHERE receiver_id = receivers.id)`

/**
 * Takes the names of idle receivers without an endpoint, except the `kept` newest. The next delivery to their host
 * makes a new receiver. A transaction that found one a moment before may still open lanes there, so the rows stay for
 * `removeRetired`. Returns their ids.
 */
export async function retireIdle(pool: Pool, kept: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'retire-idle-receivers',
    text: `UPDATE receivers SET name = 'retired ' || id WHERE id IN (
        SELECT id FROM receivers WHERE id IN (
          SELECT id FROM receivers WHERE endpoint_id IS NULL AND state = 'OPEN' AND next_at = 'infinity'
          ORDER BY id DESC OFFSET $1 LIMIT ${AT_ONCE})
          AND ${IS_IDLE} FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id`,
    values: [kept],
  })
  return rows.map(({ id }) => id)
}

/** Removes receivers that were retired longer ago than a transaction lasts. Those with lanes stay until they close. */
export async function removeRetired(pool: Pool, receiverIds: readonly number[]): Promise<void> {
  await pool.query({
    name: 'remove-retired-receivers',
    text: `DELETE FROM receivers WHERE id = ANY($1::bigint[]) AND name LIKE 'retired %' AND ${IS_IDLE}`,
    values: [receiverIds],
  })
}
