import { addDays, dayOf, daysBetween, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { lastBusinessDayBy } from '@cofre/platform/business-day'
import { discountOn, discountsOf } from '../../invoice/rules/discounts'
import { lateChargesOf, owedAt } from '../../invoice/rules/late-charges'
import { lateFromOf, latenessOf } from '../../invoice/rules/lateness'
import { sumOf } from '../../invoice/rules/movement'
import {
  DAYS_AFTER_DUE_DATE,
  isWindowClosed,
  notAccepted,
  windowClosed,
  type Payable,
} from '../../invoice/rules/payment-window'
import { settingsOf } from '../../methods/methods'
import type { PixTerms } from './pix-charge'

/**
 * The terms of a Pix charge made at a moment (epoch milliseconds). Payers' banks add fine and interest from amounts, not
 * from our rules: a charge with a due date ends before the first day on which these would differ. Otherwise an immediate
 * charge asks for what is payable today. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED.
 */
export function pixTermsOf(given: Payable, at: number): PixTerms {
  const today = dayOf(at)
  // A draft is issued with its charge.
  const lateness = given.status === 'OPEN' ? latenessOf(given, today) : given
  const invoice: Payable = { ...given, ...lateness, status: 'CLOSED' }
  const settings = settingsOf(invoice.acceptedMethods, 'PIX')
  if (!settings) throw notAccepted('The invoice does not accept Pix.')
  if (isWindowClosed(invoice, at)) throw windowClosed()
  const days = settings.daysAfterDueDate ?? DAYS_AFTER_DUE_DATE
  const inTime = today < invoice.lateOn ? withDueDay(invoice, days, today) : undefined
  const terms = inTime && inTime.payableUntil >= today ? inTime : immediate(payableOn(invoice, today), today)
  if (terms.amount < 1) throw notAccepted('The amount of a Pix charge is at least R$ 0.01.')
  return terms
}

/** The amount that a charge asks for on a day, cents. */
export function pixAskedOn(terms: PixTerms, day: CalendarDay): number {
  const { amount, dueDay, lateFine, interestOfDay, discounts } = terms
  if (dueDay === null || day <= dueDay) return amount - discountOn(discounts, day)
  return amount + lateFine + interestOfDay * daysBetween(dueDay, day)
}

function immediate(amount: number, today: CalendarDay): PixTerms {
  return { amount, dueDay: null, lateFine: 0, interestOfDay: 0, discounts: [], payableUntil: today }
}

/**
 * The due day is the last one without lateness. It is a business day: no bank moves it. Our interest counts from the
 * original day, so the fine has that of the days between.
 */
function withDueDay(invoice: Payable, daysAfterDueDate: number, today: CalendarDay): PixTerms {
  const lastDay = addDays(invoice.lateOn, -1)
  const amount = owedOn(invoice, lastDay)
  const first = owedOn(invoice, invoice.lateOn) - amount
  const step = owedOn(invoice, addDays(invoice.lateOn, 1)) - amount - first
  // What begins later than it begins to grow has no amounts in a charge: that ends before.
  const interestOfDay = step <= first ? step : 0
  const terms = { amount, dueDay: lastDay, lateFine: first - interestOfDay, interestOfDay, discounts: [] }
  const allowed = later(addDays(lateFromOf(invoice), daysAfterDueDate), lastDay)
  const payableUntil = lastExactDay(invoice, { ...terms, payableUntil: limited(invoice, allowed) })
  const dueDay = earlier(lastDay, payableUntil)
  return { ...terms, dueDay, payableUntil, discounts: discountsOf(invoice, [today, dueDay]) }
}

/** The last business day by which banks ask for what the invoice asks for. Banks move a last day that is none. */
function lastExactDay(invoice: Payable, terms: PixTerms): CalendarDay {
  let last = terms.dueDay ?? terms.payableUntil
  while (last < terms.payableUntil) {
    const next = addDays(last, 1)
    if (pixAskedOn(terms, next) !== owedOn(invoice, next)) break
    last = next
  }
  return lastBusinessDayBy(earlier(last, terms.payableUntil))
}

function owedOn(invoice: Payable, day: CalendarDay): number {
  return sumOf(owedAt(invoice, startOf(day)))
}

function payableOn(invoice: Payable, day: CalendarDay): number {
  return lateChargesOf(invoice, startOf(day)).payableAmount
}

function limited({ paymentLimitDate: limit }: Payable, day: CalendarDay): CalendarDay {
  return limit === null ? day : earlier(day, dayOf(limit))
}

function earlier(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one < other ? one : other
}

function later(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one > other ? one : other
}
