import type { CancelOutcome, PaymentOutcome } from '../issuer/issuer'
import { declineOf } from './decline'
import { transition, unchanged, type Decision } from './transition'
import type { Payment } from './payment'

/**
 * Records what came of the call that sends a payment. Without an outcome the payment stays PENDING. When the sweeper was
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
  switch (outcome.result) {
    case 'approved': {
      const { issuerPaymentId, authorizationCode } = outcome
      return transition(
        payment,
        { status: 'PAID', operation: null, issuerPaymentId, authorizationCode },
        at,
        answered,
      )
    }
    case 'declined': {
      const decline = declineOf(outcome.code, outcome.issuerCode)
      const { issuerPaymentId } = outcome
      const change = { status: 'DENIED', operation: null, decline, deniedAt: at, issuerPaymentId } as const
      return transition(payment, change, at, answered)
    }
    case 'refused':
      return transition(payment, notProcessed(outcome.issuerCode), at, answered)
    case 'not_sent':
      return transition(payment, notProcessed(''), at, { operationId, end: 'freed' })
    case 'unknown':
      return transition(payment, {}, at, answered)
  }
}

/** The issuer never took the payment: nothing was paid. */
export function notProcessed(issuerCode: string) {
  return {
    status: 'DENIED',
    operation: null,
    decline: declineOf('NOT_PROCESSED', issuerCode),
  } as const
}

/** Records what came of the call that cancels a payment, or gives one back. When the sweeper was faster: as above. */
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
    return transition(payment, outcome.result === 'done' ? { operation: null } : {}, at)
  }
  switch (outcome.result) {
    case 'done':
      return transition(payment, { status: 'CANCELED', operation: null }, at, answered)
    case 'refused':
    case 'not_sent':
      return transition(payment, { operation: null }, at, { ...answered, end: 'freed' })
    case 'unknown':
      return transition(payment, {}, at, answered)
  }
}
