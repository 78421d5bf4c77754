import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { startOf, TIME_ZONE, type CalendarDay } from '../invoice/calendar-day'
import type { WholeInvoice } from '../invoice/invoice'
import type { Decision } from '../invoice/transition'
import { saveLocked, SELECT_WHOLE, wholeOf, type WholeRow } from './invoice-store'

const UNTOLD = `NOT t.past_due_told AND t.status IN ('OPEN', 'CLOSED') AND t.late_on <= $1`

/** Decides on up to `batch` late invoices without their event yet, each for this caller alone. Returns how many. */
export async function updateLate(
  pool: Pool,
  { today, batch }: { today: CalendarDay; batch: number },
  decide: (invoice: WholeInvoice) => Decision | undefined,
): Promise<number> {
  return withTransaction(pool, async (tx) => {
    // Two statements: the second reads the rows as the earlier holders of the locks left them.
    const { rows: locked } = await tx.query<{ id: number }>(
      `SELECT id FROM invoices t WHERE ${UNTOLD} ORDER BY t.late_on LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [today, batch],
    )
    if (locked.length === 0) return 0
    const { rows } = await tx.query<WholeRow>(`${SELECT_WHOLE} WHERE t.id = ANY($1) ORDER BY t.id`, [
      locked.map(({ id }) => id),
    ])
    for (const row of rows) {
      const decision = decide(wholeOf(row))
      if (decision) await saveLocked(tx, decision)
    }
    return rows.length
  })
}

/** Whether a seller has a late invoice without its event yet. */
export async function hasUntold(db: Db, sellerId: number, today: CalendarDay): Promise<boolean> {
  const { rows } = await db.query({
    name: 'late-and-untold',
    // This order has PostgreSQL read the index of these invoices, even if statistics promise a first row elsewhere.
    text: `SELECT FROM invoices t WHERE ${UNTOLD} AND t.seller_id = $2 ORDER BY t.late_on LIMIT 1`,
    values: [today, sellerId],
  })
  return rows.length > 0
}

/** When the next invoice becomes late, epoch milliseconds, possibly in the past. Undefined when none is to be paid. */
export async function nextLateAt(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ day: CalendarDay }>({
    name: 'next-late',
    text: `SELECT t.late_on::text AS day FROM invoices t
      WHERE NOT t.past_due_told AND t.status IN ('OPEN', 'CLOSED') ORDER BY t.late_on LIMIT 1`,
  })
  return rows[0] && startOf(rows[0].day)
}

/** How many seconds the oldest event of a late invoice is overdue. An invoice may be late when it is made. */
export async function oldestUntoldAge(db: Db, today: CalendarDay): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM now()
       - greatest(t.late_on::timestamp AT TIME ZONE '${TIME_ZONE}', t.created_at)), 0)::float8 AS age
     FROM invoices t WHERE ${UNTOLD} ORDER BY t.late_on LIMIT 1`,
    [today],
  )
  return rows[0]?.age ?? 0
}
