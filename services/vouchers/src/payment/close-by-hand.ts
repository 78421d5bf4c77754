import { notProcessed, recordCancellation } from './payment-outcome'
import { invalidState, type Payment, type Resolution } from './payment'
import { cancellationFailed, transition, type Decision } from './transition'

/** The finding of people about the pending operation. */
export type FoundOut = Pick<Resolution, 'happened' | 'by' | 'reason'>

/** Closes the pending operation by hand. Throws FAILED_PRECONDITION INVALID_VOUCHER_STATE when it must stay open. */
export function closeByHand(payment: Payment, found: FoundOut, at: number): Decision {
  const { operation } = payment
  if (!operation) throw invalidState(payment, 'The payment has no pending operation.', at)
  if (operation.dispatchDeadline !== null && operation.dispatchDeadline >= at) {
    throw invalidState(payment, 'The request to the issuer may still be running.', at)
  }
  if (operation.type === 'RELEASE' && !found.happened) {
    throw invalidState(payment, 'Cofre repeats this operation by itself until it succeeds.', at)
  }
  const resolutions = [...(payment.resolutions ?? []), { ...found, operation: operation.type, at }]
  const answered = { operationId: operation.id, end: 'answered' as const }
  if (operation.type === 'PAYMENT') {
    const change = found.happened
      ? ({ status: 'PAID', operation: null } as const)
      : { ...notProcessed(''), absentSince: at, lookAgainAt: at + HOUR_MS }
    return transition(
      payment,
      { ...change, resolutions },
      at,
      found.happened ? answered : { ...answered, end: 'freed' },
    )
  }
  const decision = found.happened
    ? recordCancellation(payment, operation.id, { result: 'done' }, at)
    : cancellationFailed(payment, at)
  return { ...decision, payment: { ...decision.payment, resolutions } }
}

const HOUR_MS = 3_600_000
