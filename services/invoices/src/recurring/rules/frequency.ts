import { addDays, daysBetween, LAST_DAY, type CalendarDay } from '@cofre/platform/calendar-day'

/** The contract's names, which the database and the API use too. */
export const FREQUENCIES = [
  'WEEKLY',
  'BIWEEKLY',
  'MONTHLY',
  'BIMONTHLY',
  'QUARTERLY',
  'SEMIANNUALLY',
  'YEARLY',
] as const

export type Frequency = (typeof FREQUENCIES)[number]

type Step = { days: number } | { months: number }

const STEPS: Record<Frequency, Step> = {
  WEEKLY: { days: 7 },
  BIWEEKLY: { days: 14 },
  MONTHLY: { months: 1 },
  BIMONTHLY: { months: 2 },
  QUARTERLY: { months: 3 },
  SEMIANNUALLY: { months: 6 },
  YEARLY: { months: 12 },
}

const LONGEST_MONTH_DAYS = 31
const LAST_YEAR = Number(LAST_DAY.slice(0, 4))

/**
 * The day of a cycle: `period` periods after the anchor; 0 is the anchor's own. A cycle of months keeps the anchor's
 * day, or takes the last day of a shorter month: 31 January, 28 February, 31 March.
 */
export function cycleDayOf(anchor: CalendarDay, frequency: Frequency, period: number): CalendarDay {
  const step = STEPS[frequency]
  return 'days' in step ? addDays(anchor, period * step.days) : addMonths(anchor, period * step.months)
}

/** The first period of the schedule whose day is not before `day`. */
export function periodFrom(anchor: CalendarDay, frequency: Frequency, day: CalendarDay): number {
  const step = STEPS[frequency]
  const longest = 'days' in step ? step.days : step.months * LONGEST_MONTH_DAYS
  // The estimate is never beyond the period that is looked for; the loop counts the rest.
  let period = Math.max(0, Math.floor(daysBetween(anchor, day) / longest))
  while (cycleDayOf(anchor, frequency, period) < day) period += 1
  return period
}

function addMonths(day: CalendarDay, months: number): CalendarDay {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number)
  const count = year * 12 + (month - 1) + months
  const [toYear, toMonth] = [Math.floor(count / 12), (count % 12) + 1]
  if (toYear > LAST_YEAR) return LAST_DAY
  // Day 0 of the next month is the last day of this one.
  const last = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate()
  return [digits(toYear, 4), digits(toMonth, 2), digits(Math.min(dayOfMonth, last), 2)].join('-')
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
