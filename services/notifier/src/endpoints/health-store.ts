import type { Pool } from '@cofre/platform/postgres/postgres'

/** How an endpoint did in the last 24 hours. `medianMs`: the median time of its answers. */
export type Health = {
  endpointId: number
  delivered: number
  failed: number
  pending: number
  medianMs: number | null
  isLowerBound: boolean
}

/** At most this many deliveries are counted, the newest. */
const COUNTED = 1_000

/** Reads few rows of each endpoint, however many deliveries it has. */
export async function readHealth(
  pool: Pool,
  sellerId: number,
  endpointIds: readonly number[],
): Promise<Health[]> {
  const { rows } = await pool.query<Health>(
    `SELECT e.id AS "endpointId", health.* FROM endpoints e CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE status = 'DELIVERED')::int AS delivered,
         count(*) FILTER (WHERE status = 'FAILED')::int AS failed,
         count(*) FILTER (WHERE status = 'PENDING')::int AS pending,
         round(percentile_disc(0.5) WITHIN GROUP (ORDER BY took))::int AS "medianMs",
         count(*) = ${COUNTED} AS "isLowerBound"
       FROM (
         SELECT id, status, attempts FROM deliveries WHERE endpoint_id = e.id AND seller_id = $1
           AND created_at > now() - interval '1 day' ORDER BY id DESC LIMIT ${COUNTED}) AS recent
       LEFT JOIN LATERAL (
         SELECT duration_ms AS took FROM attempts
         WHERE delivery_id = recent.id AND number = recent.attempts AND attempts.status IS NOT NULL) AS last ON true
     ) AS health
     WHERE e.seller_id = $1 AND e.id = ANY($2::bigint[]) ORDER BY e.id`,
    [sellerId, endpointIds],
  )
  return rows
}
