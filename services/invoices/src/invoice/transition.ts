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

/** What a seller may ask for, and where it leads. */
const ACTIONS = { finalize: 'CLOSED', void: 'CANCELLED', uncollectible: 'UNCOLLECTIBLE' } as const

export type Action = keyof typeof ACTIONS

const EVENT = {
  finalize: 'invoice.finalized',
  void: 'invoice.voided',
  uncollectible: 'invoice.uncollectible',
} as const satisfies Record<Action, InvoiceEventType>

/**
 * A change decided and not yet saved. `event` undefined: nobody is told. `charge`: what becomes of the charge; `method`:
 * how it was paid.
 */
export type Decision = {
  invoice: WholeInvoice
  event: InvoiceEventType | undefined
  charge: ChargeStatus | undefined
  method?: PaymentMethod
}

/**
 * What an action makes of an invoice. Undefined: nothing, an UNCOLLECTIBLE one stays so. FAILED_PRECONDITION
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

/** A new invoice that asks for its payment at once. */
export function finalized(invoice: WholeInvoice, at: number): WholeInvoice {
  return act(invoice, 'finalize', at).invoice
}

function chargeAfter({ charge }: WholeInvoice, action: Action): ChargeStatus | undefined {
  if (action === 'finalize') return 'PENDING'
  return action === 'void' && charge ? 'CANCELLED' : undefined
}

/**
 * What becomes of an invoice that somebody begins to pay: an OPEN one is finalized, and its charge is made. Undefined:
 * nothing. FAILED_PRECONDITION INVALID_INVOICE_STATE where it can't take money.
 */
export function beginPaying(invoice: WholeInvoice, at: number): Decision | undefined {
  if (invoice.status === 'OPEN') return act(invoice, 'finalize', at)
  if (!canBePaid(invoice)) throw invalidState(invoice, 'pay')
  if (invoice.charge) return undefined
  // Of one that was a draft when it was marked uncollectible.
  return { invoice: { ...invoice, updatedAt: at }, event: undefined, charge: 'PENDING' }
}

/**
 * A payment that succeeded. `amount`: what the invoice asked for, cents. `at`: epoch milliseconds, now. `paidAt`: when the
 * money came in, where that was before.
 */
export type Paid = { method: PaymentMethod; amount: number; at: number; paidAt?: number }

/** What money makes of an invoice that has its charge. FAILED_PRECONDITION INVALID_INVOICE_STATE where it can't take any. */
export function pay(invoice: WholeInvoice, { method, amount, at, paidAt = at }: Paid): Decision {
  if (!canBePaid(invoice)) throw invalidState(invoice, 'pay')
  const paid = { status: 'PAID', paymentDate: paidAt, paidAmount: amount, pastDueTold: false } as const
  return { invoice: told({ ...invoice, ...paid }, at), event: 'invoice.paid', charge: 'PAID', method }
}

/** Whether money may come to an invoice now. An OPEN one is finalized first. */
export function canBePaid({ status }: Pick<WholeInvoice, 'status'>): boolean {
  return NEXT[status].includes('PAID')
}

/** Whether it is not known yet what became of a card that is charged for it. */
export function isBeingPaid({ transactions }: Pick<WholeInvoice, 'transactions'>): boolean {
  return transactions.some(({ type, status }) => type === 'CREDIT_CARD' && status === 'PENDING')
}

/** The seller hears that an attempt to pay came to nothing; the invoice stays where it is. */
export function tellPaymentFailed(invoice: WholeInvoice, at: number): Decision {
  return { invoice: told(invoice, at), event: 'invoice.payment_failed', charge: undefined }
}

/** What was given back of a payment so far, cents. No event tells of it: the charge's own does. */
export function refund(invoice: WholeInvoice, amount: number, at: number): Decision {
  return {
    invoice: { ...invoice, refundedAmount: amount, updatedAt: at },
    event: undefined,
    charge: undefined,
  }
}

/** The seller is told once that an invoice is past due. Undefined: it is not, or was told. */
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

/** What may be asked of an invoice in a state. */
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

/** A card is charged for the invoice, and what became of it is not known yet. */
export function paymentPending(): DomainError {
  const message = 'A payment of this invoice is pending. Try again when its outcome is known.'
  return new DomainError('conflict', 'PAYMENT_PENDING', message, { retryAfterSeconds: SETTLED_SOON_SECONDS })
}
