import type { Charge, Transaction } from './charge'

/**
 * What becomes of the Idempotency-Key marks of operations: answered with the charge as saved, or given back so that
 * the request may be made anew. By operation id.
 */
export type Marks = { answered: readonly string[]; freed: readonly string[] }

export const NO_MARKS: Marks = { answered: [], freed: [] }

export function answered(operationId: string): Marks {
  return { answered: [operationId], freed: [] }
}

export function freed(operationId: string): Marks {
  return { answered: [], freed: [operationId] }
}

/**
 * The marks of the operations that ended between two states of a charge, for those whose own caller is gone. An
 * operation of which nothing came is given back.
 */
export function endedMarks(before: Charge, after: Charge): Marks {
  const open = new Set(requestsOf(before).filter(isPending).map(operationOf))
  const stillOpen = new Set(requestsOf(after).filter(isPending).map(operationOf))
  const ended = [...open].filter((operationId) => !stillOpen.has(operationId))
  const isVain = (operationId: string) =>
    after.status !== 'denied' &&
    requestsOf(after)
      .filter((one) => one.operationId === operationId)
      .every(({ status }) => status === 'failed')
  return {
    answered: ended.filter((operationId) => !isVain(operationId)),
    freed: ended.filter((operationId) => isVain(operationId)),
  }
}

function requestsOf(charge: Charge): Transaction[] {
  return charge.transactions.filter(({ cause }) => cause === 'request')
}

function isPending({ status }: Transaction): boolean {
  return status === 'pending'
}

function operationOf({ operationId }: Transaction): string {
  return operationId
}
