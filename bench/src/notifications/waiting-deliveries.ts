import type { Pool } from '@cofre/platform/postgres/postgres'

/** The number of events of each charge, delivered in order. */
export const EVENTS_OF_CHARGE = 2
const CHARGES_AT_ONCE = 50_000

export type Backlog = { sellerId: number; endpointId: number; url: string }

/**
 * Stores the deliveries that an endpoint missed, as the notifier stores them, for charges `from` to `to`. Each charge
 * has two events: the first failed once, and both wait. All are due.
 */
export async function storeWaiting(
  pool: Pool,
  { sellerId, endpointId, url }: Backlog,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO receivers (seller_id, name, endpoint_id, host, state, next_at)
     VALUES ($1, $2, $3, $4, 'OPEN', now()) ON CONFLICT ON CONSTRAINT receivers_once DO NOTHING`,
    [sellerId, `endpoint ${endpointId}`, endpointId, new URL(url).hostname],
  )
  for (let first = from; first <= to; first += CHARGES_AT_ONCE) {
    const last = Math.min(to, first + CHARGES_AT_ONCE - 1)
    await pool.query(
      `INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id, resource_url,
         sequence, url, body, traceparent, status, attempts, last_status, created_at, next_attempt_at)
       SELECT 'evt_' || md5(charge || ' ' || sequence), $1, $2, 'charge.captured', 'charge', charge::text,
         'https://pay.example/api/v2/charges/' || charge, sequence, $3,
         json_build_object('id', 'evt_' || md5(charge || ' ' || sequence), 'type', 'charge.captured', 'sellerId', $2::bigint,
           'sequence', sequence, 'resource', json_build_object('kind', 'charge', 'id', charge),
           'data', json_build_object('id', charge, 'status', 'CAPTURED', 'padding', repeat('x', 600))),
         '00-' || md5(charge::text) || '-' || left(md5(charge::text), 16) || '-00', 'PENDING',
         CASE sequence WHEN 1 THEN 1 ELSE 0 END, CASE sequence WHEN 1 THEN 503 END, now() - interval '1 hour',
         CASE sequence WHEN 1 THEN now() END
       FROM generate_series($4::int, $5::int) AS charge, generate_series(1, ${EVENTS_OF_CHARGE}) AS sequence`,
      [endpointId, sellerId, url, first, last],
    )
    await pool.query(
      `INSERT INTO lanes (id, host, receiver_id, retried, due_at)
       SELECT lane, $2, (SELECT id FROM receivers WHERE endpoint_id = $1), true, now() - random() * interval '1 minute'
       FROM deliveries WHERE endpoint_id = $1 AND sequence = 1 AND resource_id::int BETWEEN $3 AND $4`,
      [endpointId, new URL(url).host, first, last],
    )
  }
  await pool.query('VACUUM ANALYZE deliveries, lanes, receivers')
}

/** Postpones all deliveries, as if their first attempts had failed and the next were due in an hour. */
export async function postponeAll(pool: Pool): Promise<void> {
  await pool.query("UPDATE lanes SET due_at = now() + interval '1 hour' + random() * interval '1 hour'")
  await pool.query("UPDATE receivers SET next_at = now() + interval '1 hour'")
  await pool.query('VACUUM ANALYZE lanes, receivers')
}
