import type { ChargeJson } from '@cofre/api/charge'

type Status = ChargeJson['status']
type Transaction = ChargeJson['transactions'][number]
type Decline = NonNullable<ChargeJson['payments'][number]['decline']>

/** A word for people, and the mood that colours it. */
export type Badge = { text: string; mood: 'good' | 'waiting' | 'bad' | 'quiet' }

export const STATUS_BADGES: Record<Status, Badge> = {
  PENDING: { text: 'Pending', mood: 'waiting' },
  AUTHORIZED: { text: 'Authorized', mood: 'waiting' },
  DENIED: { text: 'Denied', mood: 'bad' },
  FAILED: { text: 'Failed', mood: 'bad' },
  PARTIALLY_CAPTURED: { text: 'Partially captured', mood: 'good' },
  CAPTURED: { text: 'Captured', mood: 'good' },
  VOIDED: { text: 'Voided', mood: 'quiet' },
  EXPIRED: { text: 'Expired', mood: 'quiet' },
  PARTIALLY_REFUNDED: { text: 'Partially refunded', mood: 'quiet' },
  REFUNDED: { text: 'Refunded', mood: 'quiet' },
}

export const TRANSACTION_WORDS: Record<Transaction['type'], string> = {
  AUTHORIZATION: 'Authorization',
  CAPTURE: 'Capture',
  REFUND: 'Refund',
  VOID: 'Void',
}

export const OUTCOME_BADGES: Record<Transaction['status'], Badge> = {
  PENDING: { text: 'Waiting for the acquirer', mood: 'waiting' },
  SUCCEEDED: { text: 'Done', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
}

/** How to react to a decline, by the card brands' retry programmes and ABECS Norm 21. */
export const ADVICE_WORDS: Record<Decline['advice'], string> = {
  TRY_LATER: 'The same card may work later. Try again in one or two days.',
  USE_ANOTHER_CARD: 'Ask the payer for another card.',
  DO_NOT_RETRY: 'Do not try this card again: card brands fine retries after this decline.',
  FIX_DATA: 'Ask the payer to check the card number, expiry date and security code. Then try again.',
}

const BRANDS: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  ELO: 'Elo',
  HIPERCARD: 'Hipercard',
  DINERS: 'Diners',
  DISCOVER: 'Discover',
  JCB: 'JCB',
}

/** "Visa •••• 1111". */
export function cardWords(card: { brand: string; lastFour: string }): string {
  return `${BRANDS[card.brand] ?? card.brand} •••• ${card.lastFour}`
}

export const SOURCE_WORDS: Record<ChargeJson['payments'][number]['card']['source'], string> = {
  CARD: 'Card number',
  CARD_TOKEN: 'Card token',
  NETWORK_TOKEN: 'Network token',
}
