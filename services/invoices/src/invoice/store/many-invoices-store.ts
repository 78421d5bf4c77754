import { appendToOutbox, outboxRows, type DomainEvent } from '@cofre/platform/events/outbox'
import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { WholeInvoice } from '../rules/invoice'
import { AUTOMATIC_CHARGES, CHARGES, INVOICES, ITEMS } from './invoice-columns'

const INSERT = `WITH made AS (
    INSERT INTO invoices (${INVOICES.inserted()})
    SELECT ${INVOICES.inserted('r')} FROM json_populate_recordset(null::invoices, $1::json) r
    RETURNING id, public_id, seller_id, amount, customer_id, status, created_at),
  items AS (
    INSERT INTO invoice_items (invoice_id, ${ITEMS.inserted()})
    SELECT made.id, ${ITEMS.inserted('r')} FROM json_to_recordset($2::json) AS r(public_id text, id smallint,
      product_id bigint, description text, quantity int, unit_price bigint) JOIN made USING (public_id)),
  automatic AS (
    INSERT INTO automatic_charges (invoice_id, seller_id, customer_id, ${AUTOMATIC_CHARGES.inserted()}, created_at, updated_at)
    SELECT made.id, made.seller_id, made.customer_id, ${AUTOMATIC_CHARGES.inserted('r')}, made.created_at, made.created_at
    FROM json_to_recordset($3::json) AS r(public_id text, status automatic_charge_status, attempts int,
      next_attempt_at timestamptz, reason text, is_held boolean) JOIN made USING (public_id)),
  charged AS (
    INSERT INTO invoice_charges AS c (seller_id, invoice_id, status, amount, created_at, updated_at)
    SELECT seller_id, id, CASE status WHEN 'PAID' THEN 'PAID' ELSE 'PENDING' END::invoice_charge_status, amount,
      created_at, created_at
    FROM made WHERE status IN ('CLOSED', 'PAID')
    RETURNING c.*)
  SELECT made.public_id AS "publicId", made.id, row_to_json(charged) AS charge
  FROM made LEFT JOIN charged ON charged.invoice_id = made.id`

/**
 * Saves new invoices in few statements, however many they are. CLOSED and PAID ones get their charge. The caller appends their
 * events. The result keeps the order.
 */
export async function insertInvoices(tx: Db, invoices: readonly WholeInvoice[]): Promise<WholeInvoice[]> {
  const { rows } = await tx.query<{ publicId: string; id: number; charge: Row | null }>({
    name: 'insert-invoices',
    text: INSERT,
    values: [
      JSON.stringify(invoices.map(INVOICES.toRow)),
      JSON.stringify(
        invoices.flatMap(({ publicId, items }) => items.map((item) => named(publicId, ITEMS.toRow(item)))),
      ),
      JSON.stringify(
        invoices.flatMap(({ publicId, automaticCharge }) =>
          automaticCharge ? [named(publicId, AUTOMATIC_CHARGES.toRow(automaticCharge))] : [],
        ),
      ),
    ],
  })
  const made = new Map(rows.map((row) => [row.publicId, row]))
  return invoices.map((invoice) => {
    const row = made.get(invoice.publicId)
    if (!row) throw new Error('an invoice was not made')
    return { ...invoice, id: row.id, charge: row.charge && CHARGES.fromRow(row.charge) }
  })
}

function named(publicId: string, row: Row): Row {
  return { ...row, public_id: publicId }
}

/** Appends events of several aggregates, in their order. */
export async function tellAll(tx: Db, events: readonly DomainEvent[]): Promise<void> {
  await tx.query({ name: 'tell-all', text: appendToOutbox('$1', 'true'), values: [outboxRows(events)] })
}
