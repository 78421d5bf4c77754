import { dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import { discountAt } from './discounts'
import type { WholeInvoice } from './invoice'
import { owedAt, type Owed } from './late-charges'
import {
  movement,
  NOTHING,
  sumOf,
  type Movement,
  type MovementMethod,
  type Source,
  type WriteOffReason,
} from './movement'
import {
  allowedActions,
  canBePaid,
  invalidState,
  isBeingPaid,
  notified,
  paymentPending,
  type Decision,
} from './transition'

/**
 * Money that an invoice takes, cents. `at`: now, epoch milliseconds. `paidAt`: when it came in, if that was before.
 * `asOf`: the moment up to which fine and interest are asked for, by default `paidAt`. `rest`: what becomes of what it
 * does not cover. OWED: it stays to be paid, and so does any principal that nobody but the seller may write off. EARLY_PAYMENT_DISCOUNT: the seller promised it. `fee`: what the payer bore on top of `amount`.
 */
export type Paid = {
  method: MovementMethod
  amount: number
  at: number
  paidAt?: number
  asOf?: number
  rest: 'OWED' | WriteOffReason
  fee?: number
  source?: Source
}

/**
 * Takes money for an invoice that has its charge: PAID when nothing stays open, else as it was, with the rest to be
 * paid. The rest of what came in time for a discount, and leaves nothing else open, is asked for no more. FAILED_PRECONDITION INVALID_INVOICE_STATE when it can't take money.
 */
export function pay(invoice: WholeInvoice, paid: Paid): Decision {
  if (!canBePaid(invoice)) throw invalidState(invoice, 'pay')
  const { method, amount, at, paidAt = at, asOf = paidAt, fee = 0, source } = paid
  const owed = owedAt(invoice, asOf)
  const discount = discountAt(invoice, asOf)?.amount ?? 0
  const isPromised = paid.rest === 'BY_SELLER' || paid.rest === 'EARLY_PAYMENT_DISCOUNT'
  const isShort = amount < owed.principal && !isPromised
  const isEnough = amount + discount >= sumOf(owed)
  const follows = isEnough ? 'EARLY_PAYMENT_DISCOUNT' : isShort ? 'OWED' : paid.rest
  const { taken, rest } = allocate(owed, amount, follows)
  const of = { sellerId: invoice.sellerId, invoiceId: invoice.id, recordedAt: at }
  const came = movement({ ...of, kind: 'PAYMENT', method, at: paidAt }, { ...taken, fee }, source)
  // A card that was only verified moved nothing.
  const moved = came.amount > 0 ? [came] : []
  const paidAmount = invoice.paidAmount + amount
  if (sumOf(rest) > 0 && follows === 'OWED') {
    const open = { ...rest, countedTo: laterDay(invoice.open.countedTo, dayOf(asOf)) }
    const changed = { ...invoice, paidAmount, open }
    return {
      invoice: notified(changed, at),
      event: 'invoice.partially_paid',
      charge: undefined,
      movements: moved,
    }
  }
  const left = sumOf(rest) > 0 && follows !== 'OWED' ? [writtenOff(invoice, rest, follows, at, source)] : []
  const writtenOffAmount = invoice.writtenOffAmount + sumOf(rest)
  const done = { ...NOTHING_OPEN, status: 'PAID', paymentDate: paidAt, pastDueNotified: false } as const
  return {
    invoice: notified({ ...invoice, ...done, paidAmount, writtenOffAmount }, at),
    event: 'invoice.paid',
    charge: 'PAID',
    method,
    movements: [...moved, ...left],
  }
}

const NOTHING_OPEN = { open: { ...NOTHING, countedTo: null } }

/**
 * Divides money among what is owed. A part pays interest first, then the fine, then the principal (Código Civil, art.
 * 354). Where the rest is not asked for, the principal comes first. Money beyond what is owed counts as interest.
 */
function allocate(owed: Owed, amount: number, rest: Paid['rest']): { taken: Owed; rest: Owed } {
  const order = rest === 'OWED' ? (['interest', 'fine', 'principal'] as const) : PRINCIPAL_FIRST
  const taken = { ...NOTHING }
  let left = amount
  for (const part of order) {
    taken[part] = Math.min(left, owed[part])
    left -= taken[part]
  }
  taken.interest += left
  const open = (part: keyof Owed) => Math.max(owed[part] - taken[part], 0)
  return { taken, rest: { principal: open('principal'), fine: open('fine'), interest: open('interest') } }
}

const PRINCIPAL_FIRST = ['principal', 'fine', 'interest'] as const

function writtenOff(
  { sellerId, id: invoiceId }: WholeInvoice,
  parts: Owed,
  reason: WriteOffReason,
  at: number,
  { note = null, receiptId = null }: Source = {},
): Movement {
  const of = { sellerId, invoiceId, kind: 'WRITE_OFF', method: null, at, recordedAt: at, reason } as const
  return movement(of, { ...parts, fee: 0 }, { note, receiptId })
}

function laterDay(one: CalendarDay | null, other: CalendarDay): CalendarDay {
  return one !== null && one > other ? one : other
}

/** A part of what an invoice is owed that its seller asks for no more. `amount` undefined: all of it. Cents. */
export type WriteOff = { amount: number | undefined; note: string; at: number }

/**
 * Writes off what an invoice is owed, fine and interest first. PAID when nothing stays open. FAILED_PRECONDITION
 * INVALID_INVOICE_STATE when it takes no money, or none came that would make it PAID; VALIDATION_FAILED for more than
 * is owed; CONFLICT PAYMENT_PENDING while a card is charged.
 */
export function writeOff(invoice: WholeInvoice, { amount, note, at }: WriteOff): Decision {
  if (!canBePaid(invoice)) throw invalidState(invoice, 'writeOff')
  if (isBeingPaid(invoice)) throw paymentPending()
  const owed = owedAt(invoice, at)
  const whole = sumOf(owed)
  if ((amount ?? whole) > whole) throw aboveOwed()
  const { taken, rest } = allocate(owed, amount ?? whole, 'OWED')
  const isDone = sumOf(rest) === 0
  if (isDone && invoice.paidAmount === invoice.refundedAmount) throw nothingPaid(invoice)
  const movements = [writtenOff(invoice, taken, 'BY_SELLER', at, { note })]
  const writtenOffAmount = invoice.writtenOffAmount + sumOf(taken)
  if (!isDone) {
    const open = { ...rest, countedTo: laterDay(invoice.open.countedTo, dayOf(at)) }
    const changed = { ...invoice, writtenOffAmount, open, updatedAt: at }
    return { invoice: changed, event: undefined, charge: undefined, movements }
  }
  const done = { ...NOTHING_OPEN, status: 'PAID', paymentDate: at, pastDueNotified: false } as const
  return {
    invoice: notified({ ...invoice, ...done, writtenOffAmount }, at),
    event: 'invoice.paid',
    charge: 'PAID',
    method: undefined,
    movements,
  }
}

/**
 * Money of an invoice that went back, cents. `amount`: the part of what the invoice took; `fee`: of what the payer
 * bore on top. `goneAt`: when it went, epoch milliseconds.
 */
export type GoneBack = {
  kind: 'REFUND' | 'RETURN'
  method: MovementMethod
  amount: number
  fee: number
  goneAt: number
  at: number
  source: Source
}

/**
 * Notes money that went back; the invoice keeps its status, and one that is not PAID is owed it again. `held`: what the
 * invoice has taken and not given back, by part. It goes in the opposite order: principal, fine, interest. What an
 * acquirer gave back beyond what the invoice holds is of no invoice.
 */
export function giveBack(invoice: WholeInvoice, gone: GoneBack, held: Owed): Decision {
  const { kind, method, fee, goneAt, at, source } = gone
  const { sellerId, id: invoiceId, open, refundedAmount } = invoice
  const back = partsGone(held, gone.amount)
  const beyond = gone.amount - sumOf(back)
  const of = { sellerId, kind, method, at: goneAt, recordedAt: at }
  const movements = [
    movement({ ...of, invoiceId }, { ...back, fee }, source),
    movement({ ...of, invoiceId: null }, { ...NOTHING, principal: beyond, fee: 0 }, source),
  ]
  const reopened = invoice.status === 'PAID' ? open : { ...open, ...together(open, back) }
  return {
    invoice: notified({ ...invoice, refundedAmount: refundedAmount + sumOf(back), open: reopened }, at),
    event: 'invoice.refunded',
    charge: undefined,
    movements: movements.filter((each) => each.amount > 0),
  }
}

function together(one: Owed, other: Owed): Owed {
  return {
    principal: one.principal + other.principal,
    fine: one.fine + other.fine,
    interest: one.interest + other.interest,
  }
}

/** The parts of an amount that goes, cents, at most those that are held: the principal first, then the fine. */
export function partsGone(held: Owed, amount: number): Owed {
  const gone = { ...NOTHING }
  let left = amount
  for (const part of PRINCIPAL_FIRST) {
    gone[part] = Math.min(left, held[part])
    left -= gone[part]
  }
  return gone
}

/** The error for writing off all of an invoice that nobody has paid anything of. */
function nothingPaid({ status }: WholeInvoice): DomainError {
  const members = { currentStatus: status, allowedActions: allowedActions(status) }
  const message = 'Nobody has paid anything of the invoice. Void it, or mark it uncollectible.'
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}

function aboveOwed(): DomainError {
  const errors = [{ pointer: '#/amountInCents', code: 'RANGE', detail: 'must be at most what is owed' }]
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The amount is above what is owed.', {
    errors,
  })
}
