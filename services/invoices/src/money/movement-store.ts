import { listPage, type ListPage, type PageRequest } from '@cofre/platform/list-page'
import type { Row } from '@cofre/platform/postgres/columns'
import {
  readFollowing,
  readList,
  type FollowingRequest,
  type List,
} from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Owed } from '../invoice/rules/late-charges'
import {
  NOTHING,
  type CardFacts,
  type Movement,
  type MovementKind,
  type MovementMethod,
} from '../invoice/rules/movement'
import { MOVEMENTS } from '../invoice/store/invoice-columns'

/**
 * Which movements of a seller; what is undefined limits nothing. `from`, `to`: when money moved. `recordedFrom`,
 * `recordedTo`: when that was recorded. All included, epoch milliseconds. `endToEndId`, `txid`: of a Pix, and of the
 * charge that it paid. `ourNumber`: of a boleto. `bankReceiptId`: the bank's id of the receipt.
 */
export type MovementFilter = { sellerId: number } & {
  [Name in 'invoiceId' | 'receiptId' | 'from' | 'to' | 'recordedFrom' | 'recordedTo']?: number | undefined
} & { [Name in 'endToEndId' | 'txid' | 'ourNumber' | 'bankReceiptId']?: string | undefined } & {
  kind?: MovementKind | undefined
  method?: MovementMethod | undefined
}

type Printed = {
  invoiceNumber: string | null
  customerName: string | null
  customerDocument: string | null
  /** The bank's name of a Pix and of its charge, and who paid, empty where the bank does not say. */
  pix: { endToEndId: string; txid: string; payerName: string; payerDocument: string } | null
  /** The bank's name of a boleto, and of what paid it. */
  boleto: { ourNumber: string; bankReceiptId: string } | null
}

/** A movement with what was printed of its invoice, and its Pix. */
export type ShownMovement = Movement & Printed

/** `paidBy`: the card payment that the movement takes back, or brings again. */
type Shown = Printed & { row: Row; paidBy: CardFacts | null }

const SELECT = `SELECT row_to_json(t) AS row, i.invoice_number AS "invoiceNumber", i.customer_name AS "customerName",
    i.customer_document AS "customerDocument",
    (SELECT json_build_object('endToEndId', r.bank_id, 'txid', r.ask_number, 'payerName', coalesce(r.payer_name, ''),
        'payerDocument', coalesce(r.payer_document, ''))
      FROM receipts r WHERE t.method = 'PIX' AND r.id = t.receipt_id) AS pix,
    (SELECT json_build_object('ourNumber', r.ask_number, 'bankReceiptId', r.bank_id)
      FROM receipts r WHERE r.method = 'BOLETO' AND r.id = t.receipt_id) AS boleto,
    (SELECT p.card FROM invoice_transactions x JOIN movements p ON p.invoice_id = x.invoice_id
        AND p.transaction_id = x.id AND p.kind = 'PAYMENT'
      WHERE t.card IS NULL AND x.id = t.transaction_id LIMIT 1) AS "paidBy"
  FROM movements t LEFT JOIN invoices i ON i.id = t.invoice_id`

/** The receipts whose movements are looked for, by what the bank calls them or their asks. Undefined: of all. */
async function receiptsOf(db: Db, filter: MovementFilter): Promise<number[] | undefined> {
  const { sellerId, endToEndId, txid, ourNumber, bankReceiptId } = filter
  const named = [
    ...(endToEndId === undefined && txid === undefined ? [] : [await receiptsOfPix(db, filter)]),
    ...(ourNumber === undefined && bankReceiptId === undefined
      ? []
      : [await receiptsNamed(db, { sellerId, ourNumber, bankReceiptId })]),
  ]
  const [first, ...others] = named
  return first?.filter((id) => others.every((ids) => ids.includes(id)))
}

/** A slip can be paid more than once, and seldom is. */
async function receiptsNamed(
  db: Db,
  { sellerId, ourNumber, bankReceiptId }: MovementFilter,
): Promise<number[]> {
  const byNumber = {
    name: 'receipts-of-boleto',
    text: `SELECT id FROM receipts WHERE seller_id = $1 AND ask_number = $2 AND method = 'BOLETO'
      AND ($3::text IS NULL OR bank_id = $3) ORDER BY id LIMIT 100`,
    values: [sellerId, ourNumber, bankReceiptId ?? null],
  }
  const byBank = {
    name: 'receipts-of-bank-id',
    text: 'SELECT id FROM receipts WHERE seller_id = $1 AND bank_id = $2 ORDER BY id LIMIT 100',
    values: [sellerId, bankReceiptId],
  }
  const { rows } = await db.query<{ id: number }>(ourNumber === undefined ? byBank : byNumber)
  return rows.map(({ id }) => id)
}

