import type { Transaction } from './charge'

type Refund = Pick<Transaction, 'id' | 'amount'>

/** The search ends after this many dead ends, about 50 ms. The refunds then stay pending. */
const FAILED_MAX = 100_000
/** Above every amount in cents, so that one number can hold a place and an amount. */
const PLACE = 1_000_000_000_000

/**
 * Finds the refunds without an answer that happened. `difference` is how much more the acquirer has refunded than we
 * know of. Returns the oldest refunds that add up to it. Undefined when none do, or none are found in time.
 */
export function explainRefunds(
  refunds: readonly Refund[],
  difference: number,
): ReadonlySet<number> | undefined {
  if (difference < 0) return undefined
  const found = search({ refunds, sums: sumsFrom(refunds), failed: new Set() }, 0, difference)
  return found && new Set(found)
}

/** `sums`: the total of the refunds from each place on. `failed`: the dead ends, each a place and the amount left. */
type Search = { refunds: readonly Refund[]; sums: readonly number[]; failed: Set<number> }

function search(of: Search, from: number, left: number): number[] | undefined {
  if (left === 0) return []
  const refund = of.refunds[from]
  const way = from * PLACE + left
  if (!refund || left > (of.sums[from] ?? 0) || of.failed.has(way) || of.failed.size >= FAILED_MAX) {
    return undefined
  }
  if (refund.amount <= left) {
    const rest = search(of, from + 1, left - refund.amount)
    if (rest) return [refund.id, ...rest]
  }
  const without = search(of, from + 1, left)
  if (!without) of.failed.add(way)
  return without
}

function sumsFrom(refunds: readonly Refund[]): number[] {
  const sums: number[] = []
  let sum = 0
  for (const { amount } of refunds.toReversed()) sums.push((sum += amount))
  return sums.reverse()
}
