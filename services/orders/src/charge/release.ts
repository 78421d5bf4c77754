import type { Terms } from '@cofre/platform/operation/terms'
import type { Found } from '../acquirer/acquirer'
import { capturableOf, pendingOf, type Charge, type Transaction } from './charge'
import { released } from './transaction'
import { transition, unchanged, type Decision } from './transition'

/** The intention to give back an authorization that was not captured in time. */
export function expire(charge: Charge, terms: Terms): Decision {
  const idle = charge.transactions.every(({ status }) => status !== 'PENDING')
  if (charge.status !== 'AUTHORIZED' || !idle || capturableOf(charge) === 0) return unchanged(charge)
  const held = charge.payments.filter(({ status }) => status === 'AUTHORIZED')
  const { at, operationId } = terms
  const voids = held.map((payment, index) =>
    released(charge, payment, { cause: 'EXPIRY', operationId, at, index }),
  )
  return transition(charge, { transactions: [...charge.transactions, ...voids], askAt: at }, at)
}

/**
 * Returns the releases that may leave now. One that never left may; so may one that is past its deadline and, by the
 * acquirer's answer, did not happen. Repeating a void of the whole is harmless. An expiry leaves only once the
 * acquirer answers that the payment is authorized and not captured.
 */
export function releasesDue(charge: Charge, truths: ReadonlyMap<number, Found>, at: number): Transaction[] {
  return pendingOf(charge, 'VOID').filter(({ cause, dispatchDeadline, position }) => {
    if (cause === 'REQUEST') return false
    const found = truths.get(position)
    const state = found?.result === 'found' ? found.state : undefined
    const mayLeave = dispatchDeadline === null || dispatchDeadline < at
    // A capture unknown to us may have taken the money: an expiry gives back only money that is still just held.
    if (cause === 'EXPIRY') return mayLeave && state === 'authorized'
    return dispatchDeadline === null || (mayLeave && (state === 'authorized' || state === 'captured'))
  })
}

/**
 * The intention to send the due releases and unsent parts, saved before they leave. `pauseMs`: the acquirer's, between
 * two operations on one payment.
 */
export function dispatchDue(
  charge: Charge,
  due: readonly Transaction[],
  terms: Terms,
  pauseMs: number,
): Decision {
  const ids = new Set(due.map(({ id }) => id))
  const dispatchDeadline = Math.max(terms.deadline, terms.at + pauseMs)
  const transactions = charge.transactions.map((one) =>
    ids.has(one.id) ? { ...one, dispatchDeadline } : one,
  )
  return transition(charge, { transactions }, terms.at)
}
