import { MAX_AMOUNT } from '@cofre/platform/money'

/** What an acquirer keeps of a card payment: a share, in hundredths of a percent, and a fixed amount, cents. */
export type CardFee = { percentageBps: number; fixedInCents: number }

/** The fees by the number of instalments from which on each holds. */
export type CardFees = ReadonlyMap<number, CardFee>

const WHOLE_BPS = 10_000n
const NO_FEE: CardFee = { percentageBps: 0, fixedInCents: 0 }

/** The fee of a payment in so many instalments: that of the highest count that is not above. */
export function feeFor(fees: CardFees, installments: number): CardFee {
  const counts = [...fees.keys()].filter((count) => count <= installments)
  return fees.get(Math.max(...counts)) ?? NO_FEE
}

/**
 * What a payer who bears the fee pays, cents: the least amount that leaves the seller its price (Lei 13.455/2017: the price
 * may depend on the means of payment). The acquirer's share is rounded half up. Of nothing there is no fee.
 */
export function grossOf(price: number, { percentageBps, fixedInCents }: CardFee): number {
  if (price === 0) return 0
  const share = BigInt(percentageBps)
  const wanted = BigInt(price + fixedInCents)
  const left = (gross: bigint) => gross - (2n * gross * share + WHOLE_BPS) / (2n * WHOLE_BPS)
  // Without rounding it would be this. For shares up to a half, which is all that the setting allows, nothing less will do.
  let gross = (wanted * WHOLE_BPS) / (WHOLE_BPS - share)
  while (left(gross) < wanted) gross += 1n
  return Math.min(Number(gross), MAX_AMOUNT)
}
