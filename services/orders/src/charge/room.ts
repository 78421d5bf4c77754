import type { Charge, Transaction } from './charge'
import { neverLeft } from './unsent-part'

/** How many operations a charge may have: each is read and answered with every later one. */
const TRANSACTIONS_MAX = 200
/** From the one to the other only the whole rest is given back. */
const WITH_THE_REST_MAX = 300

/** Whether another operation may be asked for. What never left takes no room. */
export function hasRoom(charge: Pick<Charge, 'transactions'>): boolean {
  return isBelow(charge, TRANSACTIONS_MAX)
}

/** Whether all that is left may be given back: also of a charge without room for anything else. */
export function hasRoomForTheRest(charge: Pick<Charge, 'transactions'>): boolean {
  return isBelow(charge, WITH_THE_REST_MAX)
}

function isBelow({ transactions }: Pick<Charge, 'transactions'>, most: number): boolean {
  return transactions.length < most || transactions.length - neverLeft(transactions).length < most
}

/**
 * The transactions with those of a new operation, numbered. Each stays on show, until the charge has as many as it may:
 * from then on new ones take the places of those that never left, the oldest first. Numbers have no gaps.
 */
export function withRequests(
  transactions: readonly Transaction[],
  asked: readonly Transaction[],
): readonly Transaction[] {
  const isFull = transactions.length + asked.length > TRANSACTIONS_MAX
  const places = isFull ? neverLeft(transactions).map(({ id }) => id) : []
  const placed = asked.map((one, index) => ({
    ...one,
    id: places[index] ?? transactions.length + 1 + index - places.length,
  }))
  const taken = new Set(placed.map(({ id }) => id))
  return [...transactions.filter(({ id }) => !taken.has(id)), ...placed].toSorted((a, b) => a.id - b.id)
}
