import type { AuthorizationOutcome, Found } from '../acquirer/acquirer'
import { recordAuthorization } from './authorization'
import { pendingOf, type Charge, type Payment, type Transaction } from './charge'
import { failure } from './failure'
import { explainRefunds } from './refund-explanation'
import { withSecondLook } from './second-look'
import { changeOf, fail, succeed, withPayment } from './transaction'
import { transition, type Decision } from './transition'

/**
 * The acquirer's answer about each payment, by position. Its silence proves nothing for `graceMs`, and an unsure
 * decline proves nothing for `unsureMs`. Both count from the dispatch deadline.
 */
export type Truths = {
  found: ReadonlyMap<number, Found>
  askedAt: number
  graceMs: number
  unsureMs: number
}

type FoundPayment = Extract<Found, { result: 'found' }>

export type Resolved = {
  /** Undefined when nothing is known yet. */
  decision: Decision | undefined
  /** Positions of payments whose state at the acquirer no operation of ours explains. */
  unexplained: number[]
}

/**
 * Adopts the acquirer's state for pending transactions. One did not happen only if it can't leave any more: past its
 * dispatch deadline and the grace. Nothing is ever sent again because of that conclusion.
 */
export function resolveOutcome(charge: Charge, truths: Truths): Resolved {
  const authorization = pendingOf(charge, 'AUTHORIZATION').find((one) => one.dispatchDeadline !== null)
  if (authorization) return resolveAuthorization(charge, authorization, truths)

  const unexplained: number[] = []
  let changed = charge
  for (const payment of charge.payments) {
    const found = truths.found.get(payment.position)
    if (found?.result === 'absent' && isOverdue(charge, payment, truths)) unexplained.push(payment.position)
    if (found?.result !== 'found') continue
    const resolved = resolvePayment(changed, payment, found, truths)
    if (resolved) changed = resolved
    else unexplained.push(payment.position)
  }
  const decision = changed === charge ? undefined : transition(charge, changeOf(changed), truths.askedAt)
  return { decision, unexplained }
}

function resolveAuthorization(charge: Charge, pending: Transaction, truths: Truths): Resolved {
  const found = truths.found.get(pending.position)
  // Another amount is another sale, and several sales are ambiguous: neither allows a conclusion.
  const isOther = found?.result === 'found' && found.amount !== pending.amount
  if (isOther || found?.result === 'several') {
    return { decision: undefined, unexplained: [pending.position] }
  }
  const outcome = found && authorizationOutcome(found, pending, truths)
  const at = truths.askedAt
  const terms = { at, deadline: at, firstAskAt: at }
  const decision = outcome && recordAuthorization(charge, pending.position, outcome, terms)
  // A conclusion from silence, or from an unsure decline, may prove wrong.
  const isConclusion = found?.result === 'absent' || (found?.result === 'found' && found.state === 'unsure')
  return { decision: decision && isConclusion ? withSecondLook(decision, at) : decision, unexplained: [] }
}

type OneOrNone = Exclude<Found, { result: 'several' }>

function authorizationOutcome(
  found: OneOrNone,
  pending: Transaction,
  truths: Truths,
): AuthorizationOutcome | undefined {
  // A conclusion: the request can't arrive any more, and the acquirer does not know it. It gets a second look.
  if (found.result === 'absent') return isOver(pending, truths) ? { result: 'not_sent' } : undefined
  if (found.result === 'unknown') return undefined
  const { state, reference, code, adviceCode } = found
  if (state === 'undecided') return undefined
  if (state === 'unsure' && !isOver(pending, { ...truths, graceMs: truths.unsureMs })) return undefined
  if (state === 'declined' || state === 'unsure') return { result: 'declined', code, adviceCode, reference }
  if (state === 'authorized' || state === 'captured') {
    return { result: 'approved', captured: state === 'captured', reference }
  }
  return { result: 'refused', code }
}

