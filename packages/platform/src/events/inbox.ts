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

/**
 * Runs `work` once for many events: `fresh` holds the ids that this consumer has not handled before. The marks and the
 * work commit together.
 */
export async function handleAllOnce(
  pool: Pool,
  consumer: string,
  eventIds: readonly string[],
  work: (tx: PoolClient, fresh: ReadonlySet<string>) => Promise<void>,
): Promise<void> {
  await withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>({
      name: 'mark-events',
      text: `INSERT INTO inbox (consumer, event_id) SELECT DISTINCT $1::text, id FROM unnest($2::uuid[]) AS id ORDER BY id
        ON CONFLICT DO NOTHING RETURNING event_id AS id`,
      values: [consumer, eventIds],
    })
    const marked = new Set(rows.map(({ id }) => id))
    // PostgreSQL returns ids in lower case, whatever case they came in.
    if (marked.size > 0) await work(tx, new Set(eventIds.filter((id) => marked.has(id.toLowerCase()))))
  })
}

/** Returns a test for the events that this consumer has handled. */
export async function findHandled(
  pool: Pool,
  consumer: string,
  eventIds: readonly string[],
): Promise<(eventId: string) => boolean> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'handled-events',
    text: 'SELECT event_id AS id FROM inbox WHERE consumer = $1 AND event_id = ANY($2::uuid[])',
    values: [consumer, eventIds],
  })
  const handled = new Set(rows.map(({ id }) => id))
  return (eventId) => handled.has(eventId.toLowerCase())
}

/** Deletes up to 1,000 marks older than any event can be delivered again (30 days). Returns how many. */
export async function forgetHandled(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM inbox WHERE ctid IN (
       SELECT ctid FROM inbox WHERE handled_at < now() - interval '30 days' LIMIT 1000)`,
  )
  return rowCount ?? 0
}
