import { addDays, dayOf, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { cycleDayOf, periodFrom } from './frequency'
import type { RecurringInvoice } from './recurring-invoice'

type Scheduled = Pick<RecurringInvoice, 'anchorDay' | 'frequency'>
type Due = Scheduled & Pick<RecurringInvoice, 'kind' | 'daysUntilDue' | 'firstDueDate'>

/** A start that a seller gave (epoch milliseconds), and whether it is kept even if it is past. */
export type GivenStart = { date: number | undefined; isOverridden: boolean }

/** The day of the first cycle: the given one, or today. A past one means today, unless it is overridden. */
export function anchorOf({ date, isOverridden }: GivenStart, today: CalendarDay): CalendarDay {
  const day = date === undefined ? today : dayOf(date)
  return day < today && !isOverridden ? today : day
}

/** How many cycles of a new schedule are in the past: they are billed at once. */
export function missedCycles({ anchorDay, frequency }: Scheduled, today: CalendarDay): number {
  return periodFrom(anchorDay, frequency, today)
}

/**
 * When the invoice of a cycle is due, epoch milliseconds: the first moment of its due day, or the seller's own date. All
 * slips of a booklet are made on one day, so that they keep the day of the month of the first due date.
 */
export function dueDateOf(schedule: Due, period: number): number {
  const { kind, anchorDay, frequency, daysUntilDue, firstDueDate } = schedule
  if (period === 0 && firstDueDate !== null) return firstDueDate
  if (kind === 'BOOKLET') return startOf(cycleDayOf(addDays(anchorDay, daysUntilDue), frequency, period))
  return startOf(addDays(cycleDayOf(anchorDay, frequency, period), daysToPay(schedule, period)))
}

/** How many days a customer has for the invoice of a cycle. The seller's own first date leaves what is left until it. */
export function daysToPay({ daysUntilDue, firstDueDate }: Omit<Due, 'kind'>, period: number): number {
  return period === 0 && firstDueDate !== null ? 0 : daysUntilDue
}

const CHARGED_FROM_HOUR = 6
const HOUR_MS = 3_600_000

/** When a stored card is first charged for an invoice, epoch milliseconds: in the morning of its due day. */
export function chargeMomentOf(dueDate: number): number {
  return startOf(dayOf(dueDate)) + CHARGED_FROM_HOUR * HOUR_MS
}

/** The next cycles of a schedule, in order. None when no cycle is planned. */
export function nextCycles(
  schedule: Due & Pick<RecurringInvoice, 'nextPeriod' | 'nextCycleDay'>,
  count: number,
): { day: CalendarDay; dueDate: number }[] {
  const { anchorDay, frequency, nextPeriod, nextCycleDay } = schedule
  if (nextCycleDay === null) return []
  return Array.from({ length: count }, (_none, at) => ({
    day: cycleDayOf(anchorDay, frequency, nextPeriod + at),
    dueDate: dueDateOf(schedule, nextPeriod + at),
  }))
}