/** Returns undefined when no operation of ours explains the acquirer's state. */
function resolvePayment(
  charge: Charge,
  payment: Payment,
  found: FoundPayment,
  truths: Truths,
): Charge | undefined {
  if (found.state === 'undecided' || found.state === 'unsure') return charge
  const pending = charge.transactions.filter(
    (one) => one.status === 'PENDING' && one.position === payment.position && isAsked(one),
  )
  const refunds = pending.filter(({ type }) => type === 'REFUND')
  if (refunds.length > 0) return resolveRefunds(charge, payment, refunds, found, truths)
  const [operation] = pending
  if (!operation) return charge
  return operation.type === 'CAPTURE'
    ? resolveCapture(charge, operation, found, truths)
    : resolveVoid(charge, operation, found, truths)
}

function resolveCapture(charge: Charge, capture: Transaction, found: FoundPayment, truths: Truths) {
  if (found.capturedAmount > 0) {
    return found.capturedAmount === capture.amount ? succeed(charge, capture.id) : undefined
  }
  if (found.state === 'voided') {
    const failed = fail(charge, capture.id, failure('PAYMENT_VOIDED'))
    return withPayment(failed, capture.position, { status: 'VOIDED' })
  }
  if (found.state !== 'authorized') return undefined
  return isOver(capture, truths) ? fail(charge, capture.id, failure('NOT_DONE')) : charge
}

function resolveVoid(charge: Charge, release: Transaction, found: FoundPayment, truths: Truths) {
  if (found.state === 'voided') return succeed(charge, release.id)
  if (release.cause === 'EXPIRY' && found.state === 'captured') return undefined
  const held = found.state === 'authorized' || found.state === 'captured'
  // A release of the service itself stays pending: it is sent again.
  if (release.cause !== 'REQUEST') return held ? charge : succeed(charge, release.id)
  if (!held) return undefined
  return isOver(release, truths) ? fail(charge, release.id, failure('NOT_DONE')) : charge
}

function resolveRefunds(
  charge: Charge,
  payment: Payment,
  refunds: readonly Transaction[],
  found: FoundPayment,
  truths: Truths,
): Charge | undefined {
  if (!refunds.every((refund) => isOver(refund, truths))) return charge
  const voided = found.state === 'voided' ? found.voidedAmount || found.capturedAmount : found.voidedAmount
  const happened = explainRefunds(refunds, voided - payment.refundedAmount)
  if (!happened) return undefined
  return refunds.reduce(
    (resolved, { id }) =>
      happened.has(id) ? succeed(resolved, id) : fail(resolved, id, failure('NOT_DONE')),
    charge,
  )
}

/** True when no pending operation of a payment can leave any more: an acquirer without that payment is mistaken. */
function isOverdue({ transactions }: Charge, { position, amount }: Payment, truths: Truths): boolean {
  const pending = transactions.filter((one) => one.status === 'PENDING' && one.position === position)
  const isGone = (one: Transaction) => isAsked(one) && isOver({ dispatchDeadline: leftBy(one) }, truths)
  return amount > 0 && pending.length > 0 && pending.every(isGone)
}

/** The deadline of a transaction. An expiry leaves only once the acquirer answers: before, its creation time counts. */
function leftBy({ dispatchDeadline, createdAt }: Transaction): number {
  return dispatchDeadline ?? createdAt
}

/** True when the acquirer is asked about a pending operation: it may have left, or it is an expiry. */
export function isAsked({ cause, dispatchDeadline }: Transaction): boolean {
  return dispatchDeadline !== null || cause === 'EXPIRY'
}

function isOver(
  { dispatchDeadline }: Pick<Transaction, 'dispatchDeadline'>,
  { askedAt, graceMs }: Pick<Truths, 'askedAt' | 'graceMs'>,
): boolean {
  return dispatchDeadline !== null && dispatchDeadline + graceMs < askedAt
}
