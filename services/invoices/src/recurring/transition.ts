import type { RecurringInvoiceEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'
import { dayOf } from '../invoice/calendar-day'
import { cycleDayOf, periodFrom } from './frequency'
import type { RecurringInvoice, RecurringStatus } from './recurring-invoice'

/** Where a recurring invoice may go from each state. A booklet is FINISHED from the start. */
const NEXT: Record<RecurringStatus, readonly RecurringStatus[]> = {
  ACTIVE: ['PAUSED', 'CANCELLED'],
  PAUSED: ['ACTIVE', 'CANCELLED'],
  FINISHED: [],
  CANCELLED: [],
}

/** The actions that a seller may ask for, and the state to which each leads. */
const ACTIONS = { pause: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELLED' } as const

export type RecurringAction = keyof typeof ACTIONS

/** A change decided and not yet saved, and the event that reports it. */
export type Billed<Recurring extends RecurringInvoice> = {
  recurring: Recurring
  event: RecurringInvoiceEventType
}

/** Applies an action at a moment. FAILED_PRECONDITION INVALID_INVOICE_STATE when the state does not allow it. */
export function act<Recurring extends RecurringInvoice>(
  recurring: Recurring,
  action: RecurringAction,
  at: number,
): Recurring {
  const status = ACTIONS[action]
  if (!NEXT[recurring.status].includes(status)) throw invalidState(recurring.status, action)
  const changed = { ...recurring, status, updatedAt: at }
  return action === 'resume' ? resumed(changed, at) : { ...changed, nextCycleDay: null }
}

/** Leaves out the cycles that fell in the pause: the next one is the first from today on. */
function resumed<Recurring extends RecurringInvoice>(recurring: Recurring, at: number): Recurring {
  const { anchorDay, frequency } = recurring
  const nextPeriod = Math.max(recurring.nextPeriod, periodFrom(anchorDay, frequency, dayOf(at)))
  return { ...recurring, nextPeriod, nextCycleDay: cycleDayOf(anchorDay, frequency, nextPeriod) }
}

/** Moves a recurring invoice to its next cycle once the invoice of this one is made. */
export function bill<Recurring extends RecurringInvoice>(
  recurring: Recurring,
  at: number,
): Billed<Recurring> & { cycle: number } {
  const { status, anchorDay, frequency, nextCycleDay } = recurring
  if (status !== 'ACTIVE' || nextCycleDay === null)
    throw new Error(`a ${status} recurring invoice is not billed`)
  const cycle = recurring.cyclesBilled + 1
  const nextPeriod = recurring.nextPeriod + 1
  const next = { nextPeriod, nextCycleDay: cycleDayOf(anchorDay, frequency, nextPeriod) }
  const told = { sequence: recurring.sequence + 1, updatedAt: at }
  return {
    recurring: { ...recurring, ...next, ...told, cyclesBilled: cycle },
    event: 'recurring_invoice.cycle_billed',
    cycle,
  }
}

const WORDS: Record<RecurringAction, string> = {
  pause: 'Only an ACTIVE recurring invoice can be paused.',
  resume: 'Only a PAUSED recurring invoice can be resumed.',
  cancel: 'A recurring invoice that is FINISHED or CANCELLED cannot be cancelled.',
}

function invalidState(currentStatus: RecurringStatus, action: RecurringAction): DomainError {
  const asked = Object.keys(ACTIONS) as RecurringAction[]
  const allowedActions = asked.filter((each) => NEXT[currentStatus].includes(ACTIONS[each]))
  const members = { currentStatus, allowedActions }
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', WORDS[action], { members })
}
