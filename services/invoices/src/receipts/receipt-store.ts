import { notFound } from '@cofre/platform/errors'
import type { ListPage, PageRequest } from '@cofre/platform/list-page'
import type { Row } from '@cofre/platform/postgres/columns'
import { readList } from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { RECEIPTS } from '../boleto-store/boleto-columns'
import type { Receipt } from './receipt'

/** Whether a receipt is saved already: the bank reports it more than once. */
export async function isKept(
  tx: Db,
  { account, bankId }: Pick<Receipt, 'account' | 'bankId'>,
): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'is-receipt-kept',
    text: 'SELECT FROM receipts WHERE account = $1 AND bank_id = $2',
    values: [account, bankId],
  })
  return rows.length > 0
}

/** Saves a receipt. False when it is saved already. */
export async function insertReceipt(tx: Db, draft: Omit<Receipt, 'id'>): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-receipt',
    text: `INSERT INTO receipts (${RECEIPTS.inserted()})
      SELECT ${RECEIPTS.inserted('r')} FROM json_populate_record(null::receipts, $1::json) r
      ON CONFLICT ON CONSTRAINT receipts_once DO NOTHING`,
    values: [JSON.stringify(RECEIPTS.toRow({ ...draft, id: 0 }))],
  })
  return rowCount === 1
}

/** The seller whose slips have been registered in an account. */
export async function findSellerOfAccount(db: Db, account: string): Promise<number | null> {
  const { rows } = await db.query<{ seller_id: number }>(
    'SELECT seller_id FROM boletos WHERE account = $1 ORDER BY id DESC LIMIT 1',
    [account],
  )
  return rows[0]?.seller_id ?? null
}

/** A page of the receipts that no invoice took, newest first. `resolved` undefined: resolved or not. */
export async function listUnexpected(
  pool: Pool,
  { sellerId, resolved }: { sellerId: number; resolved: boolean | undefined },
  request: PageRequest & { after: number | undefined },
): Promise<ListPage<Receipt>> {
  const list = {
    table: 'receipts',
    select: 'SELECT row_to_json(t) AS row FROM receipts t',
    sellerId,
    conditions: [
      ['t.is_unexpected = $', true],
      ['t.is_resolved = $', resolved],
    ] as const,
    statuses: [],
  }
  const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
  return { ...end, entries: entries.map(({ row }) => RECEIPTS.fromRow(row)) }
}

/** Notes how a person resolved a receipt; the first note stays. NOT_FOUND also for money that an invoice took. */
export async function resolveReceipt(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
  { note, at }: { note: string; at: number },
): Promise<Receipt> {
  const { rows } = await db.query<{ row: Row }>(
    `UPDATE receipts t SET resolved_at = coalesce(resolved_at, $3), resolution = coalesce(resolution, $4)
     WHERE id = $1 AND seller_id = $2 AND is_unexpected RETURNING row_to_json(t) AS row`,
    [id, sellerId, new Date(at), note],
  )
  if (!rows[0]) throw notFound()
  return RECEIPTS.fromRow(rows[0].row)
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
       resolved_by = coalesce(resolved_by, $4)
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
