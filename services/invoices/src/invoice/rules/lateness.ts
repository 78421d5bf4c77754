import { businessDayFrom } from '@cofre/platform/business-day'
import { addDays, dayOf, daysBetween, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Invoice } from './invoice'

type Due = Pick<Invoice, 'dueDate' | 'lateFrom'>

/** The day by which an invoice is paid in time, and from which days of lateness count. */
export function lateFromOf({ dueDate, lateFrom }: Due): CalendarDay {
  return lateFrom ?? dayOf(dueDate)
}

/**
 * The first day on which what is due on a day is late. What is due on a weekend or holiday may be paid on the next
 * business day (Lei 7.089/1983).
 */
export function lateDayOf(dueDay: CalendarDay): CalendarDay {
  return addDays(businessDayFrom(dueDay), 1)
}

/** When lateness begins. `lateFrom`: null where it counts from the due date. */
export type Lateness = Pick<Invoice, 'lateFrom' | 'lateOn'>

/**
 * The lateness of an invoice that is issued on a day: nobody is late with what was not asked for yet (Código Civil,
 * art. 397). `holidays`: days on which the banks of the seller's town are closed. Banks elsewhere do not know them, so
 * that the due day itself moves: what is registered is what is asked for.
 */
export function latenessOf(
  invoice: Due,
  issuedOn: CalendarDay,
  holidays: readonly CalendarDay[] = [],
): Lateness {
  const day = lateFromOf(invoice)
  const askedBy = day < issuedOn ? issuedOn : day
  const lastDay = businessDayFrom(askedBy)
  const dueDay = holidays.includes(lastDay) ? businessDayFrom(lastDay, holidays) : askedBy
  return { lateFrom: dueDay === dayOf(invoice.dueDate) ? null : dueDay, lateOn: lateDayOf(dueDay) }
}

/** Whether an invoice that is still to be paid is late at a moment (epoch milliseconds). */
export function isPastDue({ status, lateOn }: Pick<Invoice, 'status' | 'lateOn'>, at: number): boolean {
  return (status === 'OPEN' || status === 'CLOSED') && dayOf(at) >= lateOn
}

/**
 * Days since the due day, as fine and interest count them. 0 while the invoice is not late. After that they count from
 * the due day itself, even if that was no business day (STJ, REsp 1.954.924). Nobody is late with a draft.
 */
export function daysLate(invoice: Due & Pick<Invoice, 'status' | 'lateOn'>, at: number): number {
  const today = dayOf(at)
  if (invoice.status === 'OPEN' || today < invoice.lateOn) return 0
  return daysBetween(lateFromOf(invoice), today)
}
