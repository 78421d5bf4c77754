import { DomainError } from '@cofre/platform/errors'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { invalidState, isBeingPaid, paymentPending } from '../../invoice/rules/transition'
import type { Dunning } from './automatic-charge'
import { chargingTimeOf, dueDayOf } from './schedule'

/** Throws when no card may be charged once more for an invoice, whatever the card. `at`: epoch milliseconds. */
export function checkRetry(
  invoice: WholeInvoice,
  dunning: Dunning | undefined,
  at: number,
): asserts dunning is Dunning {
  if (invoice.status !== 'CLOSED') throw invalidState(invoice, 'pay')
  if (!dunning) throw notNow(invoice, 'No card is charged automatically for this invoice.')
  if (isBeingPaid(invoice) || dunning.charge.status === 'TRYING') throw paymentPending()
  if (dunning.stoppedBy !== null || dunning.charge.status === 'STOPPED') {
    throw notNow(invoice, 'Its recurring invoice is over: no card is charged for it any more.')
  }
  if (dunning.isPaused) throw notNow(invoice, 'Its recurring invoice is paused. Resume that first.')
  if (at < chargingTimeOf(dueDayOf(invoice))) {
    throw notNow(invoice, 'Its card is charged from 06:00 of its due date on, and not before.')
  }
}

function notNow({ status: currentStatus }: WholeInvoice, words: string): DomainError {
  const members = { currentStatus, allowedActions: [] }
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', words, { members })
}

const WORDS: Readonly<Record<string, string>> = {
  NO_CARD: 'The customer keeps no card that may still be charged for this invoice.',
  CARD_REMOVED: 'The card was deleted. Name another, or have the customer keep one.',
  CARD_EXPIRED: 'The card has expired. Name another, or have the customer keep one.',
  CARD_DISPUTED: 'A payment with the card is disputed. It is not charged automatically.',
  BRAND_LIMIT: 'A limit of the card’s brand forbids another try now.',
  MONEY_RECEIVED: 'Money of the payer waits for you in the unexpected receipts. Decide on it first.',
  MONEY_KEPT: 'You have kept money of the payer for this invoice.',
  PAYMENT_WINDOW_CLOSED: 'The invoice can no longer be paid.',
}

/** The error for a try that its card, its issuer or a limit forbids. `reason`: as `automaticCharge.reason`. */
export function retryRefused(reason: string): DomainError {
  const words = WORDS[reason] ?? 'The issuer’s last answer forbids another try with this card.'
  return new DomainError('failed_precondition', 'AUTOMATIC_CHARGE_REFUSED', words, { members: { reason } })
}
