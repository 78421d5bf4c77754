import type { Pool } from '@cofre/platform/postgres/postgres'

/** After a rest, the attempts of one second may begin at once. */
const BURST = `interval '1 second'`

/** An endpoint with a limit of attempts a second, and how many attempts are wanted now. */
export type Wanted = { endpointId: number; rateLimit: number; attempts: number }

/**
 * Pays for attempts at endpoints with a rate limit, whichever replica makes them. `paid_until` moves on by the cost of
 * each attempt, and never further than a second ahead. Returns how many attempts are paid for, by endpoint.
 */
export async function payForAttempts(pool: Pool, wanted: readonly Wanted[]): Promise<Map<number, number>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await pool.query<{ endpointId: number; paid: number }>({
    name: 'pay-for-attempts',
    text: `WITH wanted AS (
        SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[]) AS w(endpoint_id, rate, attempts)),
      made AS (
        INSERT INTO endpoint_rates (endpoint_id, paid_until)
        SELECT endpoint_id, now() - ${BURST} FROM wanted JOIN endpoints ON endpoints.id = endpoint_id
        ORDER BY endpoint_id ON CONFLICT DO NOTHING),
      held AS (
        SELECT endpoint_id, paid_until FROM endpoint_rates WHERE endpoint_id = ANY($1::bigint[])
        ORDER BY endpoint_id FOR UPDATE),
      paid AS (
        SELECT endpoint_id, rate, greatest(paid_until, now()) AS since, least(attempts, floor(
          extract(epoch FROM now() + ${BURST} - greatest(paid_until, now())) * rate + 0.001))::int AS paid
        FROM held JOIN wanted USING (endpoint_id))
      UPDATE endpoint_rates r SET paid_until = since + paid * ${BURST} / rate FROM paid
      WHERE r.endpoint_id = paid.endpoint_id RETURNING r.endpoint_id AS "endpointId", paid`,
    values: [
      wanted.map(({ endpointId }) => endpointId),
      wanted.map(({ rateLimit }) => rateLimit),
      wanted.map(({ attempts }) => attempts),
    ],
  })
  return new Map(rows.map(({ endpointId, paid }) => [endpointId, paid]))
}

/** Gives back attempts that were paid for and not made. */
export async function giveBack(pool: Pool, unused: readonly Wanted[]): Promise<void> {
  if (unused.length === 0) return
  await pool.query({
    name: 'give-back-attempts',
    text: `UPDATE endpoint_rates SET paid_until = paid_until - attempts * ${BURST} / rate
      FROM unnest($1::bigint[], $2::int[], $3::int[]) AS unused(id, rate, attempts) WHERE endpoint_id = unused.id`,
    values: [
      unused.map(({ endpointId }) => endpointId),
      unused.map(({ rateLimit }) => rateLimit),
      unused.map(({ attempts }) => attempts),
    ],
  })
}
