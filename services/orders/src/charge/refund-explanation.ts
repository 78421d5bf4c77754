import type { Transaction } from './charge'

/** Two to the power of it is how many sets are tried; beyond it the refunds stay pending. */
const REFUNDS_MAX = 16

/**
 * Which of the refunds without an answer happened, given how much more the acquirer has given back than we know of:
 * the set of the oldest whose amounts add up to it. Undefined when none does.
 */
export function explainRefunds(
  refunds: readonly Pick<Transaction, 'id' | 'amount'>[],
  difference: number,
): ReadonlySet<number> | undefined {
  if (difference === 0) return new Set()
  if (difference < 0 || refunds.length > REFUNDS_MAX) return undefined
  const found = search(refunds, 0, difference)
  return found && new Set(found)
}

function search(
  refunds: readonly Pick<Transaction, 'id' | 'amount'>[],
  from: number,
  left: number,
): number[] | undefined {
  if (left === 0) return []
  const refund = refunds[from]
  if (!refund) return undefined
  if (refund.amount <= left) {
    const rest = search(refunds, from + 1, left - refund.amount)
    if (rest) return [refund.id, ...rest]
  }
  return search(refunds, from + 1, left)
}
