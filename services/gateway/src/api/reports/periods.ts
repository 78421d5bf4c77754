import type { ReportBy } from '@cofre/api/reports/report'
import { addDays, isDay, weekdayOf, type CalendarDay } from '@cofre/platform/calendar-day'

export type Period = { from: CalendarDay; to: CalendarDay }

/** The periods of a report, the oldest first. The first and the last may be shorter. A week begins on Monday. */
export function periodsOf({ from, to }: Period, by: ReportBy): Period[] {
  const last = lastDayOf(from, by)
  if (last >= to) return [{ from, to }]
  return [{ from, to: last }, ...periodsOf({ from: addDays(last, 1), to }, by)]
}

function lastDayOf(day: CalendarDay, by: ReportBy): CalendarDay {
  if (by === 'day') return day
  if (by === 'week') return addDays(day, (7 - weekdayOf(day)) % 7)
  const inMonth = ['31', '30', '29', '28'].map((number) => `${day.slice(0, 7)}-${number}`)
  return inMonth.find(isDay) ?? day
}

/** The days of each period. */
export function inPeriods<Day extends { day: CalendarDay }>(
  asked: Period & { by: ReportBy },
  days: readonly Day[],
): (Period & { days: Day[] })[] {
  return periodsOf(asked, asked.by).map(({ from, to }) => ({
    from,
    to,
    days: days.filter(({ day }) => from <= day && day <= to),
  }))
}
