/** The acquirer's fee for a card payment: a share, in hundredths of a percent, and a fixed amount, cents. */
export type CardFee = { percentageBps: number; fixedInCents: number }

/** The fees, each by the number of installments from which it holds. */
export type CardFees = ReadonlyMap<number, CardFee>

/** A fee with the number of installments from which it holds. */
export type CardFeeRow = CardFee & { installments: number }
