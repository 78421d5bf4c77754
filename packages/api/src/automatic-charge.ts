import {
  AutomaticChargeStatus,
  type AutomaticCharge,
  type InvoiceTransaction,
} from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { enumNames, epochMs } from './schema'

const status = enumNames('AutomaticChargeStatus', AutomaticChargeStatus)
type AutomaticChargeName = z.output<typeof status.schema>

/** The state of charging a stored card for an invoice automatically. */
export const automaticChargeSchema = z
  .object({
    status: status.schema.meta({
      description:
        'WAITING: the card is charged at nextAttemptAt, or once the recurring invoice is resumed. TRYING: the outcome of the last attempt is not known yet. NEEDS_CARD: the customer has to pay, or store another card. GIVEN_UP: no attempt follows, unless you ask for one or the customer keeps another card. STOPPED: the invoice was paid another way, voided or marked uncollectible, its customer was deleted, or its recurring invoice was cancelled.',
    }),
    attempts: z.int().meta({ description: 'Attempts that reached the issuer, or may have reached it.' }),
    nextAttemptAt: epochMs().nullable().meta({
      description: 'With WAITING. null while the recurring invoice is paused. Epoch milliseconds.',
    }),
    reason: z.string().nullable().meta({
      description:
        'The code of the last decline, or NO_CARD, CARD_REMOVED, CARD_EXPIRED, CARD_DISPUTED, BRAND_LIMIT, NOT_REACHED, BANK_NOT_REACHED, MONEY_RECEIVED, MONEY_KEPT, CHARGE_FAILED, NOT_CAPTURED, CARD_UNUSABLE, PAYMENT_METHOD_NOT_ACCEPTED, CARD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED, INVOICE_PAID, INVOICE_VOIDED, INVOICE_UNCOLLECTIBLE, CUSTOMER_DELETED, RECURRING_INVOICE_CANCELLED, RECURRING_INVOICE_PAUSED. null: no attempt was made yet, or the charge succeeded.',
    }),
    message: z
      .string()
      .meta({ description: 'Why it has this status and what happens next, as a sentence for people.' }),
  })
  .meta({ id: 'AutomaticCharge' })

const REASONS: Readonly<Record<string, string>> = {
  NO_CARD: 'The customer has no stored card.',
  CARD_REMOVED: 'The card was deleted.',
  CARD_EXPIRED: 'The card has expired.',
  CARD_DISPUTED: 'A payment by this card is disputed, and you have not won the dispute.',
  BRAND_LIMIT: 'The card brand allows no further attempt with this card.',
  NOT_REACHED: 'The acquirer could not be reached; nothing was charged.',
  BANK_NOT_REACHED: 'The bank has not confirmed yet whether the boleto was paid; nothing was charged.',
  MONEY_RECEIVED: 'Money for this invoice is on the list of unexpected receipts; nothing was charged.',
  MONEY_KEPT: 'You keep money that was paid for this invoice; no card is charged for it.',
  CHARGE_FAILED: 'The charge failed, and no issuer declined it.',
  NOT_CAPTURED:
    'The card was authorized, but the amount was not captured, and the authorization was released.',
  CARD_UNUSABLE: 'Payments cannot be made with this card.',
  PAYMENT_METHOD_NOT_ACCEPTED: 'The seller cannot take card payments.',
  CARD_NOT_ACCEPTED: 'The invoice does not accept cards.',
  PAYMENT_WINDOW_CLOSED: 'The invoice can no longer be paid.',
  INVOICE_PAID: 'The invoice was paid in another way.',
  INVOICE_VOIDED: 'The invoice was voided.',
  INVOICE_UNCOLLECTIBLE: 'The invoice was marked uncollectible.',
  CUSTOMER_DELETED: 'The customer was deleted.',
  RECURRING_INVOICE_CANCELLED: 'The recurring invoice was cancelled.',
  RECURRING_INVOICE_PAUSED: 'The recurring invoice is paused.',
}

/** `transactions`: the attempts to pay the invoice, the oldest first. */
export function presentAutomaticCharge(
  { reason, nextAttemptAt, attempts, ...charge }: AutomaticCharge,
  transactions: readonly InvoiceTransaction[],
): z.output<typeof automaticChargeSchema> {
  const why = REASONS[reason] ?? declineMessage(reason, transactions)
  const name = status.nameOf(charge.status)
  const isPaused = reason === 'RECURRING_INVOICE_PAUSED'
  const next = isPaused ? 'No card is charged until you resume it.' : nextWords(name, nextAttemptAt)
  return {
    status: name,
    attempts,
    nextAttemptAt: nextAttemptAt ?? null,
    reason: reason || null,
    message: [why, next].filter(Boolean).join(' '),
  }
}

function declineMessage(reason: string, transactions: readonly InvoiceTransaction[]): string {
  return transactions.findLast(({ decline }) => decline?.code === reason)?.decline?.message ?? ''
}

/** Days are those of America/Sao_Paulo. */
const DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })

const NEXT: Readonly<Record<AutomaticChargeName, string>> = {
  WAITING: 'The card is charged on',
  TRYING: 'The outcome of the last attempt is not known yet.',
  PAID: 'The card was charged.',
  NEEDS_CARD:
    'Another card is needed. If the customer stores one, it is charged on the next day of the schedule.',
  GIVEN_UP: 'No further attempt is made.',
  STOPPED: 'No card is charged.',
}

function nextWords(name: AutomaticChargeName, nextAttemptAt: number | undefined): string {
  return nextAttemptAt === undefined ? NEXT[name] : `${NEXT[name]} ${DAY.format(nextAttemptAt)}.`
}
