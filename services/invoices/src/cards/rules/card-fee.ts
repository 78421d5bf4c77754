import { MAX_AMOUNT } from '@cofre/platform/money'
import type { CardFee, CardFees } from '../../catalog/settings/card-fees'

const WHOLE_BPS = 10_000n
const NO_FEE: CardFee = { percentageBps: 0, fixedInCents: 0 }

/** The fee for a number of installments: the one of the highest count that does not exceed it. */
export function feeFor(fees: CardFees, installments: number): CardFee {
  const counts = [...fees.keys()].filter((count) => count <= installments)
  return fees.get(Math.max(...counts)) ?? NO_FEE
}

/**
 * The amount that a payer who bears the fee pays, cents: the least that leaves the seller its price (Lei 13.455/2017:
 * the price may depend on the means of payment). The acquirer's share is rounded half up. A price of zero has no fee.
 */
export function grossOf(price: number, { percentageBps, fixedInCents }: CardFee): number {
  if (price === 0) return 0
  const share = BigInt(percentageBps)
  const wanted = BigInt(price + fixedInCents)
  const left = (gross: bigint) => gross - (2n * gross * share + WHOLE_BPS) / (2n * WHOLE_BPS)
  // The amount without rounding. For shares up to a half, the most that the setting allows, no smaller amount suffices.
  let gross = (wanted * WHOLE_BPS) / (WHOLE_BPS - share)
  while (left(gross) < wanted) gross += 1n
  return Math.min(Number(gross), MAX_AMOUNT)
}
