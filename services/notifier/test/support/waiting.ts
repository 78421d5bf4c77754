import type { Pool } from '@cofre/platform/postgres/postgres'

type Options = {
  sellerId: number
  endpointId: number | null
  url: string
  count: number
  /** The charge of the first one; the others follow. */
  firstId?: number
  sequence?: number
  status?: 'PENDING' | 'FAILED'
  ageDays?: number
  /** Seconds from now to the next attempt. */
  dueInSeconds?: number
}

/** Stores deliveries of `count` charges, each after a failed attempt, as the notifier's first version wrote them. */
export async function storeWaiting(pool: Pool, options: Options): Promise<void> {
  const { sellerId, endpointId, url, count, firstId = 1, sequence = 1, status = 'PENDING' } = options
  const { ageDays = 0, dueInSeconds = 3_600 } = options
  await pool.query(
    `INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id, resource_url,
       sequence, url, body, traceparent, status, attempts, last_status, created_at, next_attempt_at)
     SELECT 'evt_' || md5(random()::text || id), $1, $2, 'charge.captured', 'charge', id::text, 'https://pay.example/c',
       $3::int, $4, json_build_object('sequence', $3::int, 'resource', json_build_object('id', id)),
       '00-' || md5(id::text) || '-' || left(md5(id::text), 16) || '-00', $5::text, 1, 500,
       now() - $6 * interval '1 day',
       CASE $5::text WHEN 'PENDING' THEN now() + $9 * interval '1 second' END
     FROM generate_series($7::int, $7::int + $8::int - 1) AS id`,
    [endpointId, sellerId, sequence, url, status, ageDays, firstId, count, dueInSeconds],
  )
  await pool.query(
    `INSERT INTO lanes (id, host, due_at) SELECT DISTINCT lane, $1, now() + $3 * interval '1 second' FROM deliveries
     WHERE status = 'PENDING' AND seller_id = $2 ON CONFLICT DO NOTHING`,
    [new URL(url).host, sellerId, dueInSeconds],
  )
}
