import { addDays, dayOf, momentOf, type CalendarDay } from '@cofre/platform/calendar-day'

/**
 * The time at which cards are charged on a day: issuers answer, salaries are booked, and people can react to failures.
 */
const AT_06_00 = 'T06:00'

/** The day by which an invoice is due. */
export function dueDayOf({ dueDate }: { dueDate: number }): CalendarDay {
  return dayOf(dueDate)
}

/** The moment of a day from which cards are charged, epoch milliseconds. */
export function chargingTimeOf(day: CalendarDay): number {
  return momentOf(`${day}${AT_06_00}`)
}

/**
 * The moments of the retries, epoch milliseconds. Days count from the due day, or from the first attempt when that came
 * later: an invoice that is billed late gets all its retries.
 */
export function retriesOf(
  { dueDay, firstTriedAt }: { dueDay: CalendarDay; firstTriedAt: number },
  dunningDays: readonly number[],
): number[] {
  const firstDay = dayOf(firstTriedAt)
  const from = firstDay > dueDay ? firstDay : dueDay
  return dunningDays.map((days) => chargingTimeOf(addDays(from, days)))
}
