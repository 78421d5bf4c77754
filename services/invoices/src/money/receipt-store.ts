import { notFound } from '@cofre/platform/errors'
import type { ListPage, PageRequest } from '@cofre/platform/list-page'
import type { Row } from '@cofre/platform/postgres/columns'
import { readList } from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { MOVEMENTS } from '../invoice/store/invoice-columns'
import type { Movement } from '../invoice/rules/movement'
import { RECEIPTS } from './receipt-columns'
import type { Receipt } from './receipt'

/** Whether a receipt is saved already: the bank reports it more than once. */
export async function isKept(
  tx: Db,
  { method, account, bankId }: Pick<Receipt, 'method' | 'account' | 'bankId'>,
): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'is-receipt-kept',
    text: 'SELECT FROM receipts WHERE method = $1 AND account = $2 AND bank_id = $3',
    values: [method, account, bankId],
  })
  return rows.length > 0
}

/** Saves a receipt. Undefined when it is saved already. */
export async function insertReceipt(tx: Db, draft: Omit<Receipt, 'id'>): Promise<Receipt | undefined> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'insert-receipt',
    text: `INSERT INTO receipts (${RECEIPTS.inserted()})
      SELECT ${RECEIPTS.inserted('r')} FROM json_populate_record(null::receipts, $1::json) r
      ON CONFLICT DO NOTHING RETURNING id`,
    values: [JSON.stringify(RECEIPTS.toRow({ ...draft, id: 0 }))],
  })
  return rows[0] && { ...draft, id: rows[0].id }
}

/** The seller's Pix key with which a Pix is known, or the charge that it names. Undefined: neither is known. */
export async function keyOfPix(
  db: Db,
  { sellerId, bankId, txid }: { sellerId: number; bankId: string; txid: string },
): Promise<string | undefined> {
  const { rows } = await db.query<{ account: string }>({
    name: 'key-of-pix',
    text: `SELECT account FROM receipts WHERE method = 'PIX' AND seller_id = $1 AND bank_id = $2
      UNION ALL SELECT account FROM pix_charges WHERE seller_id = $1 AND txid = $3 LIMIT 1`,
    values: [sellerId, bankId, txid],
  })
  return rows[0]?.account
}

export type ReceiptKey = { sellerId: number; id: number }

