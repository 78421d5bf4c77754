import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Db } from '@cofre/platform/postgres/postgres'

/** The letter of a cause, which asks for payment on a day. */
type Asking = { invoiceId: number; cause: string; askedOn: CalendarDay }

/**
 * Drops the letter of a day that says less than a new one, unless it is on its way already. True: the new one takes its
 * place.
 */
export async function dropLesser(tx: Db, { invoiceId, cause, askedOn }: Asking): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'drop-lesser-email',
    text: `UPDATE emails SET status = 'OUTDATED', ask_at = NULL, held_until = NULL, asked_on = NULL, ended_at = now()
      WHERE invoice_id = $1 AND asked_on = $2 AND kind IN ('REMINDER', 'RETRY_PLANNED') AND status = 'WAITING' AND asks = 0
        AND NOT EXISTS (SELECT FROM emails e WHERE e.invoice_id = $1 AND e.cause = $3)`,
    values: [invoiceId, askedOn, cause],
  })
  return rowCount !== null && rowCount > 0
}

/** The last day on which a letter of an invoice asked, or is to ask, for payment. Undefined: none did. */
export async function lastAskedOn(db: Db, invoiceId: number): Promise<CalendarDay | undefined> {
  const { rows } = await db.query<{ day: CalendarDay | null }>({
    name: 'last-asked-on',
    text: 'SELECT max(asked_on)::text AS day FROM emails WHERE invoice_id = $1',
    values: [invoiceId],
  })
  return rows[0]?.day ?? undefined
}

/** Whether an invoice has a letter about its declined card. */
export async function wasToldOfDecline(db: Db, invoiceId: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'was-told-of-decline',
    text: `SELECT FROM emails WHERE invoice_id = $1 AND kind IN ('RETRY_PLANNED', 'DECLINED') LIMIT 1`,
    values: [invoiceId],
  })
  return rowCount === 1
}

/** Lets letters leave whose moment (epoch milliseconds) has come, up to `batch`. Returns how many. */
export async function releaseHeld(db: Db, at: number, batch: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'release-held-emails',
    // Due now by every clock: processes know the time of the database to some milliseconds.
    text: `UPDATE emails SET ask_at = now() - interval '1 second', held_until = NULL WHERE id IN (
        SELECT id FROM emails WHERE held_until <= $1 ORDER BY held_until, id LIMIT $2 FOR UPDATE SKIP LOCKED)
        AND status = 'WAITING'`,
    values: [new Date(at), batch],
  })
  return rowCount ?? 0
}

/** When the next held letter leaves, epoch milliseconds. Undefined when none is held. */
export async function nextReleaseAt(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'next-held-email',
    text: 'SELECT held_until AS at FROM emails WHERE held_until IS NOT NULL ORDER BY held_until, id LIMIT 1',
  })
  return rows[0]?.at.getTime()
}
