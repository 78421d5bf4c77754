import type { AuthorizationOutcome } from '../acquirer/acquirer'
import type { Charge, Payment, Terms, Transaction } from './charge'
import { describeDecline } from './decline'
import { askBy, changeOf, released, requested, succeed, withPayment, withStatus } from './transaction'
import { told, transition, unchanged, type Decision } from './transition'

export type NewPayment = Pick<
  Payment,
  'orderNumber' | 'amount' | 'installments' | 'card' | 'paymentLimitDate' | 'dueDate'
>

export type NewCharge = Pick<
  Charge,
  'sellerId' | 'orderReference' | 'externalReference' | 'notificationUrl' | 'direct' | 'amount' | 'metadata'
> & { payments: NewPayment[] }

export const NO_REFERENCE = { paymentId: '', tid: '', nsu: '', authorizationCode: '', returnCode: '' }

/** A charge about to be authorized: its first payment may leave at once, each other one after the one before. */
export function newCharge({ payments, ...order }: NewCharge, terms: Terms): Charge {
  const charge: Charge = {
    ...order,
    id: 0,
    establishmentId: 0,
    status: 'pending',
    authorizedAmount: 0,
    capturedAmount: 0,
    refundedAmount: 0,
    refundReserved: 0,
    payments: payments.map((payment, position) => ({
      ...payment,
      position,
      status: 'pending',
      capturedAmount: 0,
      refundedAmount: 0,
      reference: NO_REFERENCE,
      decline: null,
      deniedAt: null,
    })),
    transactions: [],
    version: 1,
    sequence: 0,
    // Between two payments the acquirer has nothing to tell: asked then, it would seem that the rest was given up.
    askAt: payments.length > 1 ? terms.deadline : terms.firstAskAt,
    createdAt: terms.at,
    updatedAt: terms.at,
  }
  const transactions = charge.payments.map((payment, index) => ({
    ...requested(charge, payment, { type: 'authorization', amount: payment.amount, index }, terms),
    dispatchDeadline: index === 0 ? terms.deadline : null,
  }))
  return { ...charge, transactions }
}

/**
 * What came of the authorization of one payment. `next`: the terms on which the next payment leaves, when its turn
 * will come; without it the payments not tried yet are given up.
 */
export function recordAuthorization(
  charge: Charge,
  position: number,
  outcome: AuthorizationOutcome,
  terms: Omit<Terms, 'operationId'>,
  next?: Terms,
): Decision {
  const { id, status } = authorizationOf(charge, position)
  if (status !== 'pending') return releaseLateApproval(charge, position, outcome, terms.at)
  if (outcome.result === 'unknown') {
    return told(transition(charge, { askAt: askBy(charge, terms.firstAskAt) }, terms.at), 'charge.pending')
  }
  if (outcome.result === 'approved') {
    return transition(charge, changeOf(approve(charge, position, outcome, terms, next)), terms.at)
  }
  const ended = withStatus(
    withPayment(charge, position, endOf(charge, position, outcome, terms.at)),
    id,
    'failed',
  )
  return transition(charge, changeOf(giveUpUntried(ended)), terms.at)
}

function endOf(
  charge: Charge,
  position: number,
  outcome: Exclude<AuthorizationOutcome, { result: 'approved' | 'unknown' }>,
  at: number,
): Partial<Payment> {
  if (outcome.result !== 'declined') return { status: 'failed' }
  const { brand } = charge.payments[position]?.card ?? { brand: '' }
  const decline = describeDecline(brand, outcome.code, outcome.adviceCode)
  return { status: 'denied', decline, deniedAt: at, reference: outcome.reference }
}

function approve(
  charge: Charge,
  position: number,
  outcome: Extract<AuthorizationOutcome, { result: 'approved' }>,
  terms: Omit<Terms, 'operationId'>,
  next: Terms | undefined,
): Charge {
  const { id, operationId } = authorizationOf(charge, position)
  const authorized = withPayment(succeed(charge, id), position, { reference: outcome.reference })
  if (charge.direct) {
    // A verified card (amount 0) has nothing that could be left uncaptured.
    const captured = outcome.captured || charge.amount === 0
    return withDirectCapture(authorized, position, { ...terms, operationId }, captured)
  }
  const turn = untriedOf(authorized)[0]
  if (!turn) return authorized
  return next ? withTurn(authorized, turn, next) : giveUpUntried(authorized)
}

/** The acquirer captures a direct charge with its authorization: two transactions of one call. */
function withDirectCapture(charge: Charge, position: number, terms: Terms, captured: boolean): Charge {
  const payment = charge.payments[position]
  if (!payment) throw new Error('no such payment')
  const capture = requested(charge, payment, { type: 'capture', amount: payment.amount }, terms)
  const added = { ...charge, transactions: [...charge.transactions, capture] }
  return captured ? succeed(added, capture.id) : withStatus(added, capture.id, 'failed')
}

function withTurn(charge: Charge, turn: Transaction, terms: Terms): Charge {
  const transactions = charge.transactions.map((one) =>
    one === turn ? { ...one, dispatchDeadline: terms.deadline } : one,
  )
  const last = untriedOf(charge).length === 1
  return { ...charge, transactions, askAt: last ? terms.firstAskAt : terms.deadline }
}

function giveUpUntried(charge: Charge): Charge {
  return untriedOf(charge).reduce(
    (given, { id, position }) => withStatus(withPayment(given, position, { status: 'failed' }), id, 'failed'),
    charge,
  )
}

/** An approval that comes after its payment was given up holds money that nobody will use. */
function releaseLateApproval(
  charge: Charge,
  position: number,
  outcome: AuthorizationOutcome,
  at: number,
): Decision {
  const payment = charge.payments[position]
  if (outcome.result !== 'approved' || payment?.status !== 'failed' || payment.amount === 0) {
    return unchanged(charge)
  }
  const { operationId } = authorizationOf(charge, position)
  const release = released(charge, payment, { cause: 'release', operationId, at })
  const known = withPayment(charge, position, { reference: outcome.reference })
  const transactions = [...known.transactions, release]
  return transition(charge, { payments: known.payments, transactions, askAt: at }, at)
}

/** Authorizations of payments whose turn has not come. */
export function untriedOf(charge: Charge): Transaction[] {
  return charge.transactions.filter(
    ({ type, status, dispatchDeadline }) =>
      type === 'authorization' && status === 'pending' && dispatchDeadline === null,
  )
}

/** The one that counts: of a payment that was sent anew, the last. */
export function authorizationOf(charge: Charge, position: number): Transaction {
  const found = charge.transactions.findLast(
    (one) => one.type === 'authorization' && one.position === position,
  )
  if (!found) throw new Error('a payment without its authorization')
  return found
}
