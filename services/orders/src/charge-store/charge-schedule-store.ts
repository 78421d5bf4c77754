import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { ChargeKey } from './charge-store'

/** Takes charges that are due to be asked about, for this caller alone until their next time. */
export function leaseCharges(pool: Pool, lease: Lease): Promise<ChargeKey[]> {
  return leaseDue(pool, { table: 'charges', key: 'id', returning: 'id, seller_id AS "sellerId"' }, lease)
}

/** Takes failed or denied charges that are due for another look, for this caller alone for `againMs`. */
export async function leaseLooks(
  pool: Pool,
  { at, againMs, batch }: { at: number; againMs: number; batch: number },
): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>(
    `UPDATE charges SET look_again_at = $2
     WHERE id IN (SELECT id FROM charges WHERE look_again_at <= $1 ORDER BY look_again_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
     RETURNING id, seller_id AS "sellerId"`,
    [new Date(at), new Date(at + againMs), batch],
  )
  return rows
}

/** Charges that are still authorized and were made before a time, the oldest first. */
export async function findExpired(pool: Pool, madeBefore: number, batch: number): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>(
    `SELECT id, seller_id AS "sellerId" FROM charges
     WHERE status = 'AUTHORIZED' AND ask_at IS NULL AND amount > 0 AND created_at < $1
     ORDER BY created_at LIMIT $2`,
    [new Date(madeBefore), batch],
  )
  return rows
}
