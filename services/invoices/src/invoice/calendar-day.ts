/** A day of the calendar, YYYY-MM-DD: days compare as texts do. */
export type CalendarDay = string

const DAY_MS = 86_400_000
/** The last day whose year has four digits: days compare as texts. */
export const LAST_DAY = '9999-12-31'
/** The time zone whose days count: a payment made before midnight there is in time. */
export const TIME_ZONE = 'America/Sao_Paulo'
const IN_SAO_PAULO = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE })

/** The day in America/Sao_Paulo at a moment (epoch milliseconds). */
export function dayOf(moment: number): CalendarDay {
  return IN_SAO_PAULO.format(moment)
}

/** The offsets that America/Sao_Paulo had, and may have again: hours behind UTC. */
const HOURS_BEHIND = [2, 3, 4]
const HOUR_MS = 3_600_000

/**
 * The first moment of a day in America/Sao_Paulo, epoch milliseconds. A day may begin at one o'clock in summer time.
 */
export function startOf(day: CalendarDay): number {
  const [first = NaN, ...others] = HOURS_BEHIND.map((hours) => Date.parse(day) + hours * HOUR_MS)
  return [first, ...others].find((moment) => dayOf(moment) === day) ?? first
}

/** Adds days, at most up to the last day of the year 9999: later ones have more digits. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  const moment = Math.min(Date.parse(day) + days * DAY_MS, Date.parse(LAST_DAY))
  return new Date(moment).toISOString().slice(0, 10)
}

/** How many days `to` comes after `from`. */
export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** 0 is Sunday, 6 is Saturday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(day).getUTCDay()
}
