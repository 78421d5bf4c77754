import type { CancelOutcome, PaymentOutcome } from '../issuer/issuer'
import { declineOf } from './decline'
import { cancellationFailed, transition, unchanged, type Decision } from './transition'
import type { Payment } from './payment'

/**
 * Records the outcome of the call that sends a payment. Without one the payment stays PENDING. When the sweeper was
 * faster, the operation is over and the payment stays as the sweeper left it.
 */
export function recordPayment(
  payment: Payment,
  operationId: string,
  outcome: PaymentOutcome,
  at: number,
): Decision {
  const answered = { operationId, end: 'answered' as const }
  if (payment.operation?.id !== operationId) return unchanged(payment, answered)
  if (outcome.result === 'unknown') return transition(payment, {}, at, answered)
  if (outcome.result === 'not_sent')
    return transition(payment, notProcessed(''), at, { operationId, end: 'freed' })
  if (outcome.result === 'refused') return transition(payment, notProcessed(outcome.issuerCode), at, answered)
  const { issuerPaymentId } = outcome
  if (outcome.result === 'declined') {
    const decline = declineOf(outcome.code, outcome.issuerCode)
    const denied = { status: 'DENIED', operation: null, decline, deniedAt: at, issuerPaymentId } as const
    return transition(payment, denied, at, answered)
  }
  // An approval of another amount leaves the payment PENDING: the sweeper finds the same, and reports it to people.
  if (outcome.amount !== payment.amount) return transition(payment, {}, at, answered)
  const { authorizationCode } = outcome
  const paid = { status: 'PAID', operation: null, issuerPaymentId, authorizationCode } as const
  return transition(payment, paid, at, answered)
}

const DAY_MS = 86_400_000

/** The change of a payment that the issuer never took: nothing was paid. */
export function notProcessed(issuerCode: string) {
  return {
    status: 'DENIED',
    operation: null,
    decline: declineOf('NOT_PROCESSED', issuerCode),
  } as const
}

/**
 * Records the answer to a cancellation that the sweeper sent again. Its caller was answered that it is pending: one that
 * the issuer no longer takes has failed, and one that was not sent is sent again.
 */
export function recordRepeated(
  payment: Payment,
  operationId: string,
  outcome: CancelOutcome,
  at: number,
): Decision {
  const { operation } = payment
  if (operation?.id === operationId && operation.type === 'CANCELLATION') {
    if (outcome.result === 'refused') return cancellationFailed(payment, at)
    if (outcome.result === 'not_sent') return transition(payment, {}, at)
  }
  return recordCancellation(payment, operationId, outcome, at)
}

/** Records the outcome of the call that cancels or gives back a payment. When the sweeper was faster: as above. */
export function recordCancellation(
  payment: Payment,
  operationId: string,
  outcome: CancelOutcome,
  at: number,
): Decision {
  const { operation } = payment
  const answered = { operationId, end: 'answered' as const }
  if (operation?.id !== operationId) return unchanged(payment, answered)
  if (operation.type === 'RELEASE') {
    if (outcome.result === 'done') return transition(payment, { operation: null }, at)
    // The issuer no longer gives it back: people have to, and it is tried once a day.
    return transition(payment, outcome.result === 'refused' ? { askAt: at + DAY_MS } : {}, at)
  }
  if (outcome.result === 'unknown') return transition(payment, {}, at, answered)
  if (outcome.result === 'done') {
    return transition(payment, { status: 'CANCELED', operation: null }, at, answered)
  }
  return transition(payment, { operation: null }, at, { operationId, end: 'freed' })
}
