import type { InvoiceEventType } from '@cofre/api/events'
import { dayOf } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import type { ChargeStatus, InvoiceStatus, WholeInvoice } from './invoice'
import { isPastDue, latenessOf } from './lateness'
import type { Movement, MovementMethod } from './movement'

/** Where an invoice may go from each state. */
const NEXT: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  OPEN: ['CLOSED', 'CANCELLED', 'UNCOLLECTIBLE'],
  CLOSED: ['PAID', 'CANCELLED', 'UNCOLLECTIBLE'],
  UNCOLLECTIBLE: ['PAID', 'CANCELLED'],
  PAID: [],
  CANCELLED: [],
}

/** The actions that a seller may ask for, and the state to which each leads. */
const ACTIONS = { finalize: 'CLOSED', void: 'CANCELLED', uncollectible: 'UNCOLLECTIBLE' } as const

export type Action = keyof typeof ACTIONS

const EVENT = {
  finalize: 'invoice.finalized',
  void: 'invoice.voided',
  uncollectible: 'invoice.uncollectible',
} as const satisfies Record<Action, InvoiceEventType>

/**
 * A change decided and not yet saved. `event` undefined: no event is sent. `charge`: the new status of the charge;
 * `method`: how it was paid.
 */
export type Decision = {
  invoice: WholeInvoice
  event: InvoiceEventType | undefined
  charge: ChargeStatus | undefined
  method?: MovementMethod | undefined
  /** What it does to the invoice's money. */
  movements?: readonly Movement[]
}

/**
 * Applies an action to an invoice. Undefined when nothing changes: an UNCOLLECTIBLE one stays so. FAILED_PRECONDITION
 * INVALID_INVOICE_STATE for an action that its state does not allow; CONFLICT PAYMENT_PENDING for an action that would
 * leave the invoice unable to take the money of a card that is being charged.
 */
export function act(invoice: WholeInvoice, action: 'finalize' | 'void', at: number): Decision
export function act(invoice: WholeInvoice, action: Action, at: number): Decision | undefined
export function act(invoice: WholeInvoice, action: Action, at: number): Decision | undefined {
  const status = ACTIONS[action]
  if (action === 'uncollectible' && invoice.status === status) return undefined
  if (!NEXT[invoice.status].includes(status)) throw invalidState(invoice, action)
  // No money may come to an invoice that cannot take it. A finalized one can.
  if (action !== 'finalize' && isBeingPaid(invoice)) throw paymentPending()
  if (action === 'void' && invoice.paidAmount > invoice.refundedAmount) throw holdsMoney(invoice)
  const closed = action === 'finalize' ? { closeDate: at, ...latenessOf(invoice, dayOf(at)) } : {}
  const changed = { ...invoice, ...closed, status }
  const pastDueNotified = invoice.pastDueNotified && isPastDue(changed, at)
  return {
    invoice: notified({ ...changed, pastDueNotified }, at),
    event: EVENT[action],
    charge: chargeAfter(invoice, action),
  }
}

/** The steps that finalize a new invoice. One that asks for nothing is paid at once. */
export function finalizing(invoice: WholeInvoice, at: number): [Decision, ...Decision[]] {
  const first = act(invoice, 'finalize', at)
  const second = payNothing(first.invoice, at)
  return second ? [first, second] : [first]
}

/** Makes a finalized invoice over nothing PAID, by no method. Undefined when something is to be paid. */
export function payNothing(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.amount > 0 || invoice.status !== 'CLOSED') return undefined
  const paid = { status: 'PAID', paymentDate: at, pastDueNotified: false } as const
  return { invoice: notified({ ...invoice, ...paid }, at), event: 'invoice.paid', charge: 'PAID' }
}

function chargeAfter({ charge }: WholeInvoice, action: Action): ChargeStatus | undefined {
  if (action === 'finalize') return 'PENDING'
  return action === 'void' && charge ? 'CANCELLED' : undefined
}

/**
 * Prepares an invoice for a payment: an OPEN one is finalized, and a missing charge is made. Undefined when nothing
 * changes. FAILED_PRECONDITION INVALID_INVOICE_STATE when it can't take money.
 */
export function beginPaying(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.status === 'OPEN') return act(invoice, 'finalize', at)
  if (!canBePaid(invoice)) throw invalidState(invoice, 'pay')
  if (invoice.charge) return undefined
  // The invoice was a draft when it was marked uncollectible, so it has no charge.
  const closeDate = invoice.closeDate ?? at
  return { invoice: { ...invoice, closeDate, updatedAt: at }, event: undefined, charge: 'PENDING' }
}

