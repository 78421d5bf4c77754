import type { Found } from '../issuer/issuer'
import { declineOf } from './decline'
import { notProcessed } from './payment-outcome'
import { DAY_MS, HOUR_MS, lookWithoutAnswer, nextLook } from './looks'
import { isOfToday, type Operation, type Payment } from './payment'
import { cancellationFailed, transition, unchanged, type Change, type Decision } from './transition'

/** The issuer's answer about a payment, when it was asked, and how long after the deadline silence proves nothing. */
export type Truth = { found: Found; askedAt: number; graceMs: number }

/**
 * The result of asking the issuer about an operation. `unexplained`: the issuer has a state that no operation of ours
 * explains. The payment then stays as it is, for people to look into. Without a decision, nothing new is known.
 */
export type Resolved = { decision: Decision | undefined; unexplained: boolean }

const NOTHING: Resolved = { decision: undefined, unexplained: false }
const UNEXPLAINED: Resolved = { decision: undefined, unexplained: true }

/** Adopts the issuer's state of a pending operation. Pure. */
export function resolveOutcome(payment: Payment, { found, askedAt, graceMs }: Truth): Resolved {
  const { operation } = payment
  if (operation === null || found.result === 'unknown') return NOTHING
  const { dispatchDeadline } = operation
  const isOver = dispatchDeadline !== null && dispatchDeadline + graceMs < askedAt
  if (found.result === 'found' && found.amount !== payment.amount) return UNEXPLAINED
  return RESOLVE[operation.type]({ ...payment, operation }, found, askedAt, isOver)
}

type Pending = Payment & { operation: Operation }

type Known = Exclude<Found, { result: 'unknown' }>

function resolvePayment(payment: Pending, found: Known, at: number, isOver: boolean): Resolved {
  if (found.result === 'absent') {
    if (!isOver) return NOTHING
    const change = { ...notProcessed(''), absentSince: at, lookAgainAt: at + HOUR_MS }
    return decided(payment, change, at, 'freed')
  }
  const { issuerPaymentId, authorizationCode } = found
  if (found.state === 'approved') {
    const paid = { status: 'PAID', operation: null, issuerPaymentId, authorizationCode } as const
    return decided(payment, paid, at, 'answered')
  }
  if (found.state === 'canceled') {
    // Given back, but not by us: we can't have asked for it yet. Once no call can be under way, nothing is paid.
    return isOver ? decided(payment, { ...notProcessed(''), issuerPaymentId }, at, 'freed') : UNEXPLAINED
  }
  const decline = declineOf(found.code, found.issuerCode)
  const denied = { status: 'DENIED', operation: null, decline, deniedAt: at, issuerPaymentId } as const
  return decided(payment, denied, at, 'answered')
}

function resolveCancellation(payment: Pending, found: Known, at: number, isOver: boolean): Resolved {
  if (found.result === 'absent') return isOver ? UNEXPLAINED : NOTHING
  if (found.state === 'declined') return UNEXPLAINED
  if (found.state === 'canceled') {
    return decided(payment, { status: 'CANCELED', operation: null }, at, 'answered')
  }
  // On its day it is sent again.
  if (!isOver || isOfToday(payment, at)) return NOTHING
  return { decision: cancellationFailed(payment, at), unexplained: false }
}

/** True when a pending operation provably did not happen, and is sent again. `found`: when asked at `askedAt`. */
export function isSentAgain(payment: Payment, { found, askedAt, graceMs }: Truth): boolean {
  const { operation } = payment
  if (operation === null || found.result !== 'found' || found.amount !== payment.amount) return false
  if (operation.type === 'RELEASE') return true
  const isOver = operation.dispatchDeadline !== null && operation.dispatchDeadline + graceMs < askedAt
  return operation.type === 'CANCELLATION' && isOver && isHeld(found) && isOfToday(payment, askedAt)
}

