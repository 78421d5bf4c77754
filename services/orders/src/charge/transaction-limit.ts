import type { Charge, Transaction } from './charge'
import { neverLeft } from './unsent-part'

/** The most operations of a charge: each is read and answered with every later one. */
const TRANSACTIONS_MAX = 200
/** Between the two limits, only the whole rest is given back. */
const WITH_THE_REST_MAX = 300

/** True when another operation may be requested. Operations that never left do not count. */
export function isBelowLimit(charge: Pick<Charge, 'transactions'>): boolean {
  return isBelow(charge, TRANSACTIONS_MAX)
}

/** True when the whole rest may be given back, even on a charge at its limit for anything else. */
export function isBelowLimitForTheRest(charge: Pick<Charge, 'transactions'>): boolean {
  return isBelow(charge, WITH_THE_REST_MAX)
}

function isBelow({ transactions }: Pick<Charge, 'transactions'>, most: number): boolean {
  return transactions.length < most || transactions.length - neverLeft(transactions).length < most
}

/**
 * Returns the transactions with those of a new operation, numbered without gaps. Up to the limit, each stays on show.
 * At the limit, new ones take the ids of those that never left, the oldest first.
 */
export function withRequests(
  transactions: readonly Transaction[],
  asked: readonly Transaction[],
): readonly Transaction[] {
  const isFull = transactions.length + asked.length > TRANSACTIONS_MAX
  const freedIds = isFull ? neverLeft(transactions).map(({ id }) => id) : []
  const numbered = asked.map((one, index) => ({
    ...one,
    id: freedIds[index] ?? transactions.length + 1 + index - freedIds.length,
  }))
  const taken = new Set(numbered.map(({ id }) => id))
  return [...transactions.filter(({ id }) => !taken.has(id)), ...numbered].toSorted((a, b) => a.id - b.id)
}
