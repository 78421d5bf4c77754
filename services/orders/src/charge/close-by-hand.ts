import { DomainError, notFound } from '@cofre/platform/errors'
import { recordAuthorization } from './authorization'
import type { Charge, Resolution, Transaction } from './charge'
import { failure } from './failure'
import { withEndsNotified } from './operation-event'
import { endedMarks } from './operation-mark'
import { fault, throwFaults } from './order-check'
import { withSecondLook } from './second-look'
import { changeOf, fail, succeed } from './transaction'
import { transition, type Decision } from './transition'

/** A person's findings. `acquirerPaymentId` belongs to an authorization that happened; else it is empty. */
export type FoundOut = Omit<Resolution, 'at'> & { happened: boolean; acquirerPaymentId: string }

/**
 * Closes an operation that the acquirer can't or won't explain, by a person's finding of whether it happened. Throws
 * NOT_FOUND, INVALID_ARGUMENT for an authorization that happened and lacks the acquirer's id, or FAILED_PRECONDITION
 * INVALID_CHARGE_STATE for an operation that must not be closed by hand.
 */
export function closeByHand(charge: Charge, id: number, found: FoundOut, at: number): Decision {
  const transaction = charge.transactions.find((one) => one.id === id)
  if (!transaction) throw notFound()
  const refusal = refusalOf(transaction, found.happened, at)
  if (refusal) throw new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', refusal)
  const decision =
    transaction.type === 'AUTHORIZATION'
      ? closeAuthorization(charge, transaction, found, at)
      : closeOperation(charge, id, found.happened, at)
  const { by, reason } = found
  const closed = { failure: failure('CLOSED_BY_OPERATOR') }
  const transactions = decision.charge.transactions.map((one) =>
    one.id === id ? { ...one, ...(found.happened ? {} : closed), resolution: { by, reason, at } } : one,
  )
  const marks = endedMarks(charge, decision.charge)
  return withEndsNotified({ ...decision, charge: { ...decision.charge, transactions }, marks })
}

function closeOperation(charge: Charge, id: number, happened: boolean, at: number): Decision {
  const ended = happened ? succeed(charge, id) : fail(charge, id, failure('CLOSED_BY_OPERATOR'))
  return transition(charge, changeOf(ended), at)
}

/** Closes an authorization. One that happened needs the acquirer's id: captures and refunds go by it. */
function closeAuthorization(
  charge: Charge,
  { position }: Transaction,
  { happened, acquirerPaymentId }: FoundOut,
  at: number,
): Decision {
  const terms = { at, deadline: at, firstAskAt: at }
  if (!happened) {
    return withSecondLook(recordAuthorization(charge, position, { result: 'refused', code: '' }, terms), at)
  }
  const payment = charge.payments[position]
  if (!payment) throw notFound()
  const paymentId = acquirerPaymentId || payment.reference.paymentId
  if (!paymentId && payment.amount > 0) {
    throwFaults([fault('#/acquirerPaymentId', 'REQUIRED', 'is required for an authorization that succeeded')])
  }
  const reference = { ...payment.reference, paymentId }
  const approved = { result: 'approved' as const, captured: charge.direct, reference }
  return recordAuthorization(charge, position, approved, terms)
}

function refusalOf(
  { status, type, cause, dispatchDeadline }: Transaction,
  happened: boolean,
  at: number,
): string | undefined {
  if (status !== 'PENDING') return 'The transaction is not pending.'
  if (type === 'AUTHORIZATION' && dispatchDeadline === null)
    return 'The payment has not been sent yet: another payment of the order comes first.'
  if (cause !== 'REQUEST' && !happened) return 'Cofre repeats this operation by itself until it succeeds.'
  if (dispatchDeadline !== null && dispatchDeadline >= at)
    return 'The request to the acquirer may still be running.'
  return undefined
}
