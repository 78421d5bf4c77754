import type { ReportBy } from '@cofre/api/reports/report'
import { addDays, isDay, weekdayOf, type CalendarDay } from '@cofre/platform/calendar-day'

export type Period = { from: CalendarDay; to: CalendarDay }

/** The periods of a report, the oldest first. The first and the last may be shorter. A week begins on Monday. */
export function periodsOf({ from, to }: Period, by: ReportBy): Period[] {
  const periods: Period[] = []
  for (let first = from; ;) {
    const last = lastDayOf(first, by)
    // Compared before the next day is made: the last day of the calendar has none.
    if (last >= to) return [...periods, { from: first, to }]
    periods.push({ from: first, to: last })
    first = addDays(last, 1)
  }
}

function lastDayOf(day: CalendarDay, by: ReportBy): CalendarDay {
  if (by === 'day') return day
  if (by === 'week') return addDays(day, (7 - weekdayOf(day)) % 7)
  const inMonth = ['31', '30', '29', '28'].map((number) => `${day.slice(0, 7)}-${number}`)
  return inMonth.find(isDay) ?? day
}

/** The days of each period. `days`: within the report, the oldest first. */
export function inPeriods<Day extends { day: CalendarDay }>(
  asked: Period & { by: ReportBy },
  days: readonly Day[],
): (Period & { days: Day[] })[] {
  const left = days.values()
  let next = left.next()
  return periodsOf(asked, asked.by).map((period) => {
    const within: Day[] = []
    for (; !next.done && next.value.day <= period.to; next = left.next()) within.push(next.value)
    return { ...period, days: within }
  })
}
