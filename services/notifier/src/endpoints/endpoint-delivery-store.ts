import type { Db } from '@cofre/platform/postgres/postgres'

const RECOVERED_AT_ONCE = 10_000

/** What waits for an endpoint goes to another URL. The endpoint must be locked. */
export async function redirectPending(tx: Db, endpointId: number, url: string): Promise<void> {
  await tx.query(
    `UPDATE lanes SET host = $2 WHERE id IN (
       SELECT lane FROM deliveries WHERE endpoint_id = $1 AND status = 'PENDING')`,
    [endpointId, new URL(url).host],
  )
  await tx.query(`UPDATE deliveries SET url = $2 WHERE endpoint_id = $1 AND status = 'PENDING'`, [
    endpointId,
    url,
  ])
}

/** What waits for an endpoint fails, and its lanes close. The endpoint must be locked. */
export async function failPending(tx: Db, endpointId: number): Promise<void> {
  await tx.query(
    `DELETE FROM lanes WHERE id IN (
       SELECT lane FROM deliveries WHERE endpoint_id = $1 AND status = 'PENDING')`,
    [endpointId],
  )
  await tx.query(
    `UPDATE deliveries SET status = 'FAILED', last_error = 'endpoint_deleted', next_attempt_at = NULL
     WHERE endpoint_id = $1 AND status = 'PENDING'`,
    [endpointId],
  )
}

/**
 * Makes failed deliveries of an endpoint pending again, from the beginning of the schedule, to the URL that it has now;
 * the oldest ones first. The endpoint must be locked. Returns how many.
 */
export async function recoverFailed(
  tx: Db,
  { id, url }: { id: number; url: string },
  since: Date,
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `SELECT id FROM deliveries WHERE endpoint_id = $1 AND status = 'FAILED' AND created_at >= $2
     ORDER BY created_at LIMIT ${RECOVERED_AT_ONCE}`,
    [id, since],
  )
  const ids = rows.map((row) => row.id)
  await tx.query(
    `INSERT INTO lanes (id, host) SELECT DISTINCT lane, $2 FROM deliveries WHERE id = ANY($1::bigint[])
     ON CONFLICT (id) DO UPDATE SET due_at = CASE WHEN lanes.lease IS NULL THEN now() ELSE lanes.due_at END`,
    [ids, new URL(url).host],
  )
  const { rowCount } = await tx.query(
    `UPDATE deliveries SET status = 'PENDING', resent_after = attempts, next_attempt_at = now(), url = $2
     WHERE id = ANY($1::bigint[]) AND status = 'FAILED'`,
    [ids, url],
  )
  return rowCount ?? 0
}
