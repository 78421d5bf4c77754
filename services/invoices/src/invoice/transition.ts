import type { InvoiceEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'
import type { ChargeStatus, InvoiceStatus, PaymentMethod, WholeInvoice } from './invoice'
import { isPastDue } from './lateness'

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
  method?: PaymentMethod
}

/**
 * Applies an action to an invoice. Undefined when nothing changes: an UNCOLLECTIBLE one stays so. FAILED_PRECONDITION
 * INVALID_INVOICE_STATE for an action that its state does not allow; CONFLICT PAYMENT_PENDING while a card is charged.
 */
export function act(invoice: WholeInvoice, action: 'finalize' | 'void', at: number): Decision
export function act(invoice: WholeInvoice, action: Action, at: number): Decision | undefined
export function act(invoice: WholeInvoice, action: Action, at: number): Decision | undefined {
  const status = ACTIONS[action]
  if (action === 'uncollectible' && invoice.status === status) return undefined
  if (!NEXT[invoice.status].includes(status)) throw invalidState(invoice, action)
  // No money may come to an invoice that cannot take it.
  if (isBeingPaid(invoice)) throw paymentPending()
  const closed = action === 'finalize' ? { closeDate: at } : {}
  const changed = { ...invoice, ...closed, status, pastDueTold: invoice.pastDueTold && action === 'finalize' }
  return { invoice: told(changed, at), event: EVENT[action], charge: chargeAfter(invoice, action) }
}

/** Finalizes a new invoice, which asks for its payment at once. */
export function finalized(invoice: WholeInvoice, at: number): WholeInvoice {
  return act(invoice, 'finalize', at).invoice
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
  return { invoice: { ...invoice, updatedAt: at }, event: undefined, charge: 'PENDING' }
}

/**
 * A payment that succeeded. `amount`: the amount that the invoice asked for, cents. `at`: now, epoch milliseconds.
 * `paidAt`: when the money came in, if that was before.
 */
export type Paid = { method: PaymentMethod; amount: number; at: number; paidAt?: number }

/** Makes an invoice that has its charge PAID. FAILED_PRECONDITION INVALID_INVOICE_STATE when it can't take money. */
export function pay(invoice: WholeInvoice, { method, amount, at, paidAt = at }: Paid): Decision {
  if (!canBePaid(invoice)) throw invalidState(invoice, 'pay')
  const paid = { status: 'PAID', paymentDate: paidAt, paidAmount: amount, pastDueTold: false } as const
  return { invoice: told({ ...invoice, ...paid }, at), event: 'invoice.paid', charge: 'PAID', method }
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
  return { invoice: told(invoice, at), event: 'invoice.payment_failed', charge: undefined }
}

/** Notes how much of a payment was refunded so far, cents. It sends no event: the charge has its own. */
export function refund(invoice: WholeInvoice, amount: number, at: number): Decision {
  return {
    invoice: { ...invoice, refundedAmount: amount, updatedAt: at },
    event: undefined,
    charge: undefined,
  }
}

/** Notifies the seller once that an invoice is past due. Undefined when it is not, or they were notified before. */
export function tellPastDue(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.pastDueTold || !isPastDue(invoice, at)) return undefined
  return {
    invoice: told({ ...invoice, pastDueTold: true }, at),
    event: 'invoice.past_due',
    charge: undefined,
  }
}

function told(invoice: WholeInvoice, at: number): WholeInvoice {
  return { ...invoice, sequence: invoice.sequence + 1, updatedAt: at }
}

type Asked = Action | 'pay'
const ASKED = ['finalize', 'pay', 'void', 'uncollectible'] as const satisfies readonly Asked[]

/** The actions that a state allows. */
function allowedActions(status: InvoiceStatus): Asked[] {
  const next = NEXT[status]
  return ASKED.filter((each) => {
    if (each === 'pay') return next.includes('PAID') || next.includes('CLOSED')
    return next.includes(ACTIONS[each]) || (each === 'uncollectible' && status === 'UNCOLLECTIBLE')
  })
}

const WORDS: Record<Asked, string> = {
  finalize: 'finalized: only an OPEN one can',
  pay: 'paid',
  void: 'voided',
  uncollectible: 'marked uncollectible',
}

function invalidState({ status }: WholeInvoice, action: Asked): DomainError {
  const members = { currentStatus: status, allowedActions: allowedActions(status) }
  const message = `The invoice is ${status}, so it cannot be ${WORDS[action]}.`
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}

const SETTLED_SOON_SECONDS = 2

/** The error while a card payment of the invoice has no outcome yet. */
export function paymentPending(): DomainError {
  const message = 'A payment of this invoice is pending. Try again when its outcome is known.'
  return new DomainError('conflict', 'PAYMENT_PENDING', message, { retryAfterSeconds: SETTLED_SOON_SECONDS })
}
