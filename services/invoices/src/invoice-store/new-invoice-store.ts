import { DomainError, unavailable } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice, Item, PrintedCustomer, WholeInvoice } from '../invoice/invoice'
import { madeNumber } from '../invoice/invoice-number'
import { CHARGES, INVOICES, ITEMS } from './invoice-columns'
import { eventOf } from './invoice-message'

/** What a new invoice refers to. `customer` undefined: there is none. Products that are not there are missing. */
export type References = { customer: PrintedCustomer | undefined; products: ReadonlyMap<number, string> }

/** Reads the customer and the names of the products, and holds them: nobody deletes them before the caller's commit. */
export async function holdReferences(
  tx: Db,
  {
    sellerId,
    customerId,
    productIds,
  }: { sellerId: number; customerId: number; productIds: readonly number[] },
): Promise<References> {
  const { rows } = await tx.query<{ customer: PrintedCustomer | null; products: [number, string][] | null }>({
    name: 'hold-references',
    text: `SELECT (SELECT row_to_json(c) FROM (
          SELECT id, name, document, email FROM customers WHERE id = $2 AND seller_id = $1 FOR KEY SHARE) AS c) AS customer,
        (SELECT json_agg(json_build_array(p.id, p.name)) FROM (
          SELECT id, name FROM products WHERE id = ANY($3) AND seller_id = $1 ORDER BY id FOR KEY SHARE) AS p) AS products`,
    values: [sellerId, customerId, productIds],
  })
  const { customer, products } = rows[0] as (typeof rows)[0]
  return { customer: customer ?? undefined, products: new Map(products ?? []) }
}

/** A new invoice before it has an id, and perhaps a number. */
export type Draft = Omit<Invoice, 'id' | 'invoiceNumber'> & {
  invoiceNumber: string | undefined
  items: readonly Item[]
}

/** What a new invoice becomes before it is saved: a draft that is finalized at once. */
type Finalize = (draft: WholeInvoice) => WholeInvoice

/** A new invoice as it was drafted, and as it was saved. */
type Made = { draft: WholeInvoice; invoice: WholeInvoice }

/**
 * Saves a new invoice with its events. With `finalize` it has its charge at once. FAILED_PRECONDITION INVOICE_NUMBER_TAKEN
 * for a number that the seller has used.
 */
export async function insertInvoice(tx: Db, asked: Draft, finalize?: Finalize): Promise<WholeInvoice> {
  const { invoiceNumber } = asked
  const save = (number: string) => insert(tx, { ...asked, invoiceNumber: number }, finalize)
  const made =
    invoiceNumber === undefined ? await insertNumbered(tx, asked.sellerId, save) : await save(invoiceNumber)
  if (!made) throw numberTaken()
  const { draft, invoice } = made
  const created = eventOf(draft, 'invoice.created')
  const events = finalize ? [created, eventOf(invoice, 'invoice.finalized')] : [created]
  await tx.query({
    name: 'tell-invoice',
    text: appendToOutbox('$1', 'true'),
    values: [outboxRows(events)],
  })
  return invoice
}

/** Tries of a made number. Each one after the first begins at a free one: only what is added meanwhile collides. */
const TRIES = 5

/** UNAVAILABLE where others take number after number. */
async function insertNumbered(
  tx: Db,
  sellerId: number,
  save: (number: string) => Promise<Made | undefined>,
): Promise<Made> {
  for (let left = TRIES; left > 0; left -= 1) {
    const number = await nextNumber(tx, sellerId)
    const made = await save(madeNumber(number))
    if (made) return made
    await skipTaken(tx, sellerId, number)
  }
  throw unavailable('No free number was found for the invoice. Nothing was done.')
}

/** The row is locked until the caller's commit: numbers have no gaps where a transaction is rolled back. */
async function nextNumber(tx: Db, sellerId: number): Promise<number> {
  const { rows } = await tx.query<{ last: number }>({
    name: 'next-invoice-number',
    text: `INSERT INTO invoice_numbers AS n (seller_id, last) VALUES ($1, 1)
      ON CONFLICT (seller_id) DO UPDATE SET last = n.last + 1 RETURNING last`,
    values: [sellerId],
  })
  return rows[0]?.last ?? 0
}

const SKIPPED_AT_ONCE = 1_000

/** The seller has given this number itself, and perhaps those after it: the next one made is the first that is free. */
async function skipTaken(tx: Db, sellerId: number, taken: number): Promise<void> {
  for (let from = taken + 1; ; from += SKIPPED_AT_ONCE) {
    const numbers = Array.from({ length: SKIPPED_AT_ONCE }, (_none, at) => madeNumber(from + at))
    const { rows } = await tx.query<{ place: number }>(
      `SELECT place FROM unnest($2::text[]) WITH ORDINALITY AS made(number, place) WHERE NOT EXISTS (
         SELECT FROM invoices WHERE seller_id = $1 AND invoice_number = made.number) ORDER BY place LIMIT 1`,
      [sellerId, numbers],
    )
    if (!rows[0]) continue
    await tx.query('UPDATE invoice_numbers SET last = $2 WHERE seller_id = $1', [
      sellerId,
      from + rows[0].place - 2,
    ])
    return
  }
}

const INSERT_INVOICE = `WITH made AS (
    INSERT INTO invoices (${INVOICES.inserted()})
    SELECT ${INVOICES.inserted('r')} FROM json_populate_record(null::invoices, $1::json) r
    ON CONFLICT ON CONSTRAINT invoices_number DO NOTHING RETURNING id, seller_id, amount, status, created_at),
  items AS (
    INSERT INTO invoice_items (invoice_id, ${ITEMS.inserted()})
    SELECT made.id, ${ITEMS.inserted('r')} FROM made, json_populate_recordset(null::invoice_items, $2::json) r),
  charged AS (
    INSERT INTO invoice_charges AS c (seller_id, invoice_id, status, amount, created_at, updated_at)
    SELECT seller_id, id, 'PENDING', amount, created_at, created_at FROM made WHERE status = 'CLOSED'
    RETURNING c.*)
  SELECT id, (SELECT row_to_json(charged) FROM charged) AS charge FROM made`

/** Undefined: the number is taken. */
async function insert(
  tx: Db,
  asked: Draft & { invoiceNumber: string },
  finalize: Finalize = (draft) => draft,
): Promise<Made | undefined> {
  const draft = { ...asked, id: 0, charge: null, transactions: [], automaticCharge: null }
  const invoice = finalize(draft)
  const { rows } = await tx.query<{ id: number; charge: Row | null }>({
    name: 'insert-invoice',
    text: INSERT_INVOICE,
    values: [JSON.stringify(INVOICES.toRow(invoice)), JSON.stringify(invoice.items.map(ITEMS.toRow))],
  })
  if (!rows[0]) return undefined
  const { id, charge } = rows[0]
  return { draft: { ...draft, id }, invoice: { ...invoice, id, charge: charge && CHARGES.fromRow(charge) } }
}

function numberTaken(): DomainError {
  const errors = [{ pointer: '#/invoiceNumber', code: 'TAKEN', detail: 'is the number of another invoice' }]
  return new DomainError('failed_precondition', 'INVOICE_NUMBER_TAKEN', 'The invoice number is taken.', {
    errors,
  })
}
