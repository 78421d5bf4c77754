import { dayOf, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { WholeInvoice } from '../invoice/rules/invoice'
import type { Paid } from '../invoice/rules/money'
import { discountAt } from '../invoice/rules/discounts'
import { owedAt } from '../invoice/rules/late-charges'
import { sumOf } from '../invoice/rules/movement'
import type { Ask, BankReceipt } from '../methods/ask'
import type { ReceiptReason } from './receipt'

/** Each bank rounds fine and interest in its own way: a cent each. */
const ROUNDING_MAX = 2

/**
 * The placement of money. `paid`: the part that the invoice takes, cents; 0 when it takes nothing. `rest`: what becomes
 * of what it does not cover. `askedAt`: the moment of which the bank asked the payer for the amount.
 */
export type Placement = {
  paid: number
  askedAt: number
  rest: Paid['rest']
  unexpected: number
  reason: ReceiptReason | null
}

/** Whether fine and interest that a payment leaves out are waived, or asked for. */
export type Lateness = 'WAIVE' | 'DEMAND'

/**
 * The moment of which the bank asked for an amount: when the money came, or the day before. Banks settle seconds after
 * midnight what a payer was asked for before it. That day is believed only where the bank's own words make up the amount
 * from that of the ask, and the ask has the same amount on that day.
 */
function askedAt(ask: Ask, { amount, original, paidAt }: BankReceipt): number {
  const day = dayOf(paidAt)
  const isPayableOn = (on: CalendarDay) => on <= ask.payableUntil && amount === ask.dueOn(on)
  const before = startOf(day) - 1
  return original === ask.amount && !isPayableOn(day) && isPayableOn(dayOf(before)) ? before : paidAt
}

/**
 * Places money that came in for an ask. The invoice takes what was due on the day of which the bank asked for it. Money that
 * covers the principal alone pays it where lateness is waived: banks and their holidays differ. Less is taken where the
 * invoice takes parts; else it waits for a person, as does what is too much.
 */
export function place(ask: Ask, invoice: WholeInvoice, receipt: BankReceipt, lateness: Lateness): Placement {
  const { amount } = receipt
  const at = askedAt(ask, receipt)
  const none = (reason: ReceiptReason): Placement => {
    return { paid: 0, askedAt: at, rest: 'OWED', unexpected: amount, reason }
  }
  const took = (rest: Paid['rest']): Placement => {
    return { paid: amount, askedAt: at, rest, unexpected: 0, reason: null }
  }
  if (invoice.status === 'PAID') return none('ALREADY_PAID')
  if (invoice.status === 'CANCELLED') return none('INVOICE_VOIDED')
  const day = dayOf(at)
  if (day > ask.payableUntil) return none('AFTER_EXPIRY')
  const asked = ask.dueOn(day)
  // An ask from before other money came or went asks for another amount than is owed now.
  const owed = owedAt(invoice, at)
  const isUntouched = invoice.paidAmount === 0 && invoice.writtenOffAmount === 0
  const discount = discountAt(invoice, at)?.amount ?? 0
  const isWhole = ask.isCurrent || isUntouched
  const due = isWhole ? asked : sumOf(owed) - discount
  if (isWhole && ask.isAgreed && amount === asked)
    return took(amount < owed.principal ? 'EARLY_PAYMENT_DISCOUNT' : 'LATENESS_WAIVED')
  // Nobody but the seller waives the principal, however little the ask asked for.
  if (amount < owed.principal - discount) return invoice.partialPayments ? took('OWED') : none('UNDERPAID')
  const rounding = asked > ask.amount ? ROUNDING_MAX : 0
  if (Math.abs(amount - due) <= rounding) return took('LATENESS_WAIVED')
  if (amount > due)
    return { paid: due, askedAt: at, rest: 'LATENESS_WAIVED', unexpected: amount - due, reason: 'OVERPAID' }
  if (lateness === 'WAIVE') return took('LATENESS_WAIVED')
  return invoice.partialPayments ? took('OWED') : none('UNDERPAID')
}
