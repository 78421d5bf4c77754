import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { startOf, TIME_ZONE, type CalendarDay } from '../invoice/calendar-day'
import type { WholeInvoice } from '../invoice/invoice'
import type { Decision } from '../invoice/transition'
import { saveLocked, SELECT_WHOLE, wholeOf, type WholeRow } from './invoice-store'

const UNTOLD = `NOT t.past_due_told AND t.status IN ('OPEN', 'CLOSED') AND t.late_on <= $1`

/** Decides on invoices that are late and not told to be, up to `batch` of them, each for this caller alone. Returns how many. */
export async function updateLate(
  pool: Pool,
  { today, batch }: { today: CalendarDay; batch: number },
  decide: (invoice: WholeInvoice) => Decision | undefined,
): Promise<number> {
  return withTransaction(pool, async (tx) => {
    // Two statements: the second reads what those who held the locks have left.
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

/** Whether a seller has an invoice that is late and not told to be. */
export async function hasUntold(db: Db, sellerId: number, today: CalendarDay): Promise<boolean> {
  const { rows } = await db.query({
    name: 'late-and-untold',
    // In the order of the index of these: so it is read, whatever the statistics promise of a first row elsewhere.
    text: `SELECT FROM invoices t WHERE ${UNTOLD} AND t.seller_id = $2 ORDER BY t.late_on LIMIT 1`,
    values: [today, sellerId],
  })
  return rows.length > 0
}

/** When the next invoice becomes late, epoch milliseconds, perhaps past; undefined: none is to be paid. */
export async function nextLateAt(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ day: CalendarDay }>({
    name: 'next-late',
    text: `SELECT t.late_on::text AS day FROM invoices t
      WHERE NOT t.past_due_told AND t.status IN ('OPEN', 'CLOSED') ORDER BY t.late_on LIMIT 1`,
  })
  return rows[0] && startOf(rows[0].day)
}

/** Seconds that the seller has waited to be told of the invoice that became late first: it may have been made late. */
export async function oldestUntoldAge(db: Db, today: CalendarDay): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM now()
       - greatest(t.late_on::timestamp AT TIME ZONE '${TIME_ZONE}', t.created_at)), 0)::float8 AS age
     FROM invoices t WHERE ${UNTOLD} ORDER BY t.late_on LIMIT 1`,
    [today],
  )
  return rows[0]?.age ?? 0
}
