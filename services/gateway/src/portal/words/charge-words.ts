import type { ChargeJson } from '@cofre/api/charge'
import type { Word } from './portuguese'
import type { Badge } from './value'

type Status = ChargeJson['status']
type Transaction = ChargeJson['transactions'][number]
type Decline = NonNullable<ChargeJson['payments'][number]['decline']>

export const STATUSES: Record<Status, Badge> = {
  PENDING: { text: 'Pending', mood: 'waiting' },
  AUTHORIZED: { text: 'Authorized', mood: 'waiting' },
  DENIED: { text: 'Denied', mood: 'bad' },
  FAILED: { text: 'Failed', mood: 'bad' },
  PARTIALLY_CAPTURED: { text: 'Partially captured', mood: 'good' },
  CAPTURED: { text: 'Captured', mood: 'good' },
  VOIDED: { text: 'Voided', mood: 'quiet' },
  EXPIRED: { text: 'Lapsed', mood: 'quiet' },
  PARTIALLY_REFUNDED: { text: 'Partially refunded', mood: 'quiet' },
  REFUNDED: { text: 'Refunded', mood: 'quiet' },
}

export const TRANSACTIONS: Record<Transaction['type'], Word> = {
  AUTHORIZATION: 'Authorization',
  CAPTURE: 'Capture',
  REFUND: 'Refund',
  VOID: 'Void',
}

export const OUTCOMES: Record<Transaction['status'], Badge> = {
  PENDING: { text: 'Waiting for the acquirer', mood: 'waiting' },
  SUCCEEDED: { text: 'Done', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
}

/** How to react to a decline, by the card brands' retry programmes and ABECS Norm 21. */
export const ADVICE: Record<Decline['advice'], Word> = {
  TRY_LATER: 'The same card may work later. Try again in one or two days.',
  USE_ANOTHER_CARD: 'Ask the payer for another card.',
  DO_NOT_RETRY: 'Do not try this card again: card brands fine retries after this decline.',
  FIX_DATA: 'Ask the payer to check the card number, expiry date and security code. Then try again.',
}

export const SOURCES: Record<NonNullable<ChargeJson['payments'][number]['card']>['source'], Word> = {
  CARD: 'Card number',
  CARD_TOKEN: 'Card token',
  NETWORK_TOKEN: 'Network token',
}
