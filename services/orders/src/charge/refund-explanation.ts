import type { Transaction } from './charge'

type Refund = Pick<Transaction, 'id' | 'amount'>

/** How many ways are found to lead nowhere before the search ends: about 50 ms. The refunds then stay pending. */
const FAILED_MAX = 100_000
/** Above every amount of cents, so that a place and an amount make one number. */
const PLACE = 1_000_000_000_000

/**
 * Which of the refunds without an answer happened, given how much more the acquirer has given back than we know of:
 * the set of the oldest whose amounts add up to it. Undefined when none does, or none is found in time.
 */
export function explainRefunds(
  refunds: readonly Refund[],
  difference: number,
): ReadonlySet<number> | undefined {
  if (difference < 0) return undefined
  const found = search({ refunds, sums: sumsFrom(refunds), failed: new Set() }, 0, difference)
  return found && new Set(found)
}

/** `sums`: what the refunds from each place on add up to. `failed`: places and amounts left from which no way leads. */
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
