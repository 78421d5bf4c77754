import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { CalendarDay } from '@cofre/platform/calendar-day'
import { moneyWaits } from '../invoice/store/past-due-store'

/** A notice of a late invoice that waits for the bank. `latestAt`: epoch milliseconds. */
export type LateNotice = { id: number; sellerId: number; latestAt: number }

/** Holds the notice of a late invoice until a moment, in the transaction that marks the invoice. Epoch milliseconds. */
export async function holdNotice(
  tx: Db,
  { id, sellerId, tellAt, latestAt }: LateNotice & { tellAt: number },
): Promise<void> {
  await tx.query({
    name: 'hold-late-notice',
    text: `INSERT INTO late_notices (invoice_id, seller_id, tell_at, latest_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (invoice_id) DO UPDATE SET tell_at = excluded.tell_at, latest_at = excluded.latest_at`,
    values: [id, sellerId, new Date(tellAt), new Date(latestAt)],
  })
}

/** Takes up to `batch` notices that are due, and puts them off to `againAt`, so that no other process has them meanwhile. */
export async function takeNotices(
  pool: Pool,
  { at, againAt, today, batch }: { at: number; againAt: number; today: CalendarDay; batch: number },
): Promise<LateNotice[]> {
  const { rows } = await pool.query<LateNotice & { latestAt: Date }>({
    name: 'take-late-notices',
    text: `UPDATE late_notices SET tell_at = $2 WHERE invoice_id IN (
        SELECT invoice_id FROM late_notices n WHERE tell_at <= $1 AND NOT ${moneyWaits('$3', 'n.invoice_id')}
        ORDER BY tell_at, invoice_id LIMIT $4 FOR UPDATE SKIP LOCKED)
      RETURNING invoice_id AS id, seller_id AS "sellerId", latest_at AS "latestAt"`,
    values: [new Date(at), new Date(againAt), today, batch],
  })
  return rows.map((row) => ({ ...row, latestAt: row.latestAt.getTime() }))
}

/** Ends a notice, unless money of its invoice waits for a person. False when it stays, or another process ended it. */
export async function endNotice(tx: Db, invoiceId: number, today: CalendarDay): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'end-late-notice',
    text: `DELETE FROM late_notices n WHERE invoice_id = $1 AND NOT ${moneyWaits('$2', 'n.invoice_id')}`,
    values: [invoiceId, today],
  })
  return rowCount === 1
}

/**
 * How many seconds, at a moment (epoch milliseconds), the oldest notice has been held beyond its time, because the bank
 * does not say whether a slip was paid. `awaitedMs`: how long it is held at most.
 */
export async function oldestHeldNoticeAge(db: Db, at: number, awaitedMs: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - min(latest_at)) + $2, 0)::float8 AS age
     FROM late_notices n WHERE NOT ${moneyWaits('$1::timestamptz', 'n.invoice_id')}`,
    [new Date(at), awaitedMs / 1_000],
  )
  return rows[0]?.age ?? 0
}

/** When the next notice is due, epoch milliseconds. Undefined when none is held. */
export async function nextNoticeAt(db: Db, today: CalendarDay): Promise<number | undefined> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'next-late-notice',
    text: `SELECT tell_at AS at FROM late_notices n WHERE NOT ${moneyWaits('$1', 'n.invoice_id')}
      ORDER BY tell_at, invoice_id LIMIT 1`,
    values: [today],
  })
  return rows[0]?.at.getTime()
}
