import type { RecurringInvoiceEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'
import { dayOf } from '@cofre/platform/calendar-day'
import { cycleDayOf, periodFrom } from './frequency'
import type { RecurringInvoice, RecurringStatus } from './recurring-invoice'

/** Where a recurring invoice may go from each state. A booklet is FINISHED from the start; only its cards can be stopped. */
const NEXT: Record<RecurringStatus, readonly RecurringStatus[]> = {
  ACTIVE: ['PAUSED', 'CANCELLED'],
  PAUSED: ['ACTIVE', 'CANCELLED'],
  FINISHED: ['CANCELLED'],
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

type State = Pick<RecurringInvoice, 'status' | 'collectionMethod'>

function allowed({ status, collectionMethod }: State): RecurringAction[] {
  // The invoices of a booklet are made. Where no card is charged for them, nothing is left to cancel.
  const hasNothing = status === 'FINISHED' && collectionMethod === 'SEND_INVOICE'
  const actions = Object.keys(ACTIONS) as RecurringAction[]
  return hasNothing ? [] : actions.filter((each) => NEXT[status].includes(ACTIONS[each]))
}

/**
 * Applies an action at a moment. One that is CANCELLED stays so when it is cancelled again. FAILED_PRECONDITION
 * INVALID_INVOICE_STATE when the state does not allow the action.
 */
export function act<Recurring extends RecurringInvoice>(
  recurring: Recurring,
  action: RecurringAction,
  at: number,
): Recurring {
  const status = ACTIONS[action]
  if (action === 'cancel' && recurring.status === 'CANCELLED') return recurring
  if (!allowed(recurring).includes(action)) throw invalidState(recurring, action)
  const changed = { ...recurring, status, updatedAt: at }
  return action === 'resume' ? resumed(changed, at) : { ...changed, nextCycleDay: null }
}

/** Cancels a booklet whose open invoices are voided, whether or not it charges cards. INVALID_INVOICE_STATE: it is none. */
export function endBooklet<Recurring extends RecurringInvoice>(recurring: Recurring, at: number): Recurring {
  if (recurring.kind !== 'BOOKLET') throw invalidState(recurring, 'void')
  return recurring.status === 'CANCELLED' ? recurring : { ...recurring, status: 'CANCELLED', updatedAt: at }
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
  const notified = { sequence: recurring.sequence + 1, updatedAt: at }
  return {
    recurring: { ...recurring, ...next, ...notified, cyclesBilled: cycle },
    event: 'recurring_invoice.cycle_billed',
    cycle,
  }
}

const WORDS = {
  pause: 'Only an ACTIVE recurring invoice can be paused.',
  resume: 'Only a PAUSED recurring invoice can be resumed.',
  cancel: 'A booklet that charges no card has nothing to cancel. Void it.',
  void: 'Only a booklet can be voided. Cancel the recurring invoice, and void its invoices one by one.',
  change:
    'Only an ACTIVE or PAUSED recurring invoice can be changed. Of a booklet that charges a card, only the card can.',
  'change the day of': 'A cycle is due and is being billed. Change the day once its invoice is made.',
} satisfies Record<RecurringAction, string> & Record<string, string>

export function invalidState(state: State, action: keyof typeof WORDS): DomainError {
  const members = { currentStatus: state.status, allowedActions: allowed(state) }
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', WORDS[action], { members })
}
