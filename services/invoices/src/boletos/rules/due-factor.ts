import { addDays, daysBetween, type CalendarDay } from '@cofre/platform/calendar-day'

/** Days are counted from here; 1000 is 2000-07-03 (FEBRABAN). */
const BASE = '1997-10-07'
const FIRST = 1_000
/** After 9999 (2025-02-21) the factor begins again at 1000, and again every 9,000 days. */
const CYCLE = 9_000

/** Banks read a factor as the only day with that factor within this range of today (FEBRABAN). */
const BACK_DAYS = 3_000
export const AHEAD_DAYS = 5_500

/** The due factor of a day, four digits, from the year 2000 on. */
export function dueFactor(day: CalendarDay): string {
  const days = daysBetween(BASE, day)
  return String(days < FIRST ? days : FIRST + ((days - FIRST) % CYCLE)).padStart(4, '0')
}

/** Whether banks read this day from its factor today. Otherwise they would read another day, or refuse the slip. */
export function canBeRead(day: CalendarDay, today: CalendarDay): boolean {
  return day >= addDays(today, -BACK_DAYS) && day <= addDays(today, AHEAD_DAYS)
}
