/** Whether the same card may be tried again: later, with corrected data, or never. */
export type Advice = 'TRY_LATER' | 'USE_ANOTHER_CARD' | 'DO_NOT_RETRY' | 'FIX_DATA'

/** Why a payment was declined, and what to do about it. */
export type Decline = {
  code: string
  /** As the issuer sent it; empty when the issuer never took the payment. */
  issuerCode: string
  message: string
  retryable: boolean
  advice: Advice
}

type Rule = Omit<Decline, 'issuerCode'>

/**
 * The issuers' reasons for a decline, in our words: those of charges, which follow ABECS Normativo 21. Voucher issuers
 * have codes of their own; each adapter translates them.
 */
const RULES = {
  DO_NOT_HONOR: ['The issuer did not authorize the payment.', true, 'TRY_LATER'],
  INSUFFICIENT_FUNDS: ['The card does not have enough limit or balance for this amount.', true, 'TRY_LATER'],
  TRANSACTION_NOT_ALLOWED: ['The card does not allow this payment.', false, 'USE_ANOTHER_CARD'],
  CARD_NOT_UNLOCKED: [
    'The cardholder has not unlocked this card yet, or has blocked it in the bank’s app.',
    true,
    'TRY_LATER',
  ],
  ISSUER_UNAVAILABLE: ['The issuer does not answer.', true, 'TRY_LATER'],
  CARD_CANCELED: ['The card was canceled.', false, 'USE_ANOTHER_CARD'],
  INVALID_CARD: [
    'There is a problem with the card: its data is wrong, or it cannot be used.',
    false,
    'USE_ANOTHER_CARD',
  ],
  EXPIRED_CARD: ['The card has expired, or its expiry date is wrong.', false, 'FIX_DATA'],
  SECURITY_VIOLATION: ['The security code or the card data is wrong.', false, 'FIX_DATA'],
  GENERIC_DECLINE: ['The payment was declined.', false, 'USE_ANOTHER_CARD'],
  NOT_PROCESSED: ['The issuer did not process the payment. Nothing was paid.', true, 'TRY_LATER'],
} as const satisfies Record<string, [message: string, retryable: boolean, advice: Advice]>

export type DeclineCode = keyof typeof RULES

export function declineOf(code: DeclineCode, issuerCode: string): Decline {
  const [message, retryable, advice]: readonly [string, boolean, Advice] = RULES[code]
  return { code, issuerCode, message, retryable, advice } satisfies Rule & Decline
}
