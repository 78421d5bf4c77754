import type { Db } from '@cofre/platform/postgres/postgres'
import type { WholeInvoice } from '../rules/invoice'
import type { Decision } from '../rules/transition'
import { INVOICES, ITEMS } from './invoice-columns'
import { saveLocked, type Saving } from './invoice-store'

/** Whether an invoice, which the caller has locked, has an open ask, or one that a bank may be registering. */
export type IsAsked = (tx: Db, invoiceId: number) => Promise<boolean>

const REPLACE_DRAFT = `WITH cleared AS (DELETE FROM invoice_items WHERE invoice_id = $2 AND id > json_array_length($3::json)),
  items AS (
    INSERT INTO invoice_items AS i (invoice_id, ${ITEMS.inserted()})
    SELECT $2, ${ITEMS.inserted('r')} FROM json_populate_recordset(null::invoice_items, $3::json) r
    ON CONFLICT (invoice_id, id) DO UPDATE SET product_id = EXCLUDED.product_id, description = EXCLUDED.description,
      quantity = EXCLUDED.quantity, unit_price = EXCLUDED.unit_price)
  UPDATE invoices SET (${INVOICES.inserted()}) = (
    SELECT ${INVOICES.inserted('r')} FROM json_populate_record(null::invoices, $1::json) r) WHERE id = $2`

/** Saves the replacement of a draft that the caller has locked, with its items and its event. */
export async function saveReplaced(deps: Saving, tx: Db, decision: Decision): Promise<WholeInvoice> {
  const { invoice } = decision
  await tx.query({
    name: 'replace-draft',
    text: REPLACE_DRAFT,
    values: [
      JSON.stringify(INVOICES.toRow(invoice)),
      invoice.id,
      JSON.stringify(invoice.items.map(ITEMS.toRow)),
    ],
  })
  return saveLocked(deps, tx, decision)
}
