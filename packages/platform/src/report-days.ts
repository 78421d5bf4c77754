import { daysBetween, isDay, type CalendarDay } from './calendar-day'
import { DomainError, type FieldError } from './errors'

/** A year by months, and the month before it. */
export const REPORT_DAYS_MAX = 400

/** Throws VALIDATION_FAILED for what is no day, for days in the wrong order, and for too many of them. */
export function checkReportDays({ from, to }: { from: string; to: string }): {
  from: CalendarDay
  to: CalendarDay
} {
  const faults = Object.entries({ from, to })
    .filter(([, day]) => !isDay(day))
    .map(([name]): FieldError => ({
      pointer: `#/${name}`,
      code: 'FORMAT',
      detail: 'must be a day, YYYY-MM-DD',
    }))
  const span = daysBetween(from, to)
  if (faults.length === 0 && (span < 0 || span >= REPORT_DAYS_MAX)) {
    const detail = `must be from 0 to ${REPORT_DAYS_MAX - 1} days after \`from\``
    faults.push({ pointer: '#/to', code: 'RANGE', detail })
  }
  if (faults.length === 0) return { from, to }
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', {
    errors: faults,
  })
}
