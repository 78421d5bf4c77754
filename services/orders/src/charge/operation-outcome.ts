import type { OperationOutcome } from '../acquirer/acquirer'
import type { Charge, Transaction } from './charge'
import { changeOf, succeed, withStatus } from './transaction'
import { transition, unchanged, type Decision } from './transition'

/** What the acquirer answered for each transaction of an operation, by transaction id. */
export type Outcomes = ReadonlyMap<number, OperationOutcome>

/** Records the answers to captures, refunds and voids. What is not known stays pending, for the sweeper to ask. */
export function recordOutcomes(charge: Charge, outcomes: Outcomes, at: number): Decision {
  let changed = charge
  for (const transaction of charge.transactions) {
    const outcome = outcomes.get(transaction.id)
    const verdict = outcome && verdictOf(transaction, outcome)
    if (verdict === 'SUCCEEDED') changed = succeed(changed, transaction.id)
    else if (verdict) changed = withStatus(changed, transaction.id, verdict)
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
): 'SUCCEEDED' | 'FAILED' | undefined {
  if (transaction.status === 'SUCCEEDED') return undefined
  // An answer is worth more than the sweeper's conclusion that there would be none.
  if (result === 'done') return 'SUCCEEDED'
  if (transaction.status === 'FAILED' || result === 'unknown') return undefined
  // The acquirer let an old authorization lapse by itself. Of any other payment, ask what became of it.
  if (result === 'gone') return transaction.cause === 'EXPIRY' ? 'SUCCEEDED' : undefined
  // What must be given back is tried again until it is.
  return transaction.cause === 'REQUEST' ? 'FAILED' : undefined
}
