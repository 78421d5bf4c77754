import {
  assigned,
  changing,
  changingTime,
  fixed,
  fixedTime,
  table,
  type Row,
} from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { PixRefund } from '../rules/pix-refund'

const LISTED_MAX = 100

/** The one place that names the columns of a refund. */
const COLUMNS = table<PixRefund>({
  id: assigned,
  sellerId: fixed,
  receiptId: fixed,
  invoiceId: fixed,
  account: fixed,
  endToEndId: fixed,
  number: fixed,
  amount: fixed,
  status: changing,
  nature: fixed,
  note: fixed,
  refusal: changing,
  dispatchDeadline: changingTime,
  operationId: changing,
  askAt: changingTime,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

type Found = { row: Row }

export async function insertRefund(tx: Db, draft: Omit<PixRefund, 'id'>): Promise<PixRefund> {
  const { rows } = await tx.query<Found>({
    name: 'insert-pix-refund',
    text: `INSERT INTO pix_refunds AS t (${COLUMNS.inserted()})
      SELECT ${COLUMNS.inserted('r')} FROM json_populate_record(null::pix_refunds, $1::json) r
      RETURNING row_to_json(t) AS row`,
    values: [JSON.stringify(COLUMNS.toRow({ ...draft, id: 0 }))],
  })
  if (!rows[0]) throw new Error('a refund was not made')
  return COLUMNS.fromRow(rows[0].row)
}

async function select(db: Db, what: string, condition: string, values: unknown[]): Promise<PixRefund[]> {
  const text = `SELECT row_to_json(t) AS row FROM pix_refunds t WHERE ${condition}`
  const { rows } = await db.query<Found>({ name: `${what}-pix-refunds`, text, values })
  return rows.map(({ row }) => COLUMNS.fromRow(row))
}

export async function findRefund(db: Db, id: number): Promise<PixRefund | undefined> {
  return (await select(db, 'find', 't.id = $1', [id]))[0]
}

/** The refund of a receipt that the bank calls so. */
export async function findRefundOf(
  db: Db,
  { receiptId, number }: Pick<PixRefund, 'receiptId' | 'number'>,
): Promise<PixRefund | undefined> {
  return (
    await select(db, 'find-numbered', 't.receipt_id = $1 AND t.number = $2 LIMIT 1', [receiptId, number])
  )[0]
}

/** Locks a refund. Who does has locked its invoice, or its receipt when it has none. */
export async function lockRefund(tx: Db, id: number): Promise<PixRefund> {
  const [refund] = await select(tx, 'lock', 't.id = $1 FOR UPDATE', [id])
  if (!refund) throw new Error('a refund is gone')
  return refund
}

export async function saveRefund(tx: Db, refund: PixRefund): Promise<void> {
  await tx.query({
    name: 'save-pix-refund',
    text: `UPDATE pix_refunds t SET ${COLUMNS.updated('r')}
      FROM json_populate_record(null::pix_refunds, $1::json) r WHERE t.id = $2`,
    values: [JSON.stringify(COLUMNS.toRow(refund)), refund.id],
  })
}

/** The refunds of a seller's invoice, newest first: one, or the latest `LISTED_MAX`. */
export function refundsOf(
  db: Db,
  { sellerId, invoiceId }: { sellerId: number; invoiceId: number },
  id?: number,
): Promise<PixRefund[]> {
  const condition = `t.invoice_id = $1 AND t.seller_id = $2 AND ($3::bigint IS NULL OR t.id = $3)
    ORDER BY t.id DESC LIMIT ${LISTED_MAX}`
  return select(db, 'list', condition, [invoiceId, sellerId, id ?? null])
}

/** Takes refunds that are due, for this caller alone until their next time. Returns their ids. */
export async function leaseRefunds(pool: Pool, lease: Lease): Promise<number[]> {
  const due = { table: 'pix_refunds', key: 'id', returning: 'id' }
  return (await leaseDue<{ id: number }>(pool, due, lease)).map(({ id }) => id)
}

/** Money of an invoice that is on its way back by Pix, cents. The caller has locked the invoice. */
export async function pendingRefunds(tx: Db, invoiceId: number): Promise<number> {
  const { rows } = await tx.query<{ amount: number }>({
    name: 'pending-pix-refunds',
    text: `SELECT coalesce(sum(amount), 0)::bigint AS amount FROM pix_refunds
      WHERE invoice_id = $1 AND status = 'PENDING'`,
    values: [invoiceId],
  })
  return rows[0]?.amount ?? 0
}

/** The age in seconds, at a moment (epoch milliseconds), of the oldest refund that is not over. */
export async function oldestRefundAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS age FROM pix_refunds
     WHERE ask_at IS NOT NULL`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}
