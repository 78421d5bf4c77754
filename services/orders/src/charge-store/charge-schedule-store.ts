import type { Pool } from '@cofre/platform/postgres/postgres'
import type { ChargeKey } from './charge-store'

/**
 * Takes charges whose time to ask has come, for this caller alone until their next time: from `firstMs`, twice as
 * long after each asking, up to `maxMs`.
 */
export async function leaseCharges(
  pool: Pool,
  lease: { at: number; firstMs: number; maxMs: number; batch: number },
): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>({
    name: 'lease-charges',
    text: `UPDATE charges SET asks = asks + 1,
        ask_at = $1::timestamptz + least($2 * power(2, least(asks + 1, 20)), $3) * interval '1 millisecond'
      WHERE id IN (SELECT id FROM charges WHERE ask_at <= $1::timestamptz ORDER BY ask_at LIMIT $4
        FOR UPDATE SKIP LOCKED)
      RETURNING id, seller_id AS "sellerId"`,
    values: [new Date(lease.at), lease.firstMs, lease.maxMs, lease.batch],
  })
  return rows
}

/** Charges still authorized that were made before a time, the oldest first. */
export async function findExpired(pool: Pool, madeBefore: number, batch: number): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>(
    `SELECT id, seller_id AS "sellerId" FROM charges
     WHERE status = 'AUTHORIZED' AND ask_at IS NULL AND amount > 0 AND created_at < $1
     ORDER BY created_at LIMIT $2`,
    [new Date(madeBefore), batch],
  )
  return rows
}

/** Seconds since the oldest charge was made of which something is not known yet. */
export async function oldestPendingAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
     FROM charges WHERE ask_at IS NOT NULL`,
  )
  return rows[0].age
}
