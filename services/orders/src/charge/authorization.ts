import type { Terms } from '@cofre/platform/operation/terms'
import type { AuthorizationOutcome } from '../acquirer/acquirer'
import type { Charge, Order, Payment, Transaction } from './charge'
import { describeDecline } from './decline'
import { failure, type Failure } from './failure'
import { askBy, changeOf, fail, released, requested, succeed, withPayment } from './transaction'
import { transition, unchanged, withEvent, type Decision } from './transition'

export type NewPayment = Pick<
  Payment,
  | 'orderNumber'
  | 'amount'
  | 'installments'
  | 'card'
  | 'pix'
  | 'paymentLimitDate'
  | 'dueDate'
  | 'initiator'
  | 'reason'
  | 'exemptFromTestingGuard'
  | 'credential'
  | 'authentication'
>

export type NewCharge = Order & Pick<Charge, 'acquirer'> & { payments: NewPayment[] }

export const NO_REFERENCE = {
  paymentId: '',
  tid: '',
  nsu: '',
  authorizationCode: '',
  returnCode: '',
  eci: '',
  issuerTransactionId: '',
}

/** Returns a charge to authorize. Its first payment may leave at once, each other payment after the one before it. */
export function newCharge({ payments, ...order }: NewCharge, terms: Terms): Charge {
  const charge: Charge = {
    ...order,
    id: 0,
    establishmentId: 0,
    status: 'PENDING',
    authorizedAmount: 0,
    capturedAmount: 0,
    refundedAmount: 0,
    refundReserved: 0,
    payments: payments.map((payment, position) => ({
      ...payment,
      position,
      status: 'PENDING',
      capturedAmount: 0,
      refundedAmount: 0,
      disputedAmount: 0,
      reference: NO_REFERENCE,
      decline: null,
      deniedAt: null,
    })),
    transactions: [],
    version: 1,
    sequence: 0,
    // A sweeper that asked between two payments would give up the untried ones, so it waits for the deadline.
    askAt: payments.length > 1 ? terms.deadline : terms.firstAskAt,
    absentSince: null,
    lookAgainAt: null,
    createdAt: terms.at,
    updatedAt: terms.at,
  }
  const transactions = charge.payments.map((payment, index) => ({
    ...requested(charge, payment, { type: 'AUTHORIZATION', amount: payment.amount, index }, terms),
    dispatchDeadline: index === 0 ? terms.deadline : null,
  }))
  return { ...charge, transactions }
}

/** A payment and its current authorization: the last one when the payment was sent again. */
export type Turn = { payment: Payment; authorization: Transaction }

export function turnOf(charge: Charge, position: number): Turn {
  const payment = charge.payments[position]
  const authorization = charge.transactions.findLast(
    (one) => one.type === 'AUTHORIZATION' && one.position === position,
  )
  if (!payment || !authorization) throw new Error('a payment without its authorization')
  return { payment, authorization }
}

/**
 * Records the outcome of one payment's authorization. With `next`, the next payment leaves on those terms when its
 * turn comes; without it, the untried payments are given up.
 */
export function recordAuthorization(
  charge: Charge,
  position: number,
  outcome: AuthorizationOutcome,
  terms: Omit<Terms, 'operationId'>,
  next?: Terms,
): Decision {
  const turn = turnOf(charge, position)
  if (turn.authorization.status !== 'PENDING') return releaseLateApproval(charge, turn, outcome, terms.at)
  if (outcome.result === 'unknown') {
    return withEvent(
      transition(charge, { askAt: askBy(charge, terms.firstAskAt) }, terms.at),
      'charge.pending',
    )
  }
  if (outcome.result === 'approved') {
    return transition(charge, changeOf(approve(charge, turn, outcome, terms, next)), terms.at)
  }
  const known = withPayment(charge, position, endOf(turn.payment, outcome, terms.at))
  const ended = fail(known, turn.authorization.id, failureOf(outcome))
  return transition(charge, changeOf(giveUpUntried(ended)), terms.at)
}

type Ended = Exclude<AuthorizationOutcome, { result: 'approved' | 'unknown' }>

function failureOf(outcome: Ended): Failure {
  if (outcome.result === 'not_sent') return failure('NOT_SENT')
  return failure(outcome.result === 'declined' ? 'DECLINED' : 'ACQUIRER_REFUSED', outcome.code)
}

function endOf({ card }: Payment, outcome: Ended, at: number): Partial<Payment> {
  if (outcome.result !== 'declined') return { status: 'FAILED' }
  const decline = describeDecline(card?.brand ?? '', outcome.code, outcome.adviceCode)
  return { status: 'DENIED', decline, deniedAt: at, reference: outcome.reference }
}

function approve(
  charge: Charge,
  { payment, authorization }: Turn,
  { reference, captured }: Extract<AuthorizationOutcome, { result: 'approved' }>,
  terms: Omit<Terms, 'operationId'>,
  next: Terms | undefined,
): Charge {
  const { id, operationId } = authorization
  const authorized = withPayment(succeed(charge, id), payment.position, { reference })
  if (charge.direct) {
    // A card verification (amount 0) leaves nothing uncaptured.
    return withDirectCapture(authorized, payment, { ...terms, operationId }, captured || charge.amount === 0)
  }
  const untried = untriedOf(authorized)[0]
  if (!untried) return authorized
  return next ? withTurn(authorized, untried, next) : giveUpUntried(authorized)
}

/** The acquirer captures a direct charge with its authorization: two transactions of one call. */
function withDirectCapture(charge: Charge, payment: Payment, terms: Terms, captured: boolean): Charge {
  const capture = requested(charge, payment, { type: 'CAPTURE', amount: payment.amount }, terms)
  const added = { ...charge, transactions: [...charge.transactions, capture] }
  return captured ? succeed(added, capture.id) : fail(added, capture.id, failure('NOT_DONE'))
}

function withTurn(charge: Charge, untried: Transaction, terms: Terms): Charge {
  const transactions = charge.transactions.map((one) =>
    one === untried ? { ...one, dispatchDeadline: terms.deadline } : one,
  )
  const last = untriedOf(charge).length === 1
  return { ...charge, transactions, askAt: last ? terms.firstAskAt : terms.deadline }
}

function giveUpUntried(charge: Charge): Charge {
  return untriedOf(charge).reduce(
    (given, { id, position }) =>
      fail(withPayment(given, position, { status: 'FAILED' }), id, failure('NOT_TRIED')),
    charge,
  )
}

/** Releases an approval that arrives after its payment was given up, or was denied by an unsure decline. */
function releaseLateApproval(
  charge: Charge,
  { payment, authorization: { operationId } }: Turn,
  outcome: AuthorizationOutcome,
  at: number,
): Decision {
  const isOver = payment.status === 'FAILED' || payment.status === 'DENIED'
  if (outcome.result !== 'approved' || !isOver || payment.amount === 0) return unchanged(charge)
  const release = released(charge, payment, { cause: 'RELEASE', operationId, at })
  const known = withPayment(charge, payment.position, { reference: outcome.reference })
  const transactions = [...known.transactions, release]
  return transition(charge, { payments: known.payments, transactions, askAt: at }, at)
}

/** Authorizations of payments whose turn has not come. */
export function untriedOf(charge: Charge): Transaction[] {
  return charge.transactions.filter(
    ({ type, status, dispatchDeadline }) =>
      type === 'AUTHORIZATION' && status === 'PENDING' && dispatchDeadline === null,
  )
}
