import type { LogEvent } from '@cofre/platform/event-log'
import type { Pool } from '@cofre/platform/postgres'

/** Keeps an event that could not be read; once, however often it comes. */
export async function insertDeadEvent(
  pool: Pool,
  topic: string,
  event: LogEvent,
  reason: string,
): Promise<void> {
  await pool.query(
    `INSERT INTO dead_events (event_id, topic, type, key, seller_id, value, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (event_id) DO NOTHING`,
    [event.id, topic, event.type, event.key, event.sellerId, event.value, reason],
  )
}

/** Forgets those older than 30 days. Returns how many. */
export async function forgetDeadEvents(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "DELETE FROM dead_events WHERE created_at < now() - interval '30 days'",
  )
  return rowCount ?? 0
}
