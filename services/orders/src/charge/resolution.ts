import { DomainError, notFound } from '@cofre/platform/errors'
import type { Charge, Transaction } from './charge'
import { endedMarks } from './operation-mark'
import { changeOf, succeed, withStatus } from './transaction'
import { transition, type Decision } from './transition'

/**
 * Closes an operation that the acquirer can't or won't explain with what people found out: whether it happened. Throws
 * NOT_FOUND, or FAILED_PRECONDITION INVALID_CHARGE_STATE for one that is not to be closed by hand.
 */
export function resolve(charge: Charge, id: number, happened: boolean, at: number): Decision {
  const transaction = charge.transactions.find((one) => one.id === id)
  if (!transaction) throw notFound()
  const refusal = refusalOf(transaction, happened, at)
  if (refusal) throw new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', refusal)
  const resolved = happened ? succeed(charge, id) : withStatus(charge, id, 'FAILED')
  const decision = transition(charge, changeOf(resolved), at)
  return { ...decision, marks: endedMarks(charge, decision.charge) }
}

function refusalOf(
  { status, type, cause, dispatchDeadline }: Transaction,
  happened: boolean,
  at: number,
): string | undefined {
  if (status !== 'PENDING') return 'The transaction is not pending.'
  if (type === 'AUTHORIZATION') return 'An authorization is found by its order number.'
  if (cause !== 'REQUEST' && !happened)
    return 'What the service gives back by itself is sent until it is done.'
  if (dispatchDeadline !== null && dispatchDeadline >= at) return 'The transaction may still be on its way.'
  return undefined
}
