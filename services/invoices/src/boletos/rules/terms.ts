import { businessDayFrom } from '@cofre/platform/business-day'
import { addDays, dayOf, daysBetween, momentOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { discountOn, discountsOf } from '../../invoice/rules/discounts'
import { fineOf, interestOf, lateChargesOf } from '../../invoice/rules/late-charges'
import { lateFromOf, latenessOf } from '../../invoice/rules/lateness'
import {
  DAYS_AFTER_DUE_DATE,
  isWindowClosed,
  notAccepted,
  windowClosed,
  type Payable,
} from '../../invoice/rules/payment-window'
import { settingsOf } from '../../methods/methods'
import { MAX_BOLETO_AMOUNT } from './barcode'
import type { Terms } from './boleto'
import { canBeRead } from './due-factor'

/**
 * The terms of a slip made at a moment (epoch milliseconds). Before the invoice is late, the slip asks for its amount
 * by the due date; the bank adds fine and interest. After that it asks for all that is payable today or on the next
 * business day. It is valid on that day alone. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED.
 */
export function termsOf(given: Payable, at: number): Terms {
  const today = dayOf(at)
  // A draft is issued with its slip.
  const invoice = given.status === 'OPEN' ? { ...given, ...latenessOf(given, today) } : given
  const settings = settingsOf(invoice.acceptedMethods, 'BOLETO')
  if (!settings) throw notAccepted('The invoice does not accept boletos.')
  const { paymentLimitDate: limit } = invoice
  if (isWindowClosed(invoice, at)) throw windowClosed()
  const terms =
    today < invoice.lateOn
      ? inTime(invoice, settings.daysAfterDueDate ?? DAYS_AFTER_DUE_DATE)
      : late(invoice, today)
  const payableUntil = limit === null ? terms.payableUntil : earlier(terms.payableUntil, dayOf(limit))
  // The bank accepts no slip that falls due after its last day.
  const dueDay = earlier(terms.dueDay, payableUntil)
  if (payableUntil < today) throw windowClosed()
  checkPrintable({ amount: terms.amount, dueDay }, today)
  const discounts = today < invoice.lateOn ? discountsOf(invoice, [today, dueDay]) : []
  return { ...terms, dueDay, payableUntil, discounts, instructions: settings.instructions ?? [] }
}

/** The amount that a slip asks for on a day, cents: with what is registered with the bank for who is early, or late. */
export function askedOn(terms: Omit<Terms, 'instructions' | 'payableUntil'>, day: CalendarDay): number {
  const days = day >= terms.lateOn ? daysBetween(terms.dueDay, day) : 0
  const charges = fineOf(terms.amount, terms.fine, days) + interestOf(terms.amount, terms.interest, days)
  return terms.amount + charges - discountOn(terms.discounts, day)
}

function inTime(
  { open: { principal: amount }, fine, interest, ...due }: Payable,
  daysAfterDueDate: number,
): Omit<Terms, 'instructions' | 'discounts'> {
  const { lateOn } = due
  const dueDay = lateFromOf(due)
  const allowed = addDays(dueDay, daysAfterDueDate)
  // A slip that is due on a weekend or holiday is not late on the next business day (Lei 7.089/1983). Banks date what is
  // paid on a weekend on the business day after it: a slip does not end before that.
  const payableUntil = businessDayFrom(later(allowed, addDays(lateOn, -1)))
  return { dueDay, lateOn, payableUntil, amount, fine, interest }
}

function late(invoice: Payable, today: CalendarDay): Omit<Terms, 'instructions' | 'discounts'> {
  const day = businessDayFrom(today)
  const { payableAmount: amount } = lateChargesOf(invoice, momentOf(`${day}T12:00`))
  return { dueDay: day, lateOn: addDays(day, 1), payableUntil: day, amount, fine: null, interest: null }
}

function checkPrintable({ amount, dueDay }: Pick<Terms, 'amount' | 'dueDay'>, today: CalendarDay): void {
  if (amount < 1) throw notAccepted('The amount of a boleto is at least R$ 0.01.')
  if (amount > MAX_BOLETO_AMOUNT) throw notAccepted('The amount of a boleto is at most R$ 99,999,999.99.')
  if (!canBeRead(dueDay, today)) throw notAccepted('The due date is too far in the future for a barcode.')
}

function earlier(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one < other ? one : other
}

function later(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one > other ? one : other
}
