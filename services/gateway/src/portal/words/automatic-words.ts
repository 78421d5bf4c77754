import type { InvoiceJson } from '@cofre/api/invoice'
import type { Word } from './portuguese'
import type { Badge } from './value'

type Status = NonNullable<InvoiceJson['automaticCharge']>['status']

/** What becomes of an automatic charge. */
export const AUTOMATIC: Record<Status, Badge> = {
  WAITING: { text: 'Waits for its day', mood: 'waiting' },
  TRYING: { text: 'Outcome not known yet', mood: 'waiting' },
  PAID: { text: 'Paid', mood: 'good' },
  NEEDS_CARD: { text: 'The customer has to pay or keep another card', mood: 'bad' },
  GIVEN_UP: { text: 'Given up', mood: 'bad' },
  STOPPED: { text: 'Stopped', mood: 'quiet' },
}

/** Why, where no issuer declined it: the codes of the API in words. */
export const AUTOMATIC_REASONS: Readonly<Record<string, Word>> = {
  NO_CARD: 'The customer keeps no card.',
  CARD_REMOVED: 'The card was deleted.',
  CARD_EXPIRED: 'The card has expired.',
  CARD_DISPUTED: 'A payment by this card is disputed.',
  BRAND_LIMIT: 'The card brand allows no further attempt with this card.',
  NOT_REACHED: 'The acquirer could not be reached. Nothing was charged.',
  BANK_NOT_REACHED: 'The bank has not said yet whether the boleto was paid. Nothing was charged.',
  MONEY_RECEIVED: 'Money for this invoice waits among the unexpected receipts. Nothing was charged.',
  MONEY_KEPT: 'You keep money that was paid for this invoice.',
  CHARGE_FAILED: 'The charge failed, and no issuer declined it.',
  NOT_CAPTURED: 'The card was authorized, but the money was not captured.',
  CARD_UNUSABLE: 'Payments cannot be made with this card.',
  PAYMENT_METHOD_NOT_ACCEPTED: 'Your account takes no payments by card.',
  CARD_NOT_ACCEPTED: 'The invoice takes no cards.',
  PAYMENT_WINDOW_CLOSED: 'The invoice can no longer be paid.',
  INVOICE_PAID: 'The invoice was paid in another way.',
  INVOICE_VOIDED: 'The invoice was voided.',
  INVOICE_UNCOLLECTIBLE: 'The invoice was marked as uncollectible.',
  CUSTOMER_DELETED: 'The customer was deleted.',
  RECURRING_INVOICE_CANCELLED: 'The recurring invoice was cancelled.',
  RECURRING_INVOICE_PAUSED: 'The recurring invoice is paused: no card is charged until you resume it.',
}
