/** Why a card was not charged, as its holder reads it. */
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
 * What the holder of a card reads, by the reason of its automatic charge. A letter that others may open says nothing of a
 * lack of money, and the card brands forbid to tell of fraud or theft: the bank refused, and knows why.
 */
export function declineReasonOf(reason: string | null): DeclineReason {
  return (reason === null ? undefined : REASONS[reason]) ?? 'refused'
}
