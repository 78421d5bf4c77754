import { lastBusinessDayBy } from '@cofre/platform/business-day'
import { addDays, dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { FieldError } from '@cofre/platform/errors'
import type { DatedDiscount } from '../../methods/rules/registered-ask'
import { fault, throwFaults } from '../../request-check'
import type { Discount, Invoice } from './invoice'
import { lateFromOf, latenessOf } from './lateness'

const WHOLE_BPS = 10_000n

type Discounted = Pick<Invoice, 'amount' | 'discounts' | 'open' | 'dueDate' | 'lateFrom'>

/**
 * The discounts that an ask of all that is owed can still get from a day on, as banks are given them. `last`: the last
 * day of any of them. Each ends on a business day: banks move a due date, but not the day of a discount, and they date
 * the money of a weekend on the business day after it. Something is left to pay.
 */
export function discountsOf(
  { amount: total, discounts, open, ...due }: Discounted,
  [first, last]: readonly [CalendarDay, CalendarDay],
): DatedDiscount[] {
  const dated = discounts.map((each) => {
    const day = lastBusinessDayBy(addDays(lateFromOf(due), -each.daysBeforeDueDate))
    const until = day < last ? day : last
    return { until, amount: Math.min(discountOf(total, each), open.principal - 1) }
  })
  const kept: DatedDiscount[] = []
  // Who has longer for as much needs no other discount. A bank takes one for each day.
  for (const each of dated.toSorted(lastFirst)) {
    if (each.until >= first && each.amount > (kept[0]?.amount ?? 0)) kept.unshift(each)
  }
  return kept
}

function lastFirst(one: DatedDiscount, other: DatedDiscount): number {
  if (one.until === other.until) return other.amount - one.amount
  return one.until < other.until ? 1 : -1
}

/** The discount of an invoice for who pays all that is owed at a moment (epoch milliseconds). Undefined: none. */
export function discountAt(
  invoice: Discounted & Pick<Invoice, 'status' | 'lateOn'>,
  at: number,
): DatedDiscount | undefined {
  const { status } = invoice
  if (status === 'PAID' || status === 'CANCELLED') return undefined
  const today = dayOf(at)
  // A draft is issued with its payment.
  const issued = status === 'OPEN' ? { ...invoice, ...latenessOf(invoice, today) } : invoice
  // Stryker disable next-line all: no discount lasts so long, and most invoices that are read are late or paid
  if (today >= issued.lateOn) return undefined
  return discountsOf(issued, [today, issued.lateOn])[0]
}

/** What an ask costs less on a day, cents. */
export function discountOn(discounts: readonly DatedDiscount[], day: CalendarDay): number {
  return discounts.find(({ until }) => day <= until)?.amount ?? 0
}

/** A discount of a total, cents: down to the cent, so that nobody gets more than was promised. */
export function discountOf(total: number, { amountInCents, percentageBps }: Discount): number {
  return amountInCents ?? Number((BigInt(total) * BigInt(percentageBps ?? 0)) / WHOLE_BPS)
}

/**
 * Throws VALIDATION_FAILED for discounts that leave nothing of a total (cents), have the same days, or do not grow with
 * the days: nobody would pay earlier for them.
 */
export function checkDiscounts(discounts: readonly Discount[], total: number): void {
  throwFaults(
    discounts.flatMap((discount, place) => {
      const others = discounts.filter((other) => other !== discount)
      return discountFaults(discount, others, { at: `#/discounts/${place}`, total })
    }),
  )
}

function discountFaults(
  discount: Discount,
  others: readonly Discount[],
  { at, total }: { at: string; total: number },
): FieldError[] {
  const { daysBeforeDueDate: days, amountInCents } = discount
  const amount = discountOf(total, discount)
  const pointer = `${at}/${amountInCents === null ? 'percentage' : 'amountInCents'}`
  if (amount >= total) return [fault(pointer, 'RANGE', 'must leave something of the total')]
  if (others.some((other) => other.daysBeforeDueDate === days)) {
    return [fault(`${at}/daysBeforeDueDate`, 'UNIQUE', 'must be another for each discount')]
  }
  const later = others.filter((other) => other.daysBeforeDueDate < days)
  if (later.every((other) => discountOf(total, other) < amount)) return []
  return [fault(pointer, 'RANGE', 'must be more than a discount with fewer days')]
}
