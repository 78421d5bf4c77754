import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Row } from '@cofre/platform/postgres/columns'
import { RECEIPTS } from '../money/receipt-columns'
import type { TransactionKey } from '../invoice/store/transaction-store'
import type { PaidFor } from '../methods/ask'
import type { Receipt } from '../money/receipt'

/** An ask that is due to be compared, with its number at the bank. */
export type DueAsk = { table: 'boletos' | 'pix_charges'; id: number; askNumber: string }

/** An attempt to pay, or an ask, that is due to be compared. */
export type DueComparison = ({ table: 'invoice_transactions' } & TransactionKey) | DueAsk

type Table = DueComparison['table']

const RETURNED: Record<Table, string> = {
  invoice_transactions: 'id, invoice_id AS "invoiceId", seller_id AS "sellerId"',
  boletos: 'id, our_number AS "askNumber"',
  pix_charges: 'id, txid AS "askNumber"',
}

/** Takes entries that are due, up to `batch` of each kind, for this caller alone until `again` (epoch milliseconds). */
export async function leaseComparisons(
  pool: Pool,
  { at, again, batch }: { at: number; again: number; batch: number },
): Promise<DueComparison[]> {
  const tables = Object.keys(RETURNED) as Table[]
  const due = await Promise.all(tables.map((table) => lease(pool, table, at, again, batch)))
  return due.flat()
}

async function lease(
  pool: Pool,
  table: Table,
  at: number,
  again: number,
  batch: number,
): Promise<DueComparison[]> {
  const { rows } = await pool.query<Omit<DueComparison, 'table'>>({
    name: `lease-comparisons-${table}`,
    text: `UPDATE ${table} SET compare_at = $2::timestamptz
      WHERE id IN (SELECT id FROM ${table} WHERE compare_at <= $1::timestamptz ORDER BY compare_at LIMIT $3
        FOR UPDATE SKIP LOCKED)
      RETURNING ${RETURNED[table]}`,
    values: [new Date(at), new Date(again), batch],
  })
  return rows.map((row) => ({ ...row, table }) as DueComparison)
}

/** Sets when an entry is compared again, epoch milliseconds. Null means never. */
export async function setNextComparison(
  db: Db,
  { table, id }: Pick<DueComparison, 'table' | 'id'>,
  nextAt: number | null,
): Promise<void> {
  await db.query({
    name: `next-comparison-${table}`,
    text: `UPDATE ${table} SET compare_at = $2 WHERE id = $1`,
    values: [id, nextAt === null ? null : new Date(nextAt)],
  })
}

/** All money that the bank reported for a number, of an ask of ours or not. */
export async function receiptsOfAsk(db: Db, { method, account, askNumber }: PaidFor): Promise<Receipt[]> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'receipts-of-ask',
    text: 'SELECT row_to_json(t) AS row FROM receipts t WHERE method = $1 AND account = $2 AND ask_number = $3 ORDER BY id',
    values: [method, account, askNumber],
  })
  return rows.map(({ row }) => RECEIPTS.fromRow(row))
}

/** Whether the money that the bank reported for an invoice's asks either waits for a person or is in the journal. */
export async function receiptsAddUp(db: Db, invoiceId: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'receipts-add-up',
    text: `SELECT FROM receipts r WHERE invoice_id = $1 AND amount - open_amount <> (
      SELECT coalesce(sum(m.amount), 0) FROM movements m WHERE m.receipt_id = r.id AND m.kind = 'PAYMENT') LIMIT 1`,
    values: [invoiceId],
  })
  return rows.length === 0
}

/** Whether what came in for an invoice, by its attempts to pay and outside, is what the journal says. */
export async function movementsAddUp(db: Db, invoiceId: number): Promise<boolean> {
  const { rows } = await db.query<{ same: boolean }>({
    name: 'movements-add-up',
    text: `SELECT i.paid_amount
        = (SELECT coalesce(sum(payable), 0) FROM invoice_transactions WHERE invoice_id = i.id AND status = 'SUCCEEDED')
        + (SELECT coalesce(sum(amount), 0) FROM movements WHERE invoice_id = i.id AND kind = 'PAYMENT' AND method = 'EXTERNAL')
      AS same FROM invoices i WHERE i.id = $1`,
    values: [invoiceId],
  })
  return rows[0]?.same === true
}

/** How many seconds the oldest entry has waited, at a moment (epoch milliseconds), to be compared. */
export async function oldestComparisonAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - least(
       (SELECT min(compare_at) FROM invoice_transactions WHERE compare_at IS NOT NULL),
       (SELECT min(compare_at) FROM boletos WHERE compare_at IS NOT NULL),
       (SELECT min(compare_at) FROM pix_charges WHERE compare_at IS NOT NULL))), 0)::float8 AS age`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}
