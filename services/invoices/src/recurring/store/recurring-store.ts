import { notFound } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Unreached } from '../../invoice/rules/invoice'
import type { FailingCard, RecurringInvoice, WholeRecurring } from '../rules/recurring-invoice'
import { RECURRING, RECURRING_ITEMS } from './recurring-columns'
import { eventOf } from './recurring-message'
import { FAILING_CARD } from './failing-card-store'
import { UNREACHED_PLAN } from './unreached-plan-store'

export type RecurringKey = { sellerId: number; id: number }

/** What is said of a recurring invoice `t` as things are now, beside its row. */
export const BESIDE = `json_build_object('unreached', ${UNREACHED_PLAN}, 'failingCard', ${FAILING_CARD}, 'customerName', (
    SELECT c.name FROM customers c WHERE c.id = t.customer_id AND c.seller_id = t.seller_id)) AS beside`

type Beside = { unreached: Unreached | null; failingCard: FailingCard | null; customerName: string | null }

export type RecurringRow = { row: Row; beside: Beside }

export function recurringOf({ row, beside }: RecurringRow): RecurringInvoice {
  return { ...RECURRING.fromRow(row), ...beside }
}

const SELECT_WHOLE = `SELECT row_to_json(t) AS row, ${BESIDE}, (
    SELECT json_agg(row_to_json(i) ORDER BY i.id) FROM recurring_items i WHERE i.recurring_invoice_id = t.id) AS items
  FROM recurring_invoices t`

type WholeRow = RecurringRow & { items: Row[] | null }

/** Reads a recurring invoice. NOT_FOUND also for another seller's. */
export async function readRecurring(db: Db, { sellerId, id }: RecurringKey): Promise<WholeRecurring> {
  const { rows } = await db.query<WholeRow>({
    name: 'read-recurring',
    text: `${SELECT_WHOLE} WHERE t.id = $1 AND t.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  const { items, ...read } = rows[0]
  return { ...recurringOf(read), items: (items ?? []).map(RECURRING_ITEMS.fromRow) }
}

const INSERT = `WITH made AS (
    INSERT INTO recurring_invoices (${RECURRING.inserted()})
    SELECT ${RECURRING.inserted('r')} FROM json_populate_record(null::recurring_invoices, $1::json) r RETURNING *),
  items AS (
    INSERT INTO recurring_items (recurring_invoice_id, ${RECURRING_ITEMS.inserted()})
    SELECT made.id, ${RECURRING_ITEMS.inserted('r')}
    FROM made, json_populate_recordset(null::recurring_items, $2::json) r)
  SELECT id, ${BESIDE} FROM made t`

/** Saves a new recurring invoice with its event, in the caller's transaction. */
export async function insertRecurring(tx: Db, draft: Omit<WholeRecurring, 'id'>): Promise<WholeRecurring> {
  const { items, ...recurring } = draft
  const { rows } = await tx.query<{ id: number; beside: Beside }>({
    name: 'insert-recurring',
    text: INSERT,
    values: [
      JSON.stringify(RECURRING.toRow({ ...recurring, id: 0 })),
      JSON.stringify(items.map(RECURRING_ITEMS.toRow)),
    ],
  })
  const { id = 0, beside } = rows[0] ?? {}
  const made = { ...draft, ...beside, id }
  await tx.query({
    name: 'tell-recurring',
    text: appendToOutbox('$1', 'true'),
    values: [outboxRows([eventOf(made, 'recurring_invoice.created')])],
  })
  return made
}

/** Locks a recurring invoice until the caller's commit. NOT_FOUND also for another seller's. */
export async function lockRecurring(tx: Db, key: RecurringKey): Promise<WholeRecurring> {
  // Two statements: the second reads the row as the earlier holder of the lock left it.
  await tx.query({
    name: 'lock-recurring',
    text: 'SELECT FROM recurring_invoices WHERE id = $1 AND seller_id = $2 FOR UPDATE',
    values: [key.id, key.sellerId],
  })
  return readRecurring(tx, key)
}

/**
 * Locks the recurring invoice, decides, saves, and reads what became of it, in the caller's transaction. NOT_FOUND also
 * for another seller's.
 */
export async function updateRecurring(
  tx: Db,
  key: RecurringKey,
  decide: (recurring: WholeRecurring) => WholeRecurring,
): Promise<WholeRecurring> {
  const decided = decide(await lockRecurring(tx, key))
  await saveRecurring(tx, [decided])
  return readRecurring(tx, key)
}

/** Saves recurring invoices that the caller has locked. */
export async function saveRecurring(tx: Db, recurring: readonly RecurringInvoice[]): Promise<void> {
  await tx.query({
    name: 'save-recurring',
    text: `UPDATE recurring_invoices t SET ${RECURRING.updated('r')}
      FROM json_populate_recordset(null::recurring_invoices, $1::json) r WHERE t.id = r.id`,
    values: [JSON.stringify(recurring.map((each) => ({ ...RECURRING.toRow(each), id: each.id })))],
  })
}

/** Replaces the items of a recurring invoice that the caller has locked. */
export async function replaceItems(tx: Db, { id, items }: WholeRecurring): Promise<void> {
  await tx.query('DELETE FROM recurring_items WHERE recurring_invoice_id = $1', [id])
  await tx.query(
    `INSERT INTO recurring_items (recurring_invoice_id, ${RECURRING_ITEMS.inserted()})
     SELECT $1, ${RECURRING_ITEMS.inserted('r')} FROM json_populate_recordset(null::recurring_items, $2::json) r`,
    [id, JSON.stringify(items.map(RECURRING_ITEMS.toRow))],
  )
}

/** Cancels the recurring invoices of a deleted customer. Returns how many. `at`: epoch milliseconds. */
export async function cancelOfCustomer(
  tx: Db,
  { sellerId, customerId, at }: { sellerId: number; customerId: number; at: number },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'cancel-recurring-of-customer',
    text: `UPDATE recurring_invoices SET status = 'CANCELLED', next_cycle_day = NULL, updated_at = $3
      WHERE customer_id = $1 AND seller_id = $2 AND status IN ('ACTIVE', 'PAUSED')`,
    values: [customerId, sellerId, new Date(at)],
  })
  return rowCount ?? 0
}
