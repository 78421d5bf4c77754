import { NO_MARKS, type Mark, type Marks } from '@cofre/platform/idempotency/mark'
import type { Charge, Transaction } from './charge'

export function answered({ operationId, key }: Mark): Marks {
  return key ? { answered: [operationId], freed: [] } : NO_MARKS
}

export function freed({ operationId, key }: Mark): Marks {
  return key ? { answered: [], freed: [operationId] } : NO_MARKS
}

/**
 * Returns the marks of the operations that ended between two states of a charge, when their callers are gone. An
 * operation that did nothing frees its mark.
 */
export function endedMarks(before: Charge, after: Charge): Marks {
  const open = new Set(requestsOf(before).filter(isPending).map(operationOf))
  const stillOpen = new Set(requestsOf(after).filter(isPending).map(operationOf))
  const ended = [...open].filter((operationId) => !stillOpen.has(operationId))
  const isVain = (operationId: string) =>
    after.status !== 'DENIED' &&
    requestsOf(after)
      .filter((one) => one.operationId === operationId)
      .every(({ status }) => status === 'FAILED')
  if (ended.length === 0) return NO_MARKS
  return {
    answered: ended.filter((operationId) => !isVain(operationId)),
    freed: ended.filter((operationId) => isVain(operationId)),
  }
}

function requestsOf(charge: Charge): Transaction[] {
  return charge.transactions.filter(({ cause }) => cause === 'REQUEST')
}

function isPending({ status }: Transaction): boolean {
  return status === 'PENDING'
}

function operationOf({ operationId }: Transaction): string {
  return operationId
}
