/** Why a card was not charged, as its holder is told. */
export type DeclineReason = 'expired' | 'silent' | 'refused'

const REASONS: Readonly<Record<string, DeclineReason>> = {
  CARD_EXPIRED: 'expired',
  EXPIRED_CARD: 'expired',
  ISSUER_UNAVAILABLE: 'silent',
  SYSTEM_FAILURE: 'silent',
  TIMED_OUT: 'silent',
  TRY_AGAIN: 'silent',
}

/**
 * What the holder of a card is told, by the reason of its automatic charge. Who lacks money is not told so in a letter that
 * others may open, and the card brands forbid to tell of fraud or theft: the bank refused, and knows why.
 */
export function declineReasonOf(reason: string | null): DeclineReason {
  return (reason === null ? undefined : REASONS[reason]) ?? 'refused'
}
