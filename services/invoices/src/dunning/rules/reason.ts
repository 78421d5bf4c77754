import type { AutomaticCharge } from '../../invoice/rules/invoice'

/** Our own reasons why no card is charged, besides the codes of declines. */
export type OwnReason =
  | 'NO_CARD'
  | 'CARD_REMOVED'
  | 'CARD_EXPIRED'
  | 'CARD_DISPUTED'
  | 'BRAND_LIMIT'
  | 'NOT_REACHED'
  | 'BANK_NOT_REACHED'
  | 'MONEY_RECEIVED'
  | 'MONEY_KEPT'
  | 'CHARGE_FAILED'
  | 'NOT_CAPTURED'
  | 'CARD_UNUSABLE'
  | 'PAYMENT_METHOD_NOT_ACCEPTED'
  | 'CARD_NOT_ACCEPTED'
  | 'PAYMENT_WINDOW_CLOSED'
  | 'RECURRING_INVOICE_CANCELLED'
  | 'CUSTOMER_DELETED'

/** Reasons for which no card is at fault. */
const NOT_OF_THE_CARD: ReadonlySet<string | null> = new Set<OwnReason>([
  'NO_CARD',
  'NOT_REACHED',
  'BANK_NOT_REACHED',
  'MONEY_RECEIVED',
  'MONEY_KEPT',
  'CHARGE_FAILED',
  'NOT_CAPTURED',
  'PAYMENT_METHOD_NOT_ACCEPTED',
])

/** Whether a card is at fault when no card is charged. */
export function isOfTheCard({ reason }: Pick<AutomaticCharge, 'reason'>): boolean {
  return !NOT_OF_THE_CARD.has(reason)
}
