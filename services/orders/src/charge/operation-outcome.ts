import type { OperationOutcome } from '../acquirer/acquirer'
import type { Charge, Transaction } from './charge'
import { failure, type Failure } from './failure'
import { changeOf, fail, succeed, withDeadline } from './transaction'
import { transition, unchanged, type Decision } from './transition'

/** The acquirer's answer about each transaction of an operation, by transaction id. */
export type Outcomes = ReadonlyMap<number, OperationOutcome>

/**
 * Records the answers to captures, refunds and voids. A transaction with an unknown outcome stays pending, and the
 * sweeper asks about it. An unsent one beside a part that happened stays pending too, and the sweeper sends it: after
 * the acquirer's pause (`pauseMs`) where it was busy with the payment.
 */
export function recordOutcomes(charge: Charge, outcomes: Outcomes, at: number, pauseMs: number): Decision {
  let changed = charge
  for (const transaction of charge.transactions) {
    const outcome = outcomes.get(transaction.id)
    const verdict = outcome && verdictOf(transaction, outcome)
    if (verdict === 'SUCCEEDED') changed = succeed(changed, transaction.id)
    else if (verdict === 'FAILED') changed = fail(changed, transaction.id, refusalOf(outcome))
    else if (verdict === 'UNSENT') changed = withDeadline(changed, transaction.id, null)
    if (verdict === 'UNSENT' && outcome?.result === 'busy') changed = askedNotBefore(changed, at + pauseMs)
  }
  return changed === charge ? unchanged(charge) : transition(charge, changeOf(changed), at)
}

/** True when an operation came to nothing, and repeating it is safe. */
export function cameToNothing(outcomes: Outcomes): boolean {
  return [...outcomes.values()].every(({ result }) => result === 'not_sent' || result === 'busy')
}

function verdictOf(
  transaction: Transaction,
  { result }: OperationOutcome,
): 'SUCCEEDED' | 'FAILED' | 'UNSENT' | undefined {
  if (transaction.status === 'SUCCEEDED') return undefined
  // An answer outweighs the sweeper's conclusion that none would come.
  if (result === 'done') return 'SUCCEEDED'
  if (transaction.status === 'FAILED' || result === 'unknown') return undefined
  // The acquirer let an old authorization lapse by itself. The sweeper asks about any other payment.
  if (result === 'gone') return transaction.cause === 'EXPIRY' ? 'SUCCEEDED' : undefined
  // A release is tried again until the money is given back.
  if (transaction.cause !== 'REQUEST') return undefined
  return result === 'refused' ? 'FAILED' : 'UNSENT'
}

function refusalOf(outcome: OperationOutcome | undefined): Failure {
  return failure('ACQUIRER_REFUSED', outcome?.result === 'refused' ? outcome.code : '')
}

function askedNotBefore(charge: Charge, time: number): Charge {
  return { ...charge, askAt: Math.max(charge.askAt ?? time, time) }
}
