import type { Pool, PoolClient } from '../postgres/postgres'
import { withTransaction } from '../postgres/postgres'

/** Runs `work` unless this consumer handled the event before. The mark and the work commit together. */
export async function handleOnce(
  pool: Pool,
  consumer: string,
  eventId: string,
  work: (tx: PoolClient) => Promise<void>,
): Promise<void> {
  await withTransaction(pool, async (tx) => {
    const mark = await tx.query(
      'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [consumer, eventId],
    )
    if (mark.rowCount === 1) await work(tx)
  })
}

/** Forgets marks older than any event can be delivered again (30 days). Returns how many. */
export async function forgetHandled(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM inbox WHERE ctid IN (
       SELECT ctid FROM inbox WHERE handled_at < now() - interval '30 days' LIMIT 1000)`,
  )
  return rowCount ?? 0
}
