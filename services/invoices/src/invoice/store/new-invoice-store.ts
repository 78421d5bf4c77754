import type { InvoiceEventType } from '@cofre/api/events'
import type { CalendarDay } from '@cofre/platform/calendar-day'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { PrintedCustomer, WholeInvoice } from '../rules/invoice'
import { madeNumber, madeNumberSql } from '../rules/invoice-number'
import { CHARGES, INVOICES, ITEMS } from './invoice-columns'
import { eventOf } from './invoice-message'

/**
 * The records to which a new invoice refers. `customer` undefined: it does not exist. Unknown products are missing.
 * `holidays`: the seller's own.
 */
export type References = {
  customer: PrintedCustomer | undefined
  products: ReadonlyMap<number, string>
  holidays: readonly CalendarDay[]
}

type Referred = { sellerId: number; customerId: number; productIds: readonly number[] }
type ReferenceRow = {
  customer: PrintedCustomer | null
  products: [number, string][] | null
  holidays: CalendarDay[] | null
}

const REFERENCES = `(SELECT row_to_json(c) FROM (
      SELECT id, name, document, email FROM customers WHERE id = $2 AND seller_id = $1 FOR KEY SHARE) AS c) AS customer,
    (SELECT json_agg(json_build_array(p.id, p.name)) FROM (
      SELECT id, name FROM products WHERE id = ANY($3) AND seller_id = $1 ORDER BY id FOR KEY SHARE) AS p) AS products,
    (SELECT holidays::text[] FROM billing_settings WHERE seller_id = $1) AS holidays`

/** Reads the customer and the names of the products, and locks them: nobody deletes them before the caller's commit. */
export async function holdReferences(
  tx: Db,
  { sellerId, customerId, productIds }: Referred,
): Promise<References> {
  const { rows } = await tx.query<ReferenceRow>({
    name: 'hold-references',
    text: `SELECT ${REFERENCES}`,
    values: [sellerId, customerId, productIds],
  })
  return referencesOf(rows[0] as ReferenceRow)
}

/** The ids of a new invoice and of its charge. */
export type Ids = { id: number; chargeId: number }

/** Like `holdReferences`, with the ids of a new invoice: the statement that takes its number has nothing to look up. */
export async function beginInvoice(
  tx: Db,
  { sellerId, customerId, productIds }: Referred,
): Promise<{ references: References; ids: Ids }> {
  const { rows } = await tx.query<ReferenceRow & Ids>({
    name: 'begin-invoice',
    text: `SELECT nextval('invoices_id_seq') AS id, nextval('invoice_charges_id_seq') AS "chargeId", ${REFERENCES}`,
    values: [sellerId, customerId, productIds],
  })
  const { id, chargeId, ...row } = rows[0] as ReferenceRow & Ids
  return { references: referencesOf(row), ids: { id, chargeId } }
}

function referencesOf({ customer, products, holidays }: ReferenceRow): References {
  return { customer: customer ?? undefined, products: new Map(products ?? []), holidays: holidays ?? [] }
}

/** A step of a new invoice, and the event that reports it. */
export type Step = { invoice: WholeInvoice; event: InvoiceEventType }

/**
 * Saves a new invoice as its last step left it, with an event for each. An empty number is made. FAILED_PRECONDITION
 * INVOICE_NUMBER_TAKEN for a number that the seller has used. UNAVAILABLE when others take number after number.
 */
export async function insertInvoice(tx: Db, steps: readonly Step[]): Promise<WholeInvoice> {
  const invoice = steps.at(-1)?.invoice
  if (!invoice) throw new Error('a new invoice has no step')
  for (let left = TRIES; left > 0; left -= 1) {
    const { invoiceNumber, last, isFree } = await insert(tx, invoice, steps)
    if (isFree) return { ...invoice, invoiceNumber }
    if (last === null) throw numberTaken()
    await skipTaken(tx, invoice.sellerId, last)
  }
  throw unavailable('No free number was found for the invoice. Nothing was done.')
}

/** Attempts to make a number. Each one after the first begins at a free one: only a number added meanwhile collides. */
const TRIES = 5

const SKIPPED_AT_ONCE = 1_000

/** Skips this number and others that the seller has given itself: the next number made is the first free one. */
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

/**
 * One statement: the seller's row of numbers is locked from here to the caller's commit, with no other query in
 * between. Numbers have no gaps when a transaction is rolled back.
 */
const INSERT_INVOICE = `WITH counted AS (
    INSERT INTO invoice_numbers AS n (seller_id, last) SELECT $4::bigint, 1 WHERE $5::text IS NULL
    ON CONFLICT (seller_id) DO UPDATE SET last = n.last + 1 RETURNING last),
  numbered AS (
    SELECT coalesce($5::text, (SELECT ${madeNumberSql('last')} FROM counted)) AS number, (SELECT last FROM counted) AS last),
  made AS (
    INSERT INTO invoices (id, ${INVOICES.inserted()}) OVERRIDING SYSTEM VALUE
    SELECT r.id, ${INVOICES.inserted('r')} FROM numbered, jsonb_populate_record(
      null::invoices, $1::jsonb || jsonb_build_object('invoice_number', number)) r
    ON CONFLICT ON CONSTRAINT invoices_number DO NOTHING RETURNING id),
  items AS (
    INSERT INTO invoice_items (invoice_id, ${ITEMS.inserted()})
    SELECT made.id, ${ITEMS.inserted('r')} FROM made, json_populate_recordset(null::invoice_items, $2::json) r),
  charged AS (
    INSERT INTO invoice_charges (id, ${CHARGES.inserted()}) OVERRIDING SYSTEM VALUE
    SELECT r.id, ${CHARGES.inserted('r')} FROM made, json_populate_record(null::invoice_charges, $6::json) r
    WHERE r.id IS NOT NULL),
  notified AS (${appendToOutbox(
    '$3',
    'EXISTS (SELECT FROM made)',
    `jsonb_set(value::jsonb, '{invoice,invoiceNumber}', to_jsonb((SELECT number FROM numbered)))::text`,
  )})
  SELECT number AS "invoiceNumber", last, EXISTS (SELECT FROM made) AS "isFree" FROM numbered`

/** `last`: the count of a made number; null for a given one. */
type Numbered = { invoiceNumber: string; last: number | null; isFree: boolean }

async function insert(tx: Db, invoice: WholeInvoice, steps: readonly Step[]): Promise<Numbered> {
  const { rows } = await tx.query<Numbered>({
    name: 'insert-invoice',
    text: INSERT_INVOICE,
    values: [
      JSON.stringify(INVOICES.toRow(invoice)),
      JSON.stringify(invoice.items.map(ITEMS.toRow)),
      outboxRows(steps.map((step) => eventOf(step.invoice, step.event))),
      invoice.sellerId,
      invoice.invoiceNumber || null,
      JSON.stringify(invoice.charge ? CHARGES.toRow(invoice.charge) : {}),
    ],
  })
  return rows[0] as Numbered
}

function numberTaken(): DomainError {
  const errors = [{ pointer: '#/invoiceNumber', code: 'TAKEN', detail: 'is the number of another invoice' }]
  return new DomainError('failed_precondition', 'INVOICE_NUMBER_TAKEN', 'The invoice number is taken.', {
    errors,
  })
}
