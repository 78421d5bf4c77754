import type { OperationOutcome } from '../acquirer/acquirer'
import type { Charge, Transaction } from './charge'
import { failure, type Failure } from './failure'
import { VOID_SPACING_MS } from './release'
import { changeOf, fail, succeed, withDeadline } from './transaction'
import { transition, unchanged, type Decision } from './transition'

/** What the acquirer answered for each transaction of an operation, by transaction id. */
export type Outcomes = ReadonlyMap<number, OperationOutcome>

/**
 * Records the answers to captures, refunds and voids. What is not known stays pending, for the sweeper to ask. So does
 * what was not sent beside a part that happened, for the sweeper to send.
 */
export function recordOutcomes(charge: Charge, outcomes: Outcomes, at: number): Decision {
  let changed = charge
  for (const transaction of charge.transactions) {
    const outcome = outcomes.get(transaction.id)
    const verdict = outcome && verdictOf(transaction, outcome)
    if (verdict === 'SUCCEEDED') changed = succeed(changed, transaction.id)
    else if (verdict === 'FAILED') changed = fail(changed, transaction.id, refusalOf(outcome))
    else if (verdict === 'UNSENT') changed = withDeadline(changed, transaction.id, null)
    if (verdict === 'UNSENT' && outcome?.result === 'busy')
      changed = askedNotBefore(changed, at + VOID_SPACING_MS)
  }
  return changed === charge ? unchanged(charge) : transition(charge, changeOf(changed), at)
}

/** Whether an operation came to nothing in a way that makes repeating it safe. */
export function cameToNothing(outcomes: Outcomes): boolean {
  return [...outcomes.values()].every(({ result }) => result === 'not_sent' || result === 'busy')
}

function verdictOf(
  transaction: Transaction,
  { result }: OperationOutcome,
): 'SUCCEEDED' | 'FAILED' | 'UNSENT' | undefined {
  if (transaction.status === 'SUCCEEDED') return undefined
  // An answer is worth more than the sweeper's conclusion that there would be none.
  if (result === 'done') return 'SUCCEEDED'
  if (transaction.status === 'FAILED' || result === 'unknown') return undefined
  // The acquirer let an old authorization lapse by itself. Of any other payment, ask what became of it.
  if (result === 'gone') return transaction.cause === 'EXPIRY' ? 'SUCCEEDED' : undefined
  // What must be given back is tried again until it is.
  if (transaction.cause !== 'REQUEST') return undefined
  return result === 'refused' ? 'FAILED' : 'UNSENT'
}

function refusalOf(outcome: OperationOutcome | undefined): Failure {
  return failure('ACQUIRER_REFUSED', outcome?.result === 'refused' ? outcome.code : '')
}

function askedNotBefore(charge: Charge, time: number): Charge {
  return { ...charge, askAt: Math.max(charge.askAt ?? time, time) }
}
