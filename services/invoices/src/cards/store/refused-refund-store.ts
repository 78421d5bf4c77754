import type { Db } from '@cofre/platform/postgres/postgres'
import type { TransactionKey } from '../../invoice/store/transaction-store'

/** A payment that no invoice takes, and whose refund the acquirer finally refused. Cents; epoch milliseconds. */
export type RefusedRefund = TransactionKey & {
  chargeId: number
  amount: number
  refusals: number
  acquirerCode: string
  createdAt: number
}

export type RefusedReturn = { refusals: number; acquirerCode: string }

const IS_REFUSED = `status = 'PENDING' AND give_back AND ask_at IS NULL`

/** How many refusals of a payment's refund are noted. */
export async function notedRefusals(db: Db, { id }: Pick<TransactionKey, 'id'>): Promise<number> {
  const { rows } = await db.query<{ refusals: number }>({
    name: 'noted-refusals',
    text: 'SELECT return_refusals AS refusals FROM invoice_transactions WHERE id = $1',
    values: [id],
  })
  return rows[0]?.refusals ?? 0
}

/**
 * Notes a refusal. `retryAt`: when it is tried again, epoch milliseconds; null: a person decides. False when the money
 * is back by now.
 */
export async function noteRefusal(
  db: Db,
  { id }: Pick<TransactionKey, 'id'>,
  { refusals, acquirerCode }: RefusedReturn,
  retryAt: number | null,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'note-refusal',
    text: `UPDATE invoice_transactions SET return_refusals = $2, return_refusal_code = $3, ask_at = $4
      WHERE id = $1 AND status = 'PENDING' AND give_back`,
    values: [id, refusals, acquirerCode, retryAt === null ? null : new Date(retryAt)],
  })
  return rowCount === 1
}

/** Refused refunds that wait for a person, the oldest first. */
export async function listRefused(
  db: Db,
  sellerId: number | undefined,
  limit: number,
): Promise<RefusedRefund[]> {
  const { rows } = await db.query<Omit<RefusedRefund, 'createdAt'> & { createdAt: Date }>(
    `SELECT id, invoice_id AS "invoiceId", seller_id AS "sellerId", order_charge_id AS "chargeId", amount,
       return_refusals AS refusals, coalesce(return_refusal_code, '') AS "acquirerCode", created_at AS "createdAt"
     FROM invoice_transactions WHERE ${IS_REFUSED} AND ($1::bigint IS NULL OR seller_id = $1)
     ORDER BY created_at, id LIMIT $2`,
    [sellerId ?? null, limit],
  )
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() }))
}

/** How many refused refunds wait for a person, up to 10,000. */
export async function countRefused(db: Db): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT FROM invoice_transactions WHERE ${IS_REFUSED} LIMIT 10000) AS waiting`,
  )
  return rows[0]?.total ?? 0
}

export type Named = { sellerId: number; id: number }
type Refused = TransactionKey & { chargeId: number; isRefused: boolean; isClosed: boolean; isTried: boolean }

/** A seller's payment with the state of its refund. Undefined when there is none. `isTried`: its refund is tried. */
export async function findRefused(db: Db, { sellerId, id }: Named): Promise<Refused | undefined> {
  const { rows } = await db.query<Refused>(
    `SELECT id, invoice_id AS "invoiceId", seller_id AS "sellerId", coalesce(order_charge_id, 0) AS "chargeId",
       ${IS_REFUSED} AS "isRefused", closed_by_hand IS NOT NULL AS "isClosed",
       status = 'PENDING' AND give_back AND ask_at IS NOT NULL AS "isTried"
     FROM invoice_transactions WHERE id = $1 AND seller_id = $2`,
    [id, sellerId],
  )
  return rows[0]
}

/** Has a refused refund tried once more at `at`, epoch milliseconds. */
export async function retryRefused(db: Db, { sellerId, id }: Named, at: number): Promise<void> {
  await db.query(
    `UPDATE invoice_transactions SET ask_at = $3 WHERE id = $1 AND seller_id = $2 AND ${IS_REFUSED}`,
    [id, sellerId, new Date(at)],
  )
}

export type ClosingNote = { reason: string; by: string; at: number }

/** Notes that the money went back in another way. Orders knows nothing of it: the books are no longer compared. */
export async function noteClosed(db: Db, { sellerId, id }: Named, note: ClosingNote): Promise<void> {
  await db.query(
    `UPDATE invoice_transactions SET closed_by_hand = $3, compare_at = NULL WHERE id = $1 AND seller_id = $2`,
    [id, sellerId, JSON.stringify(note)],
  )
}
