import { addDays, dayOf, type CalendarDay } from '../invoice/calendar-day'

/** When on a day cards are charged: issuers answer, salaries are booked, and a person may react to what fails. */
const AT_06_00 = 'T06:00:00-03:00'

/** The moment of a day from which cards are charged on it, epoch milliseconds. Brazil keeps UTC-3 (Decreto 9.772/2019). */
export function chargingTimeOf(day: CalendarDay): number {
  return Date.parse(`${day}${AT_06_00}`)
}

/**
 * The moments of the tries after the first, epoch milliseconds. Days count from the due day, or from the first try where
 * that came later: what is billed late gets its tries all the same.
 */
export function retriesOf(
  { dueDay, firstTriedAt }: { dueDay: CalendarDay; firstTriedAt: number },
  dunningDays: readonly number[],
): number[] {
  const firstDay = dayOf(firstTriedAt)
  const from = firstDay > dueDay ? firstDay : dueDay
  return dunningDays.map((days) => chargingTimeOf(addDays(from, days)))
}
