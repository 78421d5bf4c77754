import { DomainError } from '@cofre/platform/errors'
import { addDays, dayOf, momentOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { MovementMethod } from '../../invoice/rules/movement'
import type { Invoice, InvoiceStatus, WholeInvoice } from '../../invoice/rules/invoice'
import { lateFromOf } from '../../invoice/rules/lateness'
import { isWindowClosed } from '../../invoice/rules/payment-window'

/**
 * ISSUED asks for payment, and REMINDER asks again, before or after the due date. RECEIPT confirms a payment. RETRY_PLANNED says that
 * the card was declined and is charged again, DECLINED that it could not be charged, NOT_COLLECTED that Pix Automático could not collect it, GIVEN_BACK that a charge of it was given back.
 * REFUNDED says that money that paid it went back, VOIDED that nobody need pay it. BOOKLET asks for all of a booklet, whose first invoice it is of.
 */
export type EmailKind =
  | 'ISSUED'
  | 'REMINDER'
  | 'RECEIPT'
  | 'DECLINED'
  | 'NOT_COLLECTED'
  | 'GIVEN_BACK'
  | 'REFUNDED'
  | 'VOIDED'
  | 'BOOKLET'
  | 'RETRY_PLANNED'
/** What an invoice itself calls for; the others report what happened to it. */
export type InvoiceEmailKind = Extract<EmailKind, 'ISSUED' | 'REMINDER' | 'RECEIPT'>
/** Those that ask for payment. */
export type AskingKind = Extract<
  EmailKind,
  'ISSUED' | 'REMINDER' | 'DECLINED' | 'NOT_COLLECTED' | 'BOOKLET' | 'RETRY_PLANNED'
>
/** What REFUNDED tells. `amount`: cents, what the payer gets. `at`: epoch milliseconds. `isWhole`: of all that was paid. */
export type RefundFacts = { amount: number; method: MovementMethod | null; at: number; isWhole: boolean }
export type Language = 'pt-BR' | 'en'
/** REFUSED: by the mail server, for good. OUTDATED: no longer true when it was due. EXPIRED: never got through. */
export type EmailStatus = 'WAITING' | 'SENT' | 'REFUSED' | 'OUTDATED' | 'EXPIRED'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** How long a mail server may be away before e-mails are given up (RFC 5321, 4.5.4.1: four to five days). */
export const GIVE_UP_MS = 5 * DAY_MS
/** How often an invoice may be mailed by hand: nobody is pestered, and a stolen token sends no letters without end. */
export const BY_HAND = { most: 5, withinMs: HOUR_MS } as const

const STILL_TRUE: Record<EmailKind, readonly InvoiceStatus[]> = {
  ISSUED: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
  REMINDER: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
  RECEIPT: ['PAID'],
  DECLINED: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
  NOT_COLLECTED: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE'],
  GIVEN_BACK: ['OPEN', 'CLOSED', 'UNCOLLECTIBLE', 'PAID', 'CANCELLED'],
  REFUNDED: ['CLOSED', 'UNCOLLECTIBLE', 'PAID', 'CANCELLED'],
  VOIDED: ['CANCELLED'],
  BOOKLET: ['CLOSED'],
  RETRY_PLANNED: ['CLOSED'],
}

/** The e-mail for an invoice at a moment. INVALID_INVOICE_STATE, PAYMENT_WINDOW_CLOSED when there is none. */
export function kindOf(invoice: Invoice, at: number): InvoiceEmailKind {
  if (invoice.status === 'PAID') return 'RECEIPT'
  const kind = dayOf(at) >= lateFromOf(invoice) ? 'REMINDER' : 'ISSUED'
  if (!STILL_TRUE[kind].includes(invoice.status)) throw cancelled()
  if (isTrue(kind, invoice, at)) return kind
  throw new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', 'The invoice can no longer be paid.')
}

/** Whether an e-mail is still true: nobody is asked to pay an invoice that is paid or can't be paid. */
export function isTrue(
  kind: EmailKind,
  invoice: Pick<Invoice, 'status' | 'paymentLimitDate'> & Partial<Pick<WholeInvoice, 'automaticCharge'>>,
  at: number,
): boolean {
  const isOpen = !asksToPay(kind) || !isWindowClosed(invoice, at)
  const charging = invoice.automaticCharge?.status ?? ''
  if (kind === 'RETRY_PLANNED' && charging !== 'WAITING' && charging !== 'TRYING') return false
  return isOpen && STILL_TRUE[kind].includes(invoice.status)
}

const ASKING: ReadonlySet<EmailKind> = new Set<AskingKind>([
  'ISSUED',
  'REMINDER',
  'DECLINED',
  'NOT_COLLECTED',
  'BOOKLET',
  'RETRY_PLANNED',
])

/** Whether a letter asks for payment. The others report what happened. */
export function asksToPay(kind: EmailKind): kind is AskingKind {
  return ASKING.has(kind)
}

/** Letters leave in the morning, when they are read. */
const AT_09_00 = 'T09:00'

/** When letters leave on a day, epoch milliseconds. */
export function morningOf(day: CalendarDay): number {
  return momentOf(`${day}${AT_09_00}`)
}

/** When a letter leaves that waits for another day, epoch milliseconds. */
export function nextMorning(at: number): number {
  return morningOf(addDays(dayOf(at), 1))
}

/** When an e-mail that was tried `asks` times is tried again. The wait doubles after each attempt, up to an hour. */
export function nextTry(at: number, asks: number, firstMs: number): number {
  return at + Math.min(firstMs * 2 ** Math.min(asks - 1, 30), HOUR_MS)
}

function cancelled(): DomainError {
  const members = { currentStatus: 'CANCELLED', allowedActions: [] }
  const message = 'A CANCELLED invoice cannot be sent by e-mail.'
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message, { members })
}