/** Whether an invoice can take money now. An OPEN one is finalized first. */
export function canBePaid({ status }: Pick<WholeInvoice, 'status'>): boolean {
  return NEXT[status].includes('PAID')
}

/** Whether a card payment of the invoice has no outcome yet. */
export function isBeingPaid({ transactions }: Pick<WholeInvoice, 'transactions'>): boolean {
  return transactions.some(({ type, status }) => type === 'CREDIT_CARD' && status === 'PENDING')
}

/** Notifies the seller that an attempt to pay failed; the invoice keeps its status. */
export function tellPaymentFailed(invoice: WholeInvoice, at: number): Decision {
  return { invoice: notified(invoice, at), event: 'invoice.payment_failed', charge: undefined }
}

/** Notifies the seller that money was not given back: a Pix, or a card payment that the invoice could not take. */
export function tellRefundFailed(invoice: WholeInvoice, at: number): Decision {
  return { invoice: notified(invoice, at), event: 'invoice.refund_failed', charge: undefined }
}

/** Notifies the seller once that an invoice is past due. Undefined when it is not, or they were notified before. */
export function tellPastDue(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.pastDueNotified || !isPastDue(invoice, at)) return undefined
  return toldPastDue(invoice, at)
}

/** Marks an invoice as past due, and leaves the notice to its seller to `tellHeldPastDue`. Undefined as above. */
export function holdPastDue(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.pastDueNotified || !isPastDue(invoice, at)) return undefined
  return { invoice: { ...invoice, pastDueNotified: true }, event: undefined, charge: undefined }
}

/** Notifies the seller of an invoice whose notice was held. Undefined when the invoice is not past due any more. */
export function tellHeldPastDue(invoice: WholeInvoice, at: number): Decision | undefined {
  return invoice.pastDueNotified && isPastDue(invoice, at) ? toldPastDue(invoice, at) : undefined
}

function toldPastDue(invoice: WholeInvoice, at: number): Decision {
  return {
    invoice: notified({ ...invoice, pastDueNotified: true }, at),
    event: 'invoice.past_due',
    charge: undefined,
  }
}

/** The invoice after a change of which its seller is notified. */
export function notified(invoice: WholeInvoice, at: number): WholeInvoice {
  return { ...invoice, sequence: invoice.sequence + 1, updatedAt: at }
}

type Asked = Action | 'replace' | 'pay' | 'writeOff'
const ASKED = [
  'replace',
  'finalize',
  'pay',
  'void',
  'uncollectible',
  'writeOff',
] as const satisfies readonly Asked[]

/** The actions that a state allows. */
export function allowedActions(status: InvoiceStatus): Asked[] {
  const next = NEXT[status]
  return ASKED.filter((each) => {
    if (each === 'replace') return status === 'OPEN'
    if (each === 'pay') return next.includes('PAID') || next.includes('CLOSED')
    if (each === 'writeOff') return next.includes('PAID')
    return next.includes(ACTIONS[each]) || (each === 'uncollectible' && status === 'UNCOLLECTIBLE')
  })
}

const WORDS: Record<Asked, string> = {
  replace: 'changed: only an OPEN one can',
  finalize: 'finalized: only an OPEN one can',
  pay: 'paid',
  void: 'voided',
  uncollectible: 'marked uncollectible',
  writeOff: 'written off',
}

/** The error for an action that the state of an invoice does not allow. */
export function invalidState({ status }: WholeInvoice, action: Asked): DomainError {
  const members = { currentStatus: status, allowedActions: allowedActions(status) }
  const isAgain = status === 'PAID' && action === 'pay'
  const message = isAgain
    ? 'The invoice is already paid.'
    : `The invoice is ${status}, so it cannot be ${WORDS[action]}.`
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}

/** The error for voiding an invoice that holds money. */
function holdsMoney({ status }: WholeInvoice): DomainError {
  const members = {
    currentStatus: status,
    allowedActions: allowedActions(status).filter((it) => it !== 'void'),
  }
  const message = 'The invoice is paid in part. Give the money back, or write off the rest.'
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}

const RESOLVED_SOON_SECONDS = 2

/** The error while a card payment of the invoice has no outcome yet. */
export function paymentPending(): DomainError {
  const message = 'A payment of this invoice is pending. Try again when its outcome is known.'
  return new DomainError('conflict', 'PAYMENT_PENDING', message, { retryAfterSeconds: RESOLVED_SOON_SECONDS })
}
