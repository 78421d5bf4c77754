import type { Terms } from '@cofre/platform/operation/terms'
import { invalidState, isCancelable, type Payment } from './payment'
import { transition, type Decision } from './transition'

/** Decides to cancel the whole payment. Throws FAILED_PRECONDITION INVALID_VOUCHER_STATE. */
export function requestCancellation(payment: Payment, { operationId: id, at, ...terms }: Terms): Decision {
  if (!isCancelable(payment, at)) throw invalidState(payment, refusalOf(payment), at)
  const operation = { type: 'CANCELLATION', id, dispatchDeadline: terms.deadline, since: at } as const
  return transition(payment, { operation, askAt: terms.firstAskAt, cancelFailedAt: null }, at)
}

function refusalOf({ status, operation }: Payment): string {
  if (status === 'PAID' && operation) return 'The payment is being canceled already.'
  if (status === 'PAID') return 'A voucher payment can only be canceled on the day that it was paid.'
  return 'Only a paid voucher payment can be canceled.'
}