/** Reads a receipt, also one that an invoice took whole. NOT_FOUND also for another seller's. */
export async function readReceipt(db: Db, { sellerId, id }: ReceiptKey): Promise<Receipt> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-receipt',
    text: `SELECT row_to_json(t) AS row FROM receipts t WHERE id = $1 AND seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return RECEIPTS.fromRow(rows[0].row)
}

/** Finds money by the bank's name of it. */
export async function findReceipt(
  db: Db,
  { method, account, bankId }: Pick<Receipt, 'method' | 'account' | 'bankId'>,
): Promise<Receipt | undefined> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'find-receipt',
    text: 'SELECT row_to_json(t) AS row FROM receipts t WHERE method = $1 AND account = $2 AND bank_id = $3',
    values: [method, account, bankId],
  })
  return rows[0] && RECEIPTS.fromRow(rows[0].row)
}

/** Locks a receipt until the caller's commit, and reads it. Who locks its invoice too has done so before. */
export async function lockReceipt(tx: Db, key: ReceiptKey): Promise<Receipt> {
  // Two statements: the second reads the row as the earlier holder of the lock left it.
  await lockReceiptRow(tx, key)
  return readReceipt(tx, key)
}

/** Locks a receipt, also one that an invoice took whole. */
export async function lockReceiptRow(tx: Db, { id, sellerId }: ReceiptKey): Promise<void> {
  await tx.query({
    name: 'lock-receipt',
    text: 'SELECT FROM receipts WHERE id = $1 AND seller_id = $2 FOR UPDATE',
    values: [id, sellerId],
  })
}

/** Saves a changed receipt that the caller has locked, and the movements of its money that no invoice takes. */
export async function saveReceipt(tx: Db, receipt: Receipt, movements: readonly Movement[]): Promise<void> {
  await tx.query({
    name: 'save-receipt',
    text: `WITH saved AS (
        UPDATE receipts t SET ${RECEIPTS.updated('r')} FROM json_populate_record(null::receipts, $1::json) r WHERE t.id = $2)
      INSERT INTO movements (${MOVEMENTS.inserted()})
      SELECT ${MOVEMENTS.inserted('r')} FROM json_populate_recordset(null::movements, $3::json) r`,
    values: [
      JSON.stringify(RECEIPTS.toRow(receipt)),
      receipt.id,
      JSON.stringify(movements.map(MOVEMENTS.toRow)),
    ],
  })
}

/** Which unexpected receipts of a seller; what is undefined limits nothing. */
export type ReceiptFilter = { sellerId: number; resolved?: boolean | undefined } & {
  invoiceId?: number | undefined
  ourNumber?: string | undefined
  bankReceiptId?: string | undefined
}

/** A page of the receipts that no invoice took, newest first. */
export async function listUnexpected(
  pool: Pool,
  { sellerId, resolved, invoiceId, ourNumber, bankReceiptId }: ReceiptFilter,
  request: PageRequest & { after: number | undefined },
): Promise<ListPage<Receipt>> {
  const list = {
    table: 'receipts',
    select: 'SELECT row_to_json(t) AS row FROM receipts t',
    sellerId,
    conditions: [
      ['t.is_unexpected = $', true],
      ['t.is_resolved = $', resolved],
      ['t.invoice_id = $', invoiceId],
      ["t.method = 'BOLETO' AND t.ask_number = $", ourNumber],
      ['t.bank_id = $', bankReceiptId],
    ] as const,
    statuses: [],
  }
  const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
  return { ...end, entries: entries.map(({ row }) => RECEIPTS.fromRow(row)) }
}

/** Receipts that wait for a person, the oldest first: a seller's or, without `sellerId`, those of no seller. */
export async function listWaiting(db: Db, sellerId: number | undefined, limit: number): Promise<Receipt[]> {
  const { rows } = await db.query<{ row: Row }>({
    name: `list-waiting-receipts-${sellerId === undefined ? 'of-nobody' : 'of-seller'}`,
    text: `SELECT row_to_json(t) AS row FROM receipts t
      WHERE ${sellerId === undefined ? 'seller_id IS NULL' : 'seller_id = $2'} AND is_unexpected AND NOT is_resolved
      ORDER BY created_at, id LIMIT $1`,
    values: [limit, ...(sellerId === undefined ? [] : [sellerId])],
  })
  return rows.map(({ row }) => RECEIPTS.fromRow(row))
}

/** Notes how the platform team resolved a receipt of no seller; the first note stays. NOT_FOUND also if it has one. */
export async function closeReceipt(
  db: Db,
  id: number,
  { note, by, at }: { note: string; by: string; at: number },
): Promise<Receipt> {
  const { rows } = await db.query<{ row: Row }>(
    `UPDATE receipts t SET resolved_at = coalesce(resolved_at, $2), resolution = coalesce(resolution, $3),
       open_amount = 0, outcome = coalesce(outcome, 'KEPT'), resolved_by = coalesce(resolved_by, $4)
     WHERE id = $1 AND seller_id IS NULL AND is_unexpected RETURNING row_to_json(t) AS row`,
    [id, new Date(at), note, by],
  )
  if (!rows[0]) throw notFound()
  return RECEIPTS.fromRow(rows[0].row)
}

/** How many receipts wait for a person, up to 10,000. */
export async function countUnexpected(db: Db): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT FROM receipts WHERE is_unexpected AND NOT is_resolved LIMIT 10000) AS waiting`,
  )
  return rows[0]?.total ?? 0
}
