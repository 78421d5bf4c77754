import type { Pool } from '@cofre/platform/postgres/postgres'
import type { AcquirerName } from '../acquirer/acquirer-name'
import type { ChargeKey } from './charge-store'

/** Charges at an acquirer that are still authorized and were made before a time, the oldest first. */
export async function findExpired(
  pool: Pool,
  acquirer: AcquirerName,
  madeBefore: number,
  batch: number,
): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>(
    `SELECT c.id, c.seller_id AS "sellerId" FROM charges c JOIN establishments e ON e.id = c.establishment_id
     WHERE c.status = 'AUTHORIZED' AND c.ask_at IS NULL AND c.amount > 0 AND c.created_at < $1 AND e.acquirer = $3
     ORDER BY c.created_at LIMIT $2`,
    [new Date(madeBefore), batch, acquirer],
  )
  return rows
}
