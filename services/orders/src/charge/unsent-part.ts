import type { Charge, Transaction } from './charge'
import { failure } from './failure'

/** True when a part of a capture, void or refund provably never left: it may leave again. */
function isUnsent({ type, status, cause, dispatchDeadline }: Transaction): boolean {
  return type !== 'AUTHORIZATION' && cause === 'REQUEST' && status === 'PENDING' && dispatchDeadline === null
}

/** Returns the unsent parts that leave now: another part of their operation happened. */
export function unsentDue({ transactions }: Charge): Transaction[] {
  const begun = operationsOf(transactions, ({ status }) => status === 'SUCCEEDED')
  return transactions.filter((one) => isUnsent(one) && begun.has(one.operationId))
}

/**
 * Returns the transactions, with hopeless unsent parts marked as failed. An operation is given up whole when no part
 * of it happened or may have happened. The seller may request it again.
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

/** The parts of operations that were given up whole and never left. Their callers learned that nothing was done. */
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
