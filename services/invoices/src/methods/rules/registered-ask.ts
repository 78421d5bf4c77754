import { dayOf, endOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { NotSent, Unknown } from '../bank-answer'

/** The contract's names, which the database uses too. */
export type AskStatus = 'PENDING' | 'REGISTERED' | 'PAID' | 'EXPIRED' | 'CANCELLED' | 'REFUSED'

/** What an ask costs less until the end of a day. Cents. */
export type DatedDiscount = { until: CalendarDay; amount: number }

/** An ask that a bank registers before anybody sees it, such as a boleto. Times in epoch milliseconds. */
export type RegisteredAsk = {
  id: number
  sellerId: number
  invoiceId: number
  /** Its name in the addresses that payers open; nobody can guess it. */
  publicId: string
  status: AskStatus
  /** The seller's account at the bank. */
  account: string
  /** Cents, without a discount. */
  amount: number
  /** The first one first; each is greater than the next. */
  discounts: readonly DatedDiscount[]
  /** The last day on which banks accept it. */
  payableUntil: CalendarDay
  /** Why it was refused: the bank's code, or one of ours. */
  refusal: string | null
  /** The registration leaves by this moment, or not at all. */
  dispatchDeadline: number
  /** The mark of the request for it, until the request is answered. */
  operationId: string | null
  /** The bank has yet to withdraw it. */
  withdrawing: boolean
  /** Since when the seller has had no account at the bank: nobody can ask about it. Null when it has one. */
  accountGoneAt: number | null
  /** When the sweeper next checks it. Null means never. */
  askAt: number | null
  version: number
  createdAt: number
  updatedAt: number
}

/** The fields of an ask before it has been sent to its bank. */
export const UNSENT = {
  status: 'PENDING',
  refusal: null,
  operationId: null,
  withdrawing: false,
  accountGoneAt: null,
  version: 1,
} as const

/** What changes of an ask: fields of every ask, or of one kind. */
type Changes<A> = Partial<A> | Partial<RegisteredAsk>

/** The answer to a registration. `known`: what the bank adds. */
export type AskAnswer<A> =
  { result: 'registered'; known: Partial<A> } | { result: 'refused'; code: string } | NotSent | Unknown

/** The bank registered another ask than the one requested. */
export const BANK_DISAGREES = 'BANK_DISAGREES'

/** The registration never left. Our own `refusal` of an ask, in place of a code of the bank. */
export const NOT_SENT = 'NOT_SENT'

/** Where an ask may go from each state. Money that comes in pays one that is known to be ours, also after its end. */
const NEXT: Record<AskStatus, readonly AskStatus[]> = {
  PENDING: ['REGISTERED', 'REFUSED', 'CANCELLED'],
  REGISTERED: ['PAID', 'EXPIRED', 'CANCELLED'],
  EXPIRED: ['PAID', 'CANCELLED'],
  CANCELLED: ['PAID'],
  REFUSED: [],
  PAID: [],
}

const DAY_MS = 86_400_000
/** How long after its end an ask is checked once more. By then the bank has reported any payment. */
const LAST_LOOK_MS = 3 * DAY_MS

/**
 * Only the seller's account can ask about an ask. While it is gone, we check this often, and this long, for its return.
 */
const ACCOUNT_ASKED_EVERY_MS = DAY_MS / 24
const ACCOUNT_AWAITED_MS = 7 * DAY_MS
/** Our own `refusal` of an ask that was given up, because nobody can ask the bank about it. */
export const NO_ACCOUNT = 'NO_ACCOUNT'

/** A change decided and not yet saved. `mark`: how the mark of the request for the ask ends. */
export type AskDecision<A extends RegisteredAsk> = {
  ask: A
  mark?: { operationId: string; end: 'answered' | 'freed' }
}

/** Moves an ask. Throws for a move that its state does not allow. */
export function move<A extends RegisteredAsk>(ask: A, status: AskStatus, changes: Changes<A>, at: number): A {
  if (!NEXT[ask.status].includes(status)) throw new Error(`an ask ${ask.status} became ${status}`)
  return changed(ask, { ...changes, status }, at)
}

export function changed<A extends RegisteredAsk>(ask: A, changes: Changes<A>, at: number): A {
  return { ...ask, ...changes, version: ask.version + 1, updatedAt: at }
}

/** Cancels an ask that nobody should pay any more. The bank withdraws it as soon as possible. */
export function withdraw<A extends RegisteredAsk>(ask: A, at: number): A {
  return move(ask, 'CANCELLED', { withdrawing: true, askAt: at }, at)
}

/** Notes that the bank has withdrawn an ask. It is checked once more for payments that were on their way. */
export function withdrawn<A extends RegisteredAsk>(ask: A, at: number): A {
  return changed(ask, { withdrawing: false, askAt: at + LAST_LOOK_MS }, at)
}

/** Stops asking about an ask that the bank does not have: there is nothing to withdraw. */
function neverThere<A extends RegisteredAsk>(ask: A, at: number): A {
  return changed(ask, { withdrawing: false, askAt: null, operationId: null }, at)
}

/** Cancels an ask whose money its invoice did not take. For the bank it is paid, so nobody can pay the rest with it. */
export function closedAtBank<A extends RegisteredAsk>(ask: A, at: number): A {
  return move(ask, 'CANCELLED', { askAt: at + LAST_LOOK_MS }, at)
}

/** Makes an ask PAID: its invoice took the money. */
export function paid<A extends RegisteredAsk>(ask: A, at: number): A {
  const changes = { withdrawing: false, askAt: at + LAST_LOOK_MS }
  return move(ask, 'PAID', changes, at)
}

/** Applies the answer to a registration to an ask, which may have been withdrawn or paid meanwhile. */
export function recordAnswer<A extends RegisteredAsk>(
  ask: A,
  answer: AskAnswer<A>,
  at: number,
): AskDecision<A> {
  if (answer.result === 'registered') {
    const { known } = answer
    if (ask.status !== 'PENDING') return answered(ask, changed(ask, known, at), at)
    return answered(ask, move(ask, 'REGISTERED', { askAt: nextLook(ask, at), ...known }, at), at)
  }
  if (answer.result === 'unknown') return answered(ask, ask, at)
  return { ask: refused(ask, answer, at), ...markOf(ask, 'freed') }
}

function refused<A extends RegisteredAsk>(
  ask: A,
  answer: { result: 'refused'; code: string } | NotSent,
  at: number,
): A {
  // One that the bank has otherwise than asked is not ours to withdraw.
  if (ask.status !== 'PENDING') return neverThere(ask, at)
  const refusal = answer.result === 'refused' ? answer.code : NOT_SENT
  return move(ask, 'REFUSED', { refusal, askAt: null, operationId: null }, at)
}

/** Ends an ask that the bank has no part of, also its number: one that nobody should pay needs no withdrawal. */
export function leftAlone<A extends RegisteredAsk>(ask: A, changes: Changes<A>, at: number): AskDecision<A> {
  return { ask: { ...neverThere(ask, at), ...changes }, ...markOf(ask, 'freed') }
}

function answered<A extends RegisteredAsk>(before: A, after: A, at: number): AskDecision<A> {
  if (before.operationId === null) return { ask: after }
  const ask = after === before ? changed(after, { operationId: null }, at) : { ...after, operationId: null }
  return { ask, ...markOf(before, 'answered') }
}

function markOf(
  { operationId }: RegisteredAsk,
  end: 'answered' | 'freed',
): Pick<AskDecision<RegisteredAsk>, 'mark'> {
  return operationId === null ? {} : { mark: { operationId, end } }
}

/** Applies the bank's answer about an ask. `cancelled`: the bank accepts no payment of it any more. */
export function recordLook<A extends RegisteredAsk>(
  ask: A,
  { cancelled }: { cancelled: boolean },
  at: number,
): A {
  const last = at + LAST_LOOK_MS
  if (ask.status === 'REGISTERED') {
    if (!stillHolds(ask, at)) return move(ask, 'EXPIRED', { askAt: last }, at)
    if (cancelled) return move(ask, 'CANCELLED', { askAt: last }, at)
    return changed(ask, { askAt: nextLook(ask, at) }, at)
  }
  return changed(ask, { askAt: null }, at)
}

/**
 * Notes that the seller's account is gone, so that nobody can ask the bank about an ask. After a week it is given up;
 * money that the bank reports of a registered one is still taken. An ask that can still be paid is given up after its last day.
 */
export function withoutAccount<A extends RegisteredAsk>(ask: A, at: number): AskDecision<A> {
  const accountGoneAt = ask.accountGoneAt ?? at
  if (at < accountGoneAt + ACCOUNT_AWAITED_MS) {
    return { ask: changed(ask, { accountGoneAt, askAt: at + ACCOUNT_ASKED_EVERY_MS }, at) }
  }
  if (ask.status === 'PENDING') {
    const ended = { refusal: NO_ACCOUNT, askAt: null, operationId: null }
    return { ask: move(ask, 'REFUSED', ended, at), ...markOf(ask, 'freed') }
  }
  if (ask.status !== 'REGISTERED') return { ask: neverThere(ask, at) }
  if (!stillHolds(ask, at)) return { ask: move(ask, 'EXPIRED', { askAt: null }, at) }
  return { ask: changed(ask, { askAt: nextLook(ask, at) }, at) }
}

/** Notes that the seller has an account again. */
export function withAccount<A extends RegisteredAsk>(ask: A, at: number): A {
  return ask.accountGoneAt === null ? ask : changed(ask, { accountGoneAt: null }, at)
}

/** Whether banks still accept an ask at a moment (epoch milliseconds). */
export function stillHolds({ payableUntil }: Pick<RegisteredAsk, 'payableUntil'>, at: number): boolean {
  return dayOf(at) <= payableUntil
}

/** The next check of an ask: once a day, and when its last day is over. */
function nextLook({ payableUntil }: RegisteredAsk, at: number): number {
  return Math.min(at + DAY_MS, Math.max(at, endOf(payableUntil)) + 1)
}
