const DAY_MS = 86_400_000
const FIXED = new Set(['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'])
/** Carnival Monday and Tuesday, Good Friday, Corpus Christi, in days from Easter. */
const MOVING = [-48, -47, -2, 60]
const BRASILIA = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' })

/** Returns the day in Brasília, YYYY-MM-DD. */
export function dayAt(epochMs: number): string {
  return BRASILIA.format(epochMs)
}

/** Returns noon of a day in Brasília, in epoch milliseconds. */
export function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00-03:00`)
}

export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

/** Returns the due date or, when banks are closed, their next open day, still without charges (Lei 7.089/1983). */
export function lastDayWithoutCharges(due: string): string {
  let number = dayNumber(due)
  while (isClosed(number)) number += 1
  return textOf(number)
}

/** Returns the day that comes so many days after a day. */
export function dayPlus(day: string, days: number): string {
  return textOf(dayNumber(day) + days)
}

/** Returns how many days on which banks are open come after the first day, up to the last one. */
export function openDaysBetween(first: string, last: string): number {
  let count = 0
  for (let number = dayNumber(first) + 1; number <= dayNumber(last); number += 1) {
    if (!isClosed(number)) count += 1
  }
  return count
}

export function isClosed(number: number): boolean {
  const date = new Date(number * DAY_MS)
  const weekday = date.getUTCDay()
  if (weekday === 0 || weekday === 6 || FIXED.has(textOf(number).slice(5))) return true
  return MOVING.includes(number - easter(date.getUTCFullYear()))
}

/** Returns the day number of Easter, by Gauss's rule with the corrections for 1900 to 2099. */
function easter(year: number): number {
  const d = (19 * (year % 19) + 24) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7
  const late = (d === 29 && e === 6) || (d === 28 && e === 6 && year % 19 > 10) ? 7 : 0
  return dayNumber(`${year}-03-22`) + d + e - late
}

export function textOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10)
}
