import { sumOf, type Movement } from './movement'
import type { Split } from './invoice'

const WHOLE_BPS = 10_000n

/** What an invoice took and has not given back, cents: of its items alone, and of all but the payer's fee. */
type Held = { principal: number; all: number }

/** A recipient's share of a movement, cents; negative where money went back. */
export type Share = {
  recipientId: number
  movementId: number
  amount: number
  at: number
  recordedAt: number
}

/**
 * The shares of an invoice's movements, in their order. A recipient's amount is that part of it which is the part that was
 * paid of the items; a percentage is of all that was paid, fine and interest included. What the payer bore for the card
 * belongs to nobody here. Each share is the difference that its movement makes to the sum, so that a refund takes back to
 * the cent what the payment gave. Rounded down: what is left is the seller's.
 */
export function sharesOf(total: number, splits: readonly Split[], movements: readonly Movement[]): Share[] {
  let held: Held = { principal: 0, all: 0 }
  return movements.flatMap((movement) => {
    const { id: movementId, at, recordedAt } = movement
    const before = held
    held = after(before, movement)
    const amounts = new Map<number, number>()
    for (const split of splits) {
      const change = dueOf(split, total, held) - dueOf(split, total, before)
      amounts.set(split.recipientId, (amounts.get(split.recipientId) ?? 0) + change)
    }
    return [...amounts].flatMap(([recipientId, amount]) =>
      amount === 0 ? [] : [{ recipientId, movementId, amount, at, recordedAt }],
    )
  })
}

function after({ principal, all }: Held, movement: Movement): Held {
  if (movement.kind === 'WRITE_OFF') return { principal, all }
  const isIn = movement.kind === 'PAYMENT' || movement.kind === 'DISPUTE_WON'
  const sign = isIn ? 1 : -1
  return { principal: principal + sign * movement.principal, all: all + sign * sumOf(movement) }
}

/** What a recipient is due of what an invoice holds, cents, down to the cent. */
function dueOf({ amountInCents, percentageBps }: Split, total: number, { principal, all }: Held): number {
  if (amountInCents === null) return Number((BigInt(all) * BigInt(percentageBps ?? 0)) / WHOLE_BPS)
  return total === 0 ? 0 : Number((BigInt(principal) * BigInt(amountInCents)) / BigInt(total))
}
