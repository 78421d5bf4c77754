import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import { startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { PrintedCustomer } from '../../invoice/rules/invoice'
import type { WholeRecurring } from '../rules/recurring-invoice'
import { RECURRING_ITEMS } from './recurring-columns'
import { BESIDE, recurringOf, type RecurringRow } from './recurring-store'

/** A recurring invoice with a due cycle, and the data for the cycle's invoice. `customer` null: it was deleted. */
export type DueCycle = {
  recurring: WholeRecurring
  customer: PrintedCustomer | null
  keptCardId: number | null
  holidays: readonly CalendarDay[]
  /** The payer permits to collect it by Pix Automático. */
  isPermitted: boolean
}

/** `leaveOut`: ids that are not to be taken now. */
export type Taking = { today: CalendarDay; batch: number; leaveOut: readonly number[] }

type Taken = Omit<DueCycle, 'recurring'> & RecurringRow & { items: Row[] | null }

/** Takes recurring invoices with a due cycle, the oldest first, each locked for this caller alone until its commit. */
export async function takeDueCycles(tx: Db, { today, batch, leaveOut }: Taking): Promise<DueCycle[]> {
  const { rows: locked } = await tx.query<{ id: number }>({
    name: 'lock-due-cycles',
    text: `SELECT id FROM recurring_invoices WHERE next_cycle_day <= $1 AND id <> ALL($3)
      ORDER BY next_cycle_day, id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [today, batch, leaveOut],
  })
  if (locked.length === 0) return []
  // Two statements: the second reads the rows as the earlier holders of the locks left them.
  const { rows } = await tx.query<Taken>({
    name: 'read-due-cycles',
    text: `SELECT row_to_json(t) AS row, ${BESIDE}, (
          SELECT json_agg(row_to_json(i) ORDER BY i.id) FROM recurring_items i
          WHERE i.recurring_invoice_id = t.id) AS items,
        CASE WHEN c.id IS NOT NULL THEN
          json_build_object('id', c.id, 'name', c.name, 'document', c.document, 'email', c.email) END AS customer,
        c.kept_card_id AS "keptCardId",
        coalesce((SELECT s.holidays::text[] FROM billing_settings s WHERE s.seller_id = t.seller_id), '{}') AS holidays,
        EXISTS (SELECT FROM pix_permissions p WHERE p.recurring_invoice_id = t.id AND p.status = 'APPROVED'
          AND NOT p.cancelling) AS "isPermitted"
      FROM recurring_invoices t LEFT JOIN customers c ON c.id = t.customer_id AND c.seller_id = t.seller_id
      WHERE t.id = ANY($1) AND t.next_cycle_day <= $2 ORDER BY t.next_cycle_day, t.id`,
    values: [locked.map(({ id }) => id), today],
  })
  return rows.map(({ row, beside, items, ...more }) => ({
    ...more,
    recurring: { ...recurringOf({ row, beside }), items: (items ?? []).map(RECURRING_ITEMS.fromRow) },
  }))
}

/** The names of products as they are now; deleted ones are missing. */
export async function productNames(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await tx.query<{ id: number; name: string }>({
    name: 'product-names',
    text: 'SELECT id, name FROM products WHERE id = ANY($1)',
    values: [ids],
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** When the next cycle is due, epoch milliseconds. Undefined when none is planned. */
export async function nextCycleDueAt(db: Db, leaveOut: readonly number[]): Promise<number | undefined> {
  const { rows } = await db.query<{ day: CalendarDay }>({
    name: 'next-cycle-due',
    text: `SELECT next_cycle_day::text AS day FROM recurring_invoices
      WHERE next_cycle_day IS NOT NULL AND id <> ALL($1) ORDER BY next_cycle_day, id LIMIT 1`,
    values: [leaveOut],
  })
  return rows[0] && startOf(rows[0].day)
}

/** How many recurring invoices have a due cycle, up to 10,000, and the day of the oldest cycle. */
export async function waitingCycles(
  db: Db,
  today: CalendarDay,
): Promise<{ count: number; oldest: CalendarDay | null }> {
  const { rows } = await db.query<{ count: number; oldest: CalendarDay | null }>(
    `SELECT count(*) AS count, min(next_cycle_day)::text AS oldest FROM (
       SELECT next_cycle_day FROM recurring_invoices WHERE next_cycle_day <= $1 ORDER BY next_cycle_day, id LIMIT 10000)
     AS waiting`,
    [today],
  )
  return rows[0] ?? { count: 0, oldest: null }
}
