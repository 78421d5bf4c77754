import { giveUp, move, type Dunning } from './automatic-charge'

const DAY_MS = 86_400_000

/** Money that came in for an invoice, and that it did not take. `since`: when the oldest that waits came. */
export type OtherMoney = { is: 'waiting'; since: number } | { is: 'kept' }

/** How long a card waits for a person to decide on the payer's money: after that the seller charges it no more. */
const PERSON_AWAITED_MS = 30 * DAY_MS

/**
 * Follows money of the invoice's payer that the invoice did not take. It waits a day while a person has to decide on it.
 * The charge ends where the seller keeps the money, or nobody decides: the payer has paid, if not to the cent.
 */
export function afterOtherMoney(dunning: Dunning, other: OtherMoney, at: number): Dunning {
  if (other.is === 'kept') return giveUp(dunning, 'MONEY_KEPT')
  if (at >= other.since + PERSON_AWAITED_MS) return giveUp(dunning, 'MONEY_RECEIVED')
  return move(dunning, { status: 'WAITING', nextAttemptAt: at + DAY_MS, reason: 'MONEY_RECEIVED' })
}