async function receiptsOfPix(db: Db, { sellerId, endToEndId, txid }: MovementFilter): Promise<number[]> {
  const ofPix = {
    name: 'receipts-of-pix',
    text: `SELECT id FROM receipts WHERE method = 'PIX' AND seller_id = $1 AND bank_id = $2
      AND ($3::text IS NULL OR ask_number = $3)`,
    values: [sellerId, endToEndId, txid ?? null],
  }
  const ofCharge = {
    name: 'receipts-of-pix-charge',
    text: `SELECT r.id FROM pix_charges c JOIN receipts r ON r.method = 'PIX' AND r.account = c.account AND r.ask_number = c.txid
      WHERE c.seller_id = $1 AND c.txid = $2 ORDER BY r.id LIMIT 100`,
    values: [sellerId, txid],
  }
  const { rows } = await db.query<{ id: number }>(endToEndId === undefined ? ofCharge : ofPix)
  return rows.map(({ id }) => id)
}

function listOf(filter: MovementFilter, receiptIds: readonly number[] | undefined): List {
  const { sellerId, invoiceId, receiptId, from, to, recordedFrom, recordedTo, kind, method } = filter
  return {
    table: 'movements',
    select: SELECT,
    sellerId,
    conditions: [
      ['t.invoice_id = $', invoiceId],
      ['t.kind = $', kind],
      ['t.method = $', method],
      ['t.receipt_id = $', receiptId],
      ['t.receipt_id = ANY ($)', receiptIds],
    ],
    statuses: [],
    ranges: [
      { column: 'at', from, to },
      { column: 'created_at', from: recordedFrom, to: recordedTo },
    ],
  }
}

function shownOf({ row, paidBy, ...printed }: Shown): ShownMovement {
  const movement = MOVEMENTS.fromRow(row)
  return { ...movement, card: movement.card ?? paidBy, ...printed }
}

/** What an invoice has taken and not given back, by part, cents. The caller has locked it. */
export function readHeld(tx: Db, invoiceId: number): Promise<Owed> {
  return readParts(tx, invoiceId, ['PAYMENT', 'DISPUTE_WON'], ['REFUND', 'RETURN', 'DISPUTE'])
}

/** What disputes hold of what an invoice took, by part, cents. The caller has locked the invoice. */
export function readDisputed(tx: Db, invoiceId: number): Promise<Owed> {
  return readParts(tx, invoiceId, ['DISPUTE'], ['DISPUTE_WON'])
}

/** The sums of movements of some kinds, less those of others. */
async function readParts(
  tx: Db,
  invoiceId: number,
  added: readonly MovementKind[],
  taken: readonly MovementKind[],
): Promise<Owed> {
  const { rows } = await tx.query<Owed>({
    name: 'read-parts-of-money',
    text: `SELECT coalesce(sum(sign * principal), 0)::bigint AS principal, coalesce(sum(sign * fine), 0)::bigint AS fine,
        coalesce(sum(sign * interest), 0)::bigint AS interest
      FROM (SELECT *, CASE WHEN kind = ANY($2::movement_kind[]) THEN 1 ELSE -1 END AS sign FROM movements
        WHERE invoice_id = $1 AND kind = ANY($2::movement_kind[] || $3::movement_kind[])) moved`,
    values: [invoiceId, added, taken],
  })
  return rows[0] ?? NOTHING
}

/** A page of movements, the latest recorded first. Throws PAGE_TOO_DEEP. */
export async function listMovements(
  pool: Pool,
  filter: MovementFilter,
  request: PageRequest & { after: number | undefined },
): Promise<ListPage<ShownMovement>> {
  const receiptIds = await receiptsOf(pool, filter)
  // No receipt is so named: the list of all movements need not be read to find none.
  if (receiptIds?.length === 0 && request.after === undefined) return listPage<ShownMovement>([], 0, request)
  const list = listOf(filter, receiptIds)
  const { entries, ...end } = await readList<Shown>(pool, list, request)
  return { ...end, entries: entries.map(shownOf) }
}

/** The next movements of that list, without a count. */
export async function exportMovements(
  pool: Pool,
  filter: MovementFilter,
  request: FollowingRequest,
): Promise<Pick<ListPage<ShownMovement>, 'entries' | 'more' | 'place'>> {
  const list = listOf(filter, await receiptsOf(pool, filter))
  const { entries, ...end } = await readFollowing<Shown>(pool, list, request)
  return { ...end, entries: entries.map(shownOf) }
}
