import type { Frequency } from '../../src/recurring/rules/frequency'

/** An independent calendar, counted day by day, which shares no code with the service: cycles are compared with it. */
type Day = { year: number; month: number; day: number }

const MONTHS_OF: Partial<Record<Frequency, number>> = {
  MONTHLY: 1,
  BIMONTHLY: 2,
  QUARTERLY: 3,
  SEMIANNUALLY: 6,
  YEARLY: 12,
}
const DAYS_OF: Partial<Record<Frequency, number>> = { WEEKLY: 7, BIWEEKLY: 14 }

function lengthOf({ year, month }: Day): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

function dayAfter({ year, month, day }: Day): Day {
  if (day < lengthOf({ year, month, day })) return { year, month, day: day + 1 }
  return month < 12 ? { year, month: month + 1, day: 1 } : { year: year + 1, month: 1, day: 1 }
}

const written = ({ year, month, day }: Day) =>
  `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`

/** Walks day by day from the anchor for so many years. Returns the days on which a cycle is billed. */
export function walkCycles(anchor: string, frequency: Frequency, years: number): string[] {
  const [year = 0, month = 0, day = 0] = anchor.split('-').map(Number)
  const cycles: string[] = []
  let today: Day = { year, month, day }
  for (let walked = 0; today.year < year + years || today.month < month; walked += 1) {
    const months = MONTHS_OF[frequency]
    const every = DAYS_OF[frequency]
    const since = (today.year - year) * 12 + today.month - month
    // The anchor's day or, in a month that is too short for it, the last day.
    const isDay = today.day === day || (today.day < day && today.day === lengthOf(today))
    const isCycle = months === undefined ? walked % (every ?? 1) === 0 : since % months === 0 && isDay
    if (isCycle) cycles.push(written(today))
    today = dayAfter(today)
  }
  return cycles
}
