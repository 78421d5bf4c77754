import { dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { fault, throwFaults } from '../../request-check'
import { cycleDayOf, periodFrom } from './frequency'
import type { WholeRecurring } from './recurring-invoice'
import { invalidState } from './transition'

const POINTER = '#/nextCycleDate'

/**
 * Moves the next cycle to another day, from which the later ones are counted. No cycle is billed twice and none is left
 * out: the day lies after today, and before the cycle that follows. INVALID_ARGUMENT, FAILED_PRECONDITION.
 */
export function withDay(recurring: WholeRecurring, day: CalendarDay, at: number): WholeRecurring {
  const { anchorDay, frequency, nextPeriod, nextCycleDay, firstDueDate, cyclesBilled } = recurring
  if (day === nextCycleDay) return recurring
  const today = dayOf(at)
  if (nextCycleDay !== null && nextCycleDay <= today) throw invalidState(recurring, 'change the day of')
  if (day <= today) throwFaults([fault(POINTER, 'MIN', 'must be after today')])
  // While it is paused, the cycle with which it would go on today.
  const coming =
    nextCycleDay === null ? Math.max(nextPeriod, periodFrom(anchorDay, frequency, today)) : nextPeriod
  if (day >= cycleDayOf(anchorDay, frequency, coming + 1)) {
    throwFaults([fault(POINTER, 'MAX', 'must be before the day of the cycle that follows the next one')])
  }
  const isFirst = nextPeriod === 0 && cyclesBilled === 0
  if (isFirst && firstDueDate !== null && day > dayOf(firstDueDate)) {
    throwFaults([fault(POINTER, 'MAX', 'must not be after the nextCycleDueDate that the request gave')])
  }
  return {
    ...recurring,
    anchorDay: day,
    nextPeriod: 0,
    nextCycleDay: nextCycleDay === null ? null : day,
    firstDueDate: isFirst ? firstDueDate : null,
  }
}
