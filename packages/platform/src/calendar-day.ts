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
const USUAL_HOURS_BEHIND = 3
const HOUR_MS = 3_600_000

/**
 * The first moment of a day in America/Sao_Paulo, epoch milliseconds. A day may begin at one o'clock in summer time.
 */
export function startOf(day: CalendarDay): number {
  const [first = NaN, ...others] = HOURS_BEHIND.map((hours) => Date.parse(day) + hours * HOUR_MS)
  return [first, ...others].find((moment) => dayOf(moment) === day) ?? first
}

/** The last moment of a day in America/Sao_Paulo, epoch milliseconds. */
export function endOf(day: CalendarDay): number {
  return startOf(addDays(day, 1)) - 1
}

const TO_THE_MINUTE = new Intl.DateTimeFormat('sv-SE', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
})

/** A moment (epoch milliseconds) as the clocks of America/Sao_Paulo show it: YYYY-MM-DDTHH:MM. */
export function localTimeOf(moment: number): string {
  return TO_THE_MINUTE.format(moment).replace(' ', 'T')
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/

/**
 * The moment at which the clocks of America/Sao_Paulo show YYYY-MM-DDTHH:MM or with seconds, epoch milliseconds. NaN for
 * another text. A time that summer time skips is the one an hour later; of one that comes twice, it is the first.
 */
export function momentOf(localTime: string): number {
  const asUtc = LOCAL_TIME.test(localTime) ? Date.parse(`${localTime}Z`) : NaN
  if (Number.isNaN(asUtc)) return NaN
  const moments = HOURS_BEHIND.map((hours) => asUtc + hours * HOUR_MS)
  const shown = moments.find((moment) => localTimeOf(moment) === localTime.slice(0, 16))
  return shown ?? asUtc + USUAL_HOURS_BEHIND * HOUR_MS
}

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
export function isDay(text: string): text is CalendarDay {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return !Number.isNaN(moment) && new Date(moment).toISOString().slice(0, 10) === text
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
