import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Row } from '@cofre/platform/postgres/columns'
import { RECEIPTS } from '../boleto-store/boleto-columns'
import type { TransactionKey } from '../payment-store/transaction-store'
import type { Receipt } from '../receipts/receipt'

/** An attempt to pay, or a slip, that is due to be compared. */
export type DueComparison =
  ({ table: 'invoice_transactions' } & TransactionKey) | { table: 'boletos'; id: number; ourNumber: string }

type Table = DueComparison['table']

const RETURNED: Record<Table, string> = {
  invoice_transactions: 'id, invoice_id AS "invoiceId", seller_id AS "sellerId"',
  boletos: 'id, our_number AS "ourNumber"',
}

/** Takes entries that are due, up to `batch` of each kind, for this caller alone until `again` (epoch milliseconds). */
export async function leaseComparisons(
  pool: Pool,
  { at, again, batch }: { at: number; again: number; batch: number },
): Promise<DueComparison[]> {
  const [cards, slips] = await Promise.all([
    lease(pool, 'invoice_transactions', at, again, batch),
    lease(pool, 'boletos', at, again, batch),
  ])
  return [...cards, ...slips]
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

/** All receipts of a slip. */
export async function receiptsOfBoleto(db: Db, boletoId: number): Promise<Receipt[]> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'receipts-of-boleto',
    text: 'SELECT row_to_json(t) AS row FROM receipts t WHERE boleto_id = $1 ORDER BY id',
    values: [boletoId],
  })
  return rows.map(({ row }) => RECEIPTS.fromRow(row))
}

/** Whether the receipts of an invoice's slips add up to its payments by boleto. */
export async function boletosAddUp(db: Db, invoiceId: number): Promise<boolean> {
  const { rows } = await db.query<{ same: boolean }>({
    name: 'boletos-add-up',
    text: `SELECT (SELECT coalesce(sum(amount - unexpected), 0) FROM receipts WHERE invoice_id = $1)
      = (SELECT coalesce(sum(amount), 0) FROM invoice_transactions
         WHERE invoice_id = $1 AND type = 'BOLETO' AND status = 'SUCCEEDED') AS same`,
    values: [invoiceId],
  })
  return rows[0]?.same === true
}

/** How many seconds the oldest entry has waited, at a moment (epoch milliseconds), to be compared. */
export async function oldestComparisonAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - least(
       (SELECT min(compare_at) FROM invoice_transactions WHERE compare_at IS NOT NULL),
       (SELECT min(compare_at) FROM boletos WHERE compare_at IS NOT NULL))), 0)::float8 AS age`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}
