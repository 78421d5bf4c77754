import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { BookletSlip } from './booklet-slip'
import { BOLETO_COLUMNS } from '../boletos/store/boleto-columns'
import type { InvoiceStatus, WholeInvoice } from '../invoice/rules/invoice'
import { invoiceOf, SELECT_WHOLE, wholeOf, type WholeRow } from '../invoice/store/invoice-store'
import type { RecurringKey } from '../recurring/store/recurring-store'

/** The most slips of a page: as many as a booklet may have. */
const SLIPS_MAX = 120

/** The latest 120 invoices of a recurring invoice, by cycle, each with its payable or paid slip, or else its newest. */
export async function readSlips(db: Db, { sellerId, id }: RecurringKey): Promise<BookletSlip[]> {
  const { rows } = await db.query<{ row: Row; boleto: Row | null }>({
    name: 'read-booklet-slips',
    text: `SELECT row_to_json(t) AS row, (
          SELECT row_to_json(b) FROM boletos b WHERE b.invoice_id = t.id
          ORDER BY b.status IN ('PENDING', 'REGISTERED', 'PAID') DESC, b.id DESC LIMIT 1) AS boleto
        FROM invoices t WHERE t.recurring_invoice_id = $1 AND t.seller_id = $2 ORDER BY t.cycle DESC LIMIT ${SLIPS_MAX}`,
    values: [id, sellerId],
  })
  return rows
    .map(({ row, boleto }) => ({
      invoice: invoiceOf({ row, unreached: null }),
      boleto: boleto && BOLETO_COLUMNS.fromRow(boleto),
    }))
    .reverse()
}

/** The most invoices that one request changes. */
const LOCKED_MAX = 1_000

/** Locks the invoices of a recurring invoice with these statuses until the caller's commit, and returns them by cycle. */
export async function lockInvoicesOf(
  tx: Db,
  { sellerId, id }: RecurringKey,
  statuses: readonly InvoiceStatus[],
): Promise<WholeInvoice[]> {
  const { rows: locked } = await tx.query<{ id: number }>({
    name: 'lock-invoices-of-recurring',
    text: `SELECT t.id FROM invoices t WHERE t.id = ANY(ARRAY(
        SELECT i.id FROM invoices i WHERE i.recurring_invoice_id = $1 AND i.seller_id = $2 AND i.status = ANY($3::invoice_status[])
        ORDER BY i.cycle LIMIT ${LOCKED_MAX})) ORDER BY t.id FOR UPDATE`,
    values: [id, sellerId, statuses],
  })
  // Two statements: the second reads the rows as the earlier holders of the locks left them.
  const { rows } = await tx.query<WholeRow>({
    name: 'read-invoices-of-recurring',
    text: `${SELECT_WHOLE} WHERE t.id = ANY($1) AND t.status = ANY($2::invoice_status[]) ORDER BY t.cycle`,
    values: [locked.map((row) => row.id), statuses],
  })
  return rows.map(wholeOf)
}

/** The card that a customer keeps. Null when there is none. */
export async function findKeptCard(
  db: Db,
  { sellerId, customerId }: { sellerId: number; customerId: number },
): Promise<number | null> {
  const { rows } = await db.query<{ id: number | null }>({
    name: 'find-kept-card',
    text: 'SELECT kept_card_id AS id FROM customers WHERE id = $1 AND seller_id = $2',
    values: [customerId, sellerId],
  })
  return rows[0]?.id ?? null
}
