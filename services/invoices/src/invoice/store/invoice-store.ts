import { notFound } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows, type DomainEvent } from '@cofre/platform/events/outbox'
import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice, InvoiceCharge, Transaction, Unreached, WholeInvoice } from '../rules/invoice'
import type { Movement } from '../rules/movement'
import { notified, type Decision } from '../rules/transition'
import { AUTOMATIC_CHARGES, CHARGES, INVOICES, ITEMS, MOVEMENTS, TRANSACTIONS } from './invoice-columns'
import { eventOf } from './invoice-message'
import { savingOf } from './saving-store'
import { UNREACHED } from './unreached-store'

export type InvoiceKey = { sellerId: number; id: number }

/** Selects invoices `t` without their items, charges and attempts; the caller adds its condition. */
export const SELECT_INVOICE = `SELECT row_to_json(t) AS row, ${UNREACHED} AS unreached FROM invoices t`

export type InvoiceRow = { row: Row; unreached: Unreached | null }

export function invoiceOf({ row, unreached }: InvoiceRow): Invoice {
  return { ...INVOICES.fromRow(row), unreached }
}

/** The most attempts to pay that an invoice is read with: the latest ones. */
const TRANSACTIONS_MAX = 200

const TRANSACTIONS_OF = `(SELECT json_agg(row_to_json(x) ORDER BY x.id) FROM (
    SELECT * FROM invoice_transactions n WHERE n.invoice_id = t.id ORDER BY n.id DESC LIMIT ${TRANSACTIONS_MAX}) AS x)`

/** Selects whole invoices `t`; the caller adds its condition. */
export const SELECT_WHOLE = `SELECT row_to_json(t) AS row, ${UNREACHED} AS unreached, ${TRANSACTIONS_OF} AS transactions,
    (SELECT json_agg(row_to_json(i) ORDER BY i.id) FROM invoice_items i WHERE i.invoice_id = t.id) AS items,
    (SELECT row_to_json(c) FROM invoice_charges c WHERE c.invoice_id = t.id ORDER BY c.id DESC LIMIT 1) AS charge,
    (SELECT row_to_json(a) FROM automatic_charges a WHERE a.invoice_id = t.id) AS automatic
  FROM invoices t`

export type WholeRow = InvoiceRow & {
  items: Row[] | null
  charge: Row | null
  transactions: Row[] | null
  automatic: Row | null
}

export function wholeOf({ items, charge, transactions, automatic, ...read }: WholeRow): WholeInvoice {
  return {
    ...invoiceOf(read),
    items: (items ?? []).map(ITEMS.fromRow),
    charge: charge && CHARGES.fromRow(charge),
    transactions: (transactions ?? []).map(TRANSACTIONS.fromRow),
    automaticCharge: automatic && AUTOMATIC_CHARGES.fromRow(automatic),
  }
}

