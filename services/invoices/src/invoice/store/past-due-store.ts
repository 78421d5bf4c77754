import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { startOf, TIME_ZONE, type CalendarDay } from '@cofre/platform/calendar-day'
import { MAY_BE_PAID } from '../../methods/store/ask-store'
import type { WholeInvoice } from '../rules/invoice'
import type { Decision } from '../rules/transition'
import { saveLocked, SELECT_WHOLE, wholeOf, type Saving, type WholeRow } from './invoice-store'

/** How many days money that waits for a person keeps the seller from being notified that its invoice is late. */
const MONEY_WAITS_DAYS = 7

/** Whether money of an invoice waits for a person, and has not for long; `today` is the parameter of the day. */
export function moneyWaits(today: string, invoice = 't.id'): string {
  return `EXISTS (SELECT FROM receipts m WHERE m.invoice_id = ${invoice} AND m.is_unexpected AND NOT m.is_resolved
    AND m.created_at > (${today})::date - ${MONEY_WAITS_DAYS})`
}

const UNNOTIFIED = `NOT t.past_due_notified AND t.status IN ('OPEN', 'CLOSED') AND t.late_on <= $1`
/** Those of which the seller is to be notified now. */
const DUE = `${UNNOTIFIED} AND NOT ${moneyWaits('$1')}`

/** A late invoice. `hasSlip`: money for it may be on its way through the bank. */
export type LateInvoice = { invoice: WholeInvoice; hasSlip: boolean }

/** Decides on up to `batch` late invoices without their event yet, each for this caller alone. Returns how many. */
export async function updateLate(
  { pool, ...deps }: Saving & { pool: Pool },
  { today, batch }: { today: CalendarDay; batch: number },
  decide: (tx: Db, late: LateInvoice) => Promise<Decision | undefined>,
): Promise<number> {
  return withTransaction(pool, async (tx) => {
    // Two statements: the second reads the rows as the earlier holders of the locks left them.
    const { rows: locked } = await tx.query<{ id: number }>(
      `SELECT id FROM invoices t WHERE ${DUE} ORDER BY t.late_on LIMIT $2 FOR UPDATE OF t SKIP LOCKED`,
      [today, batch],
    )
    if (locked.length === 0) return 0
    const ids = locked.map(({ id }) => id)
    const { rows } = await tx.query<WholeRow>(`${SELECT_WHOLE} WHERE t.id = ANY($1) ORDER BY t.id`, [ids])
    const withSlip = await withSlips(tx, ids)
    for (const row of rows) {
      const invoice = wholeOf(row)
      const decision = await decide(tx, { invoice, hasSlip: withSlip.has(invoice.id) })
      if (decision) await saveLocked(deps, tx, decision)
    }
    return rows.length
  })
}

/** Those of some invoices that have a slip whose money may be on its way. */
async function withSlips(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ id: number }>(
    `SELECT DISTINCT invoice_id AS id FROM boletos WHERE invoice_id = ANY($1) AND ${MAY_BE_PAID}`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Whether a seller has a late invoice without its event yet. */
export async function hasUnnotified(db: Db, sellerId: number, today: CalendarDay): Promise<boolean> {
  const { rows } = await db.query({
    name: 'late-and-unnotified',
    // This order has PostgreSQL read the index of these invoices, even if statistics promise a first row elsewhere.
    text: `SELECT FROM invoices t WHERE ${UNNOTIFIED} AND t.seller_id = $2 ORDER BY t.late_on LIMIT 1`,
    values: [today, sellerId],
  })
  return rows.length > 0
}

/** When the next invoice becomes late, epoch milliseconds, possibly in the past. Undefined when none is to be paid. */
export async function nextLateAt(db: Db, today: CalendarDay): Promise<number | undefined> {
  const { rows } = await db.query<{ day: CalendarDay }>({
    name: 'next-late',
    text: `SELECT t.late_on::text AS day FROM invoices t
      WHERE NOT t.past_due_notified AND t.status IN ('OPEN', 'CLOSED') AND NOT ${moneyWaits('$1')} ORDER BY t.late_on LIMIT 1`,
    values: [today],
  })
  return rows[0] && startOf(rows[0].day)
}

/** How many seconds the oldest event of a late invoice is overdue. An invoice may be late when it is made. */
export async function oldestUnnotifiedAge(db: Db, today: CalendarDay): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM now()
       - greatest(t.late_on::timestamp AT TIME ZONE '${TIME_ZONE}', t.created_at)), 0)::float8 AS age
     FROM invoices t WHERE ${DUE} ORDER BY t.late_on LIMIT 1`,
    [today],
  )
  return rows[0]?.age ?? 0
}
