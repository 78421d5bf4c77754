/** A day of the calendar, YYYY-MM-DD: days compare as texts do. */
export type CalendarDay = string

const DAY_MS = 86_400_000
/** Whose days count: a payment made before midnight there is in time. */
export const TIME_ZONE = 'America/Sao_Paulo'
const IN_SAO_PAULO = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE })

/** The day in America/Sao_Paulo at a moment (epoch milliseconds). */
export function dayOf(moment: number): CalendarDay {
  return IN_SAO_PAULO.format(moment)
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days `to` comes after `from`. */
export function daysBetween(from: CalendarDay, to: CalendarDay): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** 0 is Sunday, 6 is Saturday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(day).getUTCDay()
}
