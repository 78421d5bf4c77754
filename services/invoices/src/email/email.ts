import { DomainError } from '@cofre/platform/errors'
import { dayOf } from '../invoice/calendar-day'
import type { Invoice, InvoiceStatus } from '../invoice/invoice'

/**
 * What an e-mail tells a customer: what is to be paid; the same from the due date on; what was paid; that the card could
 * not be charged.
 */
export type EmailKind = 'ISSUED' | 'REMINDER' | 'RECEIPT' | 'DECLINED'
export type Language = 'pt-BR' | 'en'
/** REFUSED: by the mail server, for good. OUTDATED: no longer true when its turn came. EXPIRED: never got through. */
export type EmailStatus = 'WAITING' | 'SENT' | 'REFUSED' | 'OUTDATED' | 'EXPIRED'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** How long a mail server may be away before e-mails are given up (RFC 5321, 4.5.4.1: four to five days). */
export const GIVE_UP_MS = 5 * DAY_MS
/** How often an invoice is mailed by hand: nobody is pestered, and no stolen token sends letters without end. */
export const BY_HAND = { most: 5, withinMs: HOUR_MS } as const

const STILL_TRUE: Record<EmailKind, readonly InvoiceStatus[]> = {
  ISSUED: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
  REMINDER: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
  RECEIPT: ['PAID'],
  DECLINED: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
}

/** Which e-mail tells of an invoice at a moment. INVALID_INVOICE_STATE, PAYMENT_WINDOW_CLOSED where there is none. */
export function kindOf(invoice: Invoice, at: number): Exclude<EmailKind, 'DECLINED'> {
  if (invoice.status === 'PAID') return 'RECEIPT'
  const kind = dayOf(at) >= dayOf(invoice.dueDate) ? 'REMINDER' : 'ISSUED'
  if (!STILL_TRUE[kind].includes(invoice.status)) throw cancelled()
  if (isTrue(kind, invoice, at)) return kind
  throw new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', 'The invoice can no longer be paid.')
}

/** Whether an e-mail still holds when its turn comes: nobody is asked for what was paid, or can't be paid. */
export function isTrue(
  kind: EmailKind,
  { status, paymentLimitDate }: Pick<Invoice, 'status' | 'paymentLimitDate'>,
  at: number,
): boolean {
  const isOpen = kind === 'RECEIPT' || paymentLimitDate === null || at <= paymentLimitDate
  return isOpen && STILL_TRUE[kind].includes(status)
}

/** When an e-mail is tried again that was tried `asks` times: twice as long after each, up to an hour. */
export function nextTry(at: number, asks: number, firstMs: number): number {
  return at + Math.min(firstMs * 2 ** Math.min(asks - 1, 30), HOUR_MS)
}

function cancelled(): DomainError {
  const members = { currentStatus: 'CANCELLED', allowedActions: [] }
  const message = 'A CANCELLED invoice cannot be sent by e-mail.'
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}
