import { DomainError } from '@cofre/platform/errors'
import { businessDayFrom } from '../invoice/business-day'
import { addDays, dayOf, daysBetween, startOf, type CalendarDay } from '../invoice/calendar-day'
import type { AcceptedMethod, Invoice } from '../invoice/invoice'
import { fineOf, interestOf, lateChargesOf } from '../invoice/late-charges'
import { MAX_BOLETO_AMOUNT } from './barcode'
import type { Terms } from './boleto'
import { canBeRead } from './due-factor'

/** How long after the due date a slip is payable when the invoice does not say. */
const DAYS_AFTER_DUE_DATE = 30
/** Noon in São Paulo: it is the same day at every offset that a year may have. */
const NOON = '12:00:00-03:00'

type Asked = Pick<
  Invoice,
  'status' | 'amount' | 'fine' | 'interest' | 'dueDate' | 'lateOn' | 'paymentLimitDate' | 'acceptedMethods'
>

/**
 * The terms of a slip made at a moment (epoch milliseconds). Before the invoice is late, the slip asks for its amount
 * by the due date; the bank adds fine and interest. After that it asks for all that is payable today or on the next
 * business day. It is valid on that day alone. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED.
 */
export function termsOf(invoice: Asked, at: number): Terms {
  const settings = boletoSettings(invoice)
  const { paymentLimitDate: limit } = invoice
  if (limit !== null && at > limit) throw windowClosed()
  const today = dayOf(at)
  const terms = today < invoice.lateOn ? inTime(invoice, settings.daysAfterDueDate) : late(invoice, today)
  const payableUntil = limit === null ? terms.payableUntil : earlier(terms.payableUntil, dayOf(limit))
  // The bank accepts no slip that falls due after its last day.
  const dueDay = earlier(terms.dueDay, payableUntil)
  if (payableUntil < today) throw windowClosed()
  checkPrintable({ amount: terms.amount, dueDay }, today)
  return { ...terms, dueDay, payableUntil, instructions: settings.instructions }
}

/** Whether banks still accept a slip at a moment (epoch milliseconds). */
export function stillHolds({ payableUntil }: Pick<Terms, 'payableUntil'>, at: number): boolean {
  return dayOf(at) <= payableUntil
}

/** The amount that a slip asks for on a day, cents. A late slip adds the fine and interest registered with the bank. */
export function askedOn(terms: Omit<Terms, 'instructions' | 'payableUntil'>, day: CalendarDay): number {
  const days = day >= terms.lateOn ? daysBetween(terms.dueDay, day) : 0
  return (
    terms.amount + fineOf(terms.amount, terms.fine, days) + interestOf(terms.amount, terms.interest, days)
  )
}

function inTime(
  { dueDate, lateOn, amount, fine, interest }: Asked,
  daysAfterDueDate: number | null,
): Omit<Terms, 'instructions'> {
  const dueDay = dayOf(dueDate)
  const allowed = addDays(dueDay, daysAfterDueDate ?? DAYS_AFTER_DUE_DATE)
  // A slip that is due on a weekend or holiday is not late on the next business day (Lei 7.089/1983).
  const payableUntil = later(allowed, addDays(lateOn, -1))
  return { dueDay, lateOn, payableUntil, amount, fine, interest }
}

function late(invoice: Asked, today: CalendarDay): Omit<Terms, 'instructions'> {
  const day = businessDayFrom(today)
  const { payableAmount: amount } = lateChargesOf(invoice, Date.parse(`${day}T${NOON}`))
  return { dueDay: day, lateOn: addDays(day, 1), payableUntil: day, amount, fine: null, interest: null }
}

function boletoSettings({ acceptedMethods }: Asked): Omit<AcceptedMethod & { method: 'BOLETO' }, 'method'> {
  if (acceptedMethods === null) return { daysAfterDueDate: null, instructions: [] }
  const settings = acceptedMethods.find((accepted) => accepted.method === 'BOLETO')
  if (settings?.method !== 'BOLETO') throw notAccepted('The invoice does not accept boletos.')
  return settings
}

function checkPrintable({ amount, dueDay }: Pick<Terms, 'amount' | 'dueDay'>, today: CalendarDay): void {
  if (amount < 1) throw notAccepted('The amount of a boleto is at least R$ 0.01.')
  if (amount > MAX_BOLETO_AMOUNT) throw notAccepted('The amount of a boleto is at most R$ 99,999,999.99.')
  if (!canBeRead(dueDay, today)) throw notAccepted('The due date is too far in the future for a barcode.')
}

export function notAccepted(message: string): DomainError {
  return new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
}

function windowClosed(): DomainError {
  const message = 'The invoice can no longer be paid: its paymentLimitDate has passed.'
  return new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', message)
}

function earlier(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one < other ? one : other
}

function later(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one > other ? one : other
}

/** The last moment of a day in America/Sao_Paulo, epoch milliseconds. */
export function endOf(day: CalendarDay): number {
  return startOf(addDays(day, 1)) - 1
}
