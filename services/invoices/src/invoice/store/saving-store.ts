import { valueIn, type Row } from '@cofre/platform/postgres/columns'
import { parameters } from '@cofre/platform/postgres/parameters'
import type { Decision } from '../rules/transition'
import { INVOICES, MOVEMENTS } from './invoice-columns'

/** A decision on an invoice, with its rows. */
type Saved = Pick<Decision, 'charge' | 'method'> & { invoice: Row; movements: readonly Row[] }

/** How many movements are saved: `one` has a parameter for each of its values, `some` are JSON. */
type Form = 'none' | 'one' | 'some'

const STATEMENTS = { none: statementOf('none'), one: statementOf('one'), some: statementOf('some') }

/**
 * The one statement that saves an invoice, its charge and its movements, and returns the charge. Values are parameters:
 * to read a row from JSON, PostgreSQL copies the type of the row with every CHECK of its table, at each statement.
 */
export function savingOf(saved: Saved): { name: string; text: string; values: unknown[] } {
  const { length } = saved.movements
  const form = length === 0 ? 'none' : length === 1 ? 'one' : 'some'
  const { text, valuesOf } = STATEMENTS[form]
  return { name: `save-invoice-${form}`, text, values: valuesOf(saved) }
}

function statementOf(form: Form) {
  const given = parameters<Saved>()
  const invoice = given.row((saved) => saved.invoice)
  const saves = `UPDATE invoices t SET ${INVOICES.updated(invoice)} WHERE t.id = ${valueIn(invoice, 'id')}
    RETURNING t.id, t.seller_id, t.amount, t.updated_at`
  const charge = `${given.add((saved) => saved.charge ?? null)}::invoice_charge_status`
  const method = `${given.add((saved) => saved.method ?? null)}::movement_method`
  const movements = {
    none: () => '',
    one: () => `VALUES (${MOVEMENTS.inserted(given.row((saved) => saved.movements[0] ?? {}))})`,
    some: () => `SELECT ${MOVEMENTS.inserted('r')} FROM json_populate_recordset(null::movements,
      ${given.add((saved) => JSON.stringify(saved.movements))}::json) r`,
  }[form]()
  const text = `WITH saved AS (${saves}),
    made AS (
      INSERT INTO invoice_charges AS c (seller_id, invoice_id, status, amount, created_at, updated_at)
      SELECT seller_id, id, 'PENDING', amount, updated_at, updated_at FROM saved WHERE ${charge} = 'PENDING'
      RETURNING c.*),
    ${movements === '' ? '' : `moved AS (INSERT INTO movements (${MOVEMENTS.inserted()}) ${movements}),`}
    changed AS (
      UPDATE invoice_charges c SET status = ${charge}, method = ${method}, updated_at = saved.updated_at
      FROM saved WHERE c.invoice_id = saved.id AND c.status <> 'CANCELLED' AND ${charge} <> 'PENDING'
      RETURNING c.*)
    SELECT row_to_json(each) AS row FROM (SELECT * FROM made UNION ALL SELECT * FROM changed) AS each`
  return { text, valuesOf: given.valuesOf }
}