/** Reads an invoice. NOT_FOUND also for another seller's. */
export async function readInvoice(db: Db, { sellerId, id }: InvoiceKey): Promise<WholeInvoice> {
  const { rows } = await db.query<WholeRow>({
    name: 'read-invoice',
    text: `${SELECT_WHOLE} WHERE t.id = $1 AND t.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return wholeOf(rows[0])
}

/** The invoice that is paid on the page with this id. NOT_FOUND. */
export async function readPublicInvoice(db: Db, publicId: string): Promise<WholeInvoice> {
  const { rows } = await db.query<WholeRow>({
    name: 'read-public-invoice',
    text: `${SELECT_WHOLE} WHERE t.public_id = $1`,
    values: [publicId],
  })
  if (!rows[0]) throw notFound()
  return wholeOf(rows[0])
}

/** The latest charge of the invoice with an id or a number, and the attempts to pay it. NOT_FOUND also before there is one. */
export async function readLatestCharge(
  db: Db,
  {
    sellerId,
    id,
    invoiceNumber,
  }: { sellerId: number; id: number | undefined; invoiceNumber: string | undefined },
): Promise<{ charge: InvoiceCharge; transactions: Transaction[] }> {
  const [condition, value] = id === undefined ? ['t.invoice_number = $2', invoiceNumber] : ['t.id = $2', id]
  const { rows } = await db.query<{ row: Row; transactions: Row[] | null }>(
    `SELECT row_to_json(c) AS row, ${TRANSACTIONS_OF} AS transactions FROM invoices t JOIN invoice_charges c ON c.invoice_id = t.id
     WHERE t.seller_id = $1 AND ${condition} ORDER BY c.id DESC LIMIT 1`,
    [sellerId, value],
  )
  if (!rows[0]) throw notFound()
  const { row, transactions } = rows[0]
  return { charge: CHARGES.fromRow(row), transactions: (transactions ?? []).map(TRANSACTIONS.fromRow) }
}

/**
 * Locks the invoice, decides, and saves it with its event, in the caller's transaction. An undefined decision saves
 * nothing, and the invoice is returned as it is.
 */
export async function updateInvoice(
  deps: Saving,
  tx: Db,
  key: InvoiceKey,
  decide: (invoice: WholeInvoice) => Decision | undefined,
): Promise<WholeInvoice> {
  const invoice = await lockInvoice(tx, key)
  const decision = decide(invoice)
  return decision ? saveLocked(deps, tx, decision) : invoice
}

/** Locks an invoice until the caller's commit, and reads it. NOT_FOUND also for another seller's. */
export async function lockInvoice(tx: Db, key: InvoiceKey): Promise<WholeInvoice> {
  // Two statements: the second reads the row as the earlier holder of the lock left it.
  await tx.query({
    name: 'lock-invoice',
    text: 'SELECT FROM invoices WHERE id = $1 AND seller_id = $2 FOR UPDATE',
    values: [key.id, key.sellerId],
  })
  return readInvoice(tx, key)
}

/** Whether an invoice may still need finalizing: asked before it is locked, since almost none does. */
export async function awaitsFinalizing(db: Db, id: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'awaits-finalizing',
    text: `SELECT FROM invoices t WHERE id = $1 AND (status = 'OPEN'
      OR status = 'UNCOLLECTIBLE' AND NOT EXISTS (SELECT FROM invoice_charges c WHERE c.invoice_id = t.id))`,
    values: [id],
  })
  return rows.length > 0
}

/**
 * A step that follows each save of an invoice, in its transaction, and decides by the status. `added`: the movements of
 * the save, without their ids. Returns the invoice.
 */
export type AfterSave = (tx: Db, invoice: WholeInvoice, added: readonly Movement[]) => Promise<WholeInvoice>

/** `afterSave`: the steps, in their order. */
export type Saving = { afterSave: readonly AfterSave[] }

/** Saves a decision on an invoice that the caller has locked, with its charge, what follows from it, and its event. */
export async function saveLocked(
  { afterSave }: Saving,
  tx: Db,
  { invoice: decided, event, charge, method, movements = [] }: Decision,
): Promise<WholeInvoice> {
  const isSale = event === 'invoice.paid' && decided.paymentLinkProductId !== null
  const invoice = isSale ? notified(decided, decided.updatedAt) : decided
  const { rows } = await tx.query<{ row: Row }>(
    savingOf({ invoice: INVOICES.toRow(invoice), charge, method, movements: movements.map(MOVEMENTS.toRow) }),
  )
  let saved: WholeInvoice = { ...invoice, charge: rows[0] ? CHARGES.fromRow(rows[0].row) : invoice.charge }
  for (const follow of afterSave) saved = await follow(tx, saved, movements)
  if (!event) return saved
  await tx.query({
    name: 'tell-invoice',
    text: appendToOutbox('$1', 'true'),
    values: [outboxRows(isSale ? eventsOfSale(saved) : [eventOf(saved, event)])],
  })
  return saved
}

/** The event of a sale by a payment link follows the payment of its invoice. */
function eventsOfSale(invoice: WholeInvoice): DomainEvent[] {
  const paid = { ...invoice, sequence: invoice.sequence - 1 }
  return [eventOf(paid, 'invoice.paid'), eventOf(invoice, 'payment_link.paid')]
}
