import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Row } from '@cofre/platform/postgres/columns'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Payment } from '../payment/payment'
import { paymentOf, SELECT_PAYMENT } from './payment-store'

/** Returns the age in seconds of the oldest operation without an outcome. */
export async function oldestPendingAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT coalesce(extract(epoch FROM $1::timestamptz - min(operation_since)), 0)::float8 AS age
     FROM payments WHERE ask_at IS NOT NULL`,
    [new Date(databaseNow())],
  )
  return rows[0].age
}

/** Counts the payments with an operation pending since before a time. */
export async function countPendingTooLong(pool: Pool, before: number): Promise<number> {
  const { rows } = await pool.query<{ payments: number }>(
    'SELECT count(*) AS payments FROM payments WHERE ask_at IS NOT NULL AND operation_since < $1',
    [new Date(before)],
  )
  return rows[0]?.payments ?? 0
}

/** Lists payments with an operation pending since before a time, of one seller or of all, the oldest first. */
export async function listPendingTooLong(
  pool: Pool,
  { before, sellerId, limit }: { before: number; sellerId: number | undefined; limit: number },
): Promise<Payment[]> {
  const { rows } = await pool.query<{ row: Row }>(
    `${SELECT_PAYMENT} WHERE t.ask_at IS NOT NULL AND t.operation_since < $1 AND ($2::bigint IS NULL OR t.seller_id = $2)
     ORDER BY t.operation_since, t.id LIMIT $3`,
    [new Date(before), sellerId ?? null, limit],
  )
  return rows.map(paymentOf)
}
