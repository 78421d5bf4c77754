import type { Charge, Transaction } from './charge'
import { failure } from './failure'

/** Whether a part of a capture, void or refund provably never left: it may leave once more. */
function isUnsent({ type, status, cause, dispatchDeadline }: Transaction): boolean {
  return type !== 'AUTHORIZATION' && cause === 'REQUEST' && status === 'PENDING' && dispatchDeadline === null
}

/** The unsent parts that leave now: of operations of which another part happened. */
export function unsentDue({ transactions }: Charge): Transaction[] {
  const begun = operationsOf(transactions, ({ status }) => status === 'SUCCEEDED')
  return transactions.filter((one) => isUnsent(one) && begun.has(one.operationId))
}

/**
 * The transactions, without unsent parts that nothing waits for: an operation of which no part happened, or may have
 * happened, is given up whole, and the seller may ask for it anew.
 */
export function giveUpUnsent(transactions: readonly Transaction[]): readonly Transaction[] {
  if (!transactions.some(isUnsent)) return transactions
  const alive = operationsOf(transactions, (one) => one.status !== 'FAILED' && !isUnsent(one))
  return transactions.map((one) =>
    isUnsent(one) && !alive.has(one.operationId)
      ? { ...one, status: 'FAILED' as const, failure: failure('NOT_SENT') }
      : one,
  )
}

/** The parts of operations that were given up whole and never left: their callers heard that nothing was done. */
export function neverLeft(transactions: readonly Transaction[]): Transaction[] {
  const mayHaveLeft = operationsOf(
    transactions,
    (one) => one.status !== 'FAILED' || one.dispatchDeadline !== null || one.resolution !== null,
  )
  return requestsOf(transactions).filter(({ operationId }) => !mayHaveLeft.has(operationId))
}

function operationsOf(
  transactions: readonly Transaction[],
  counts: (transaction: Transaction) => boolean,
): ReadonlySet<string> {
  return new Set(
    requestsOf(transactions)
      .filter(counts)
      .map(({ operationId }) => operationId),
  )
}

function requestsOf(transactions: readonly Transaction[]): Transaction[] {
  return transactions.filter(({ type, cause }) => type !== 'AUTHORIZATION' && cause === 'REQUEST')
}
