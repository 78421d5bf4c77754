import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Transaction } from '../charge/charge'

/** An operation that has not ended. Times in epoch milliseconds. */
export type PendingTransaction = Pick<Transaction, 'type' | 'amount'> & {
  sellerId: number
  chargeId: number
  transactionId: number
  orderNumber: string
  acquirerPaymentId: string
  createdAt: number
}

// A Pix waits for its payer until it expires: it is pending from then on, or from the beginning while the bank has not
// answered.
const SINCE = `CASE WHEN t.type = 'AUTHORIZATION' AND p.pix_copy_and_paste IS NOT NULL
  THEN greatest(t.created_at, p.pix_expires_at) ELSE t.created_at END`
// A charge with no time to ask has nothing pending. An authorization whose turn has not come waits for another one.
const PENDING = `FROM charges c JOIN transactions t ON t.charge_id = c.id
    JOIN payments p ON p.charge_id = t.charge_id AND p.position = t.position
  WHERE c.ask_at IS NOT NULL AND t.status = 'PENDING' AND ${SINCE} < $1
    AND (t.type <> 'AUTHORIZATION' OR t.dispatch_deadline IS NOT NULL)`

/** How many charges have an operation pending since before a time. */
export async function countPendingTooLong(pool: Pool, before: number): Promise<number> {
  const { rows } = await pool.query<{ charges: number }>(
    `SELECT count(DISTINCT c.id) AS charges ${PENDING}`,
    [new Date(before)],
  )
  return rows[0]?.charges ?? 0
}

/** Seconds since the oldest pending operation began; 0 when nothing is pending. */
export async function oldestPendingAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ age: number }>(
    `SELECT coalesce(extract(epoch FROM $1::timestamptz - min(${SINCE})), 0)::float8 AS age ${PENDING}`,
    [new Date(databaseNow())],
  )
  return rows[0]?.age ?? 0
}

/** Operations pending since before a time, of all sellers or of one, the oldest first. */
export async function listPendingTooLong(
  pool: Pool,
  { before, sellerId, limit }: { before: number; sellerId: number | undefined; limit: number },
): Promise<PendingTransaction[]> {
  const { rows } = await pool.query<Omit<PendingTransaction, 'createdAt'> & { createdAt: Date }>(
    `SELECT p.seller_id AS "sellerId", p.charge_id AS "chargeId", t.id AS "transactionId", t.type,
       t.amount, p.order_number AS "orderNumber", p.acquirer_payment_id AS "acquirerPaymentId",
       t.created_at AS "createdAt"
     ${PENDING} AND ($2::bigint IS NULL OR c.seller_id = $2)
     ORDER BY t.created_at, t.charge_id, t.id LIMIT $3`,
    [new Date(before), sellerId ?? null, limit],
  )
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() }))
}