/** The issuer knew the payment when the release began, so its absence does not prove that no money is held. */
function resolveRelease(payment: Pending, found: Known, at: number, isOver: boolean): Resolved {
  if (found.result === 'absent') return isOver ? UNEXPLAINED : NOTHING
  // While the money is still held, the release is sent again.
  return isHeld(found) ? NOTHING : decided(payment, { operation: null }, at)
}

const RESOLVE = {
  PAYMENT: resolvePayment,
  CANCELLATION: resolveCancellation,
  RELEASE: resolveRelease,
} as const satisfies Record<Operation['type'], typeof resolvePayment>

/** How long after a denial an issuer without a clear answer is asked. */
const LAST_MS = 7 * DAY_MS

/**
 * `late`: a payment denied for its absence is there after all, and is being given back. `canceled`: a payment that was
 * paid was canceled at the issuer.
 */
export type Look = {
  decision: Decision | undefined
  verdict: 'agrees' | 'absent' | 'unclear' | 'late' | 'canceled' | 'unexplained'
}

/** Decides on the issuer's answer to another question: about a payment that it did not know, or that is paid. */
export function lookAt(payment: Payment, found: Found, operationId: string, at: number): Look {
  return payment.paidAt === null
    ? lookAtDenied(payment, found, operationId, at)
    : lookAtPaid(payment, payment.paidAt, found, at)
}

/** What was canceled at the issuer is adopted. Any other difference is for people, once a day while it lasts. */
function lookAtPaid(payment: Payment, paidAt: number, found: Found, at: number): Look {
  // A cancellation of ours is pending: its outcome decides.
  if (payment.operation) return { decision: withNextLook(payment, at + HOUR_MS), verdict: 'agrees' }
  if (found.result === 'unknown') {
    return { decision: withNextLook(payment, lookWithoutAnswer(paidAt, at)), verdict: 'agrees' }
  }
  if (found.result === 'found' && found.amount === payment.amount) {
    if (found.state === 'approved') {
      return { decision: withNextLook(payment, nextLook(paidAt, at)), verdict: 'agrees' }
    }
    if (found.state === 'canceled') {
      const change = { status: 'CANCELED', canceledByIssuer: true } as const
      return { decision: transition(payment, change, at), verdict: 'canceled' }
    }
  }
  return { decision: withNextLook(payment, at + DAY_MS), verdict: 'unexplained' }
}

function lookAtDenied(payment: Payment, found: Found, operationId: string, at: number): Look {
  const since = payment.absentSince ?? at
  const next = [since + HOUR_MS, since + DAY_MS].find((time) => time > at) ?? null
  const looked = withNextLook(payment, next)
  if (found.result === 'unknown') {
    // A payment that the issuer has named before is still there.
    const isLast = since + LAST_MS <= at && payment.issuerPaymentId === ''
    const decision = isLast ? withNextLook(payment, null) : undefined
    return { decision, verdict: 'unclear' }
  }
  if (!isHeld(found)) return { decision: looked, verdict: 'absent' }
  if (found.amount !== payment.amount) {
    // Money is held that people have to give back: it is reported each day until they have.
    const { issuerPaymentId } = found
    return {
      decision: withNextLook({ ...payment, issuerPaymentId }, next ?? at + DAY_MS),
      verdict: 'unexplained',
    }
  }
  const { issuerPaymentId } = found
  const operation = { type: 'RELEASE', id: operationId, dispatchDeadline: null, since: at } as const
  const change = { operation, issuerPaymentId, askAt: at, lookAgainAt: null }
  return { decision: transition(payment, change, at), verdict: 'late' }
}

function withNextLook(payment: Payment, lookAgainAt: number | null): Decision {
  const decision = unchanged(payment)
  return { ...decision, payment: { ...decision.payment, lookAgainAt } }
}

function isHeld(found: Found): found is Extract<Found, { result: 'found' }> {
  return found.result === 'found' && found.state === 'approved'
}

function decided(payment: Pending, change: Change, at: number, end?: 'answered' | 'freed'): Resolved {
  const decision = transition(payment, change, at, end && { operationId: payment.operation.id, end })
  return { decision, unexplained: false }
}
