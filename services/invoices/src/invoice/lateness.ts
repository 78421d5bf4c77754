import { businessDayFrom } from './business-day'
import { addDays, dayOf, daysBetween, type CalendarDay } from './calendar-day'
import type { Invoice } from './invoice'

/**
 * The first day on which an unpaid invoice is late. An invoice due on a weekend or holiday may be paid on the next
 * business day (Lei 7.089/1983).
 */
export function lateDayOf(dueDate: number): CalendarDay {
  return addDays(businessDayFrom(dayOf(dueDate)), 1)
}

/** Whether an invoice that is still to be paid is late at a moment (epoch milliseconds). */
export function isPastDue({ status, lateOn }: Pick<Invoice, 'status' | 'lateOn'>, at: number): boolean {
  return (status === 'OPEN' || status === 'CLOSED') && dayOf(at) >= lateOn
}

/**
 * Days since the due date, as fine and interest count them. 0 while the invoice is not late. After that they count from
 * the due date itself, even if that was no business day (STJ, REsp 1.954.924).
 */
export function daysLate({ dueDate, lateOn }: Pick<Invoice, 'dueDate' | 'lateOn'>, at: number): number {
  const today = dayOf(at)
  return today >= lateOn ? daysBetween(dayOf(dueDate), today) : 0
}
