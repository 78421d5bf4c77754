import type { boletoSchema, unexpectedReceiptSchema } from '@cofre/api/boleto'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { movementSchema } from '@cofre/api/methods/movement'
import type { invoiceRefundSchema } from '@cofre/api/methods/pix-refund'
import type { z } from 'zod'
import type { Word } from './portuguese'
import { reais, word, type Badge, type Value } from './value'

type Movement = z.output<typeof movementSchema>

export const INVOICE_STATUSES: Record<InvoiceJson['status'], Badge> = {
  OPEN: { text: 'Draft', mood: 'quiet' },
  CLOSED: { text: 'Awaiting payment', mood: 'waiting' },
  PAID: { text: 'Paid', mood: 'good' },
  CANCELLED: { text: 'Cancelled', mood: 'quiet' },
  UNCOLLECTIBLE: { text: 'Uncollectible', mood: 'bad' },
}

export const TRIES: Record<InvoiceJson['transactions'][number]['status'], Badge> = {
  PENDING: { text: 'Outcome not known yet', mood: 'waiting' },
  SUCCEEDED: { text: 'Done', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
}

export const METHODS: Record<NonNullable<Movement['method']>, Word> = {
  CREDIT_CARD: 'Card',
  BOLETO: 'Boleto',
  PIX: 'Pix',
  EXTERNAL: 'Outside Cofre',
}

export const MOVEMENTS: Record<Movement['kind'], Badge> = {
  PAYMENT: { text: 'Payment', mood: 'good' },
  REFUND: { text: 'Refund', mood: 'quiet' },
  RETURN: { text: 'Return', mood: 'quiet' },
  WRITE_OFF: { text: 'Write-off', mood: 'quiet' },
  DISPUTE: { text: 'Taken back by a dispute', mood: 'bad' },
  DISPUTE_WON: { text: 'Won back', mood: 'good' },
}

const GONE: ReadonlySet<Movement['kind']> = new Set(['REFUND', 'RETURN', 'DISPUTE'])

/** What moved: money that went has a minus, and a write-off moved none. */
export function movedIn({ kind, amountInCents }: Movement): Value {
  if (kind === 'WRITE_OFF') return null
  return reais(GONE.has(kind) ? -amountInCents : amountInCents)
}

/** How money moved that did not pass through Cofre, as its seller recorded it. */
export const EXTERNAL: Readonly<Record<string, Word>> = {
  CASH: 'Cash',
  TRANSFER: 'Bank transfer',
  OTHER_PROVIDER: 'Another provider',
}

export function methodOf({ method, note }: Movement): Value {
  const external = method === 'EXTERNAL' ? EXTERNAL[note ?? ''] : undefined
  return method && word(external ?? METHODS[method])
}

/** What was written down of a movement: the seller's reference and words. */
export function wordsOf({ method, note, reference, reason }: Movement): Value[] {
  const own = method === 'EXTERNAL' && note !== null && note in EXTERNAL ? null : note
  const why = reason && reason !== 'BY_SELLER' ? word(WRITE_OFFS[reason]) : null
  return [reference, why, own].filter((each) => each !== null)
}

const WRITE_OFFS: Record<Exclude<NonNullable<Movement['reason']>, 'BY_SELLER'>, Word> = {
  LATENESS_WAIVED: 'Fine and interest were waived',
  NOT_ASKED: 'The payer was asked for less',
  EARLY_PAYMENT_DISCOUNT: 'Discount for an early payment',
}

export const BOLETO_STATUSES: Record<z.output<typeof boletoSchema>['status'], Badge> = {
  PENDING: { text: 'Being registered', mood: 'waiting' },
  REGISTERED: { text: 'Registered', mood: 'waiting' },
  PAID: { text: 'Settled', mood: 'good' },
  CANCELLED: { text: 'Withdrawn at the bank', mood: 'quiet' },
  EXPIRED: { text: 'Expired', mood: 'quiet' },
}

export const REFUND_STATUSES: Record<z.output<typeof invoiceRefundSchema>['status'], Badge> = {
  PENDING: { text: 'Waiting for the bank', mood: 'waiting' },
  SUCCEEDED: { text: 'Done', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
}

export const RECEIPT_REASONS: Record<
  NonNullable<z.output<typeof unexpectedReceiptSchema>['reason']>,
  Word
> = {
  UNDERPAID: 'Less than was asked for',
  OVERPAID: 'More than was asked for',
  ALREADY_PAID: 'The invoice was paid already',
  INVOICE_VOIDED: 'The invoice was voided',
  AFTER_EXPIRY: 'Paid after the last day',
  UNKNOWN_BOLETO: 'No boleto has this number',
  UNKNOWN_PIX: 'No Pix charge asked for it',
}
