import { startOf } from '@cofre/platform/calendar-day'
import { MAX_AMOUNT } from '@cofre/platform/money'
import { discountAt } from './discounts'
import type { Fine, Interest, Invoice } from './invoice'
import { daysLate } from './lateness'

const WHOLE_BPS = 10_000n
/** A month's interest is spread over 30 days, in every month (facts of the trade: pro rata die, 30 days). */
const DAYS_OF_A_MONTH = 30n

/**
 * The fine and interest of an invoice at a moment, and all that is payable, less a discount; `discountUntil`: the start
 * of its last day. Cents, epoch milliseconds.
 */
export type LateCharges = {
  fineAmount: number
  interestAmount: number
  discountAmount: number
  discountUntil: number | undefined
  payableAmount: number
}

/** What an invoice is still owed, cents. `principal`: of the sum of its items. */
export type Owed = { principal: number; fine: number; interest: number }

type Late = Pick<Invoice, 'status' | 'fine' | 'interest' | 'dueDate' | 'lateFrom' | 'lateOn' | 'open'>

/** The amounts to pay at a moment (epoch milliseconds): nothing once an invoice is PAID or CANCELLED. */
export function lateChargesOf(
  invoice: Late & Pick<Invoice, 'amount' | 'discounts'>,
  at: number,
): LateCharges {
  const { principal, fine: fineAmount, interest: interestAmount } = owedAt(invoice, at)
  const discount = discountAt(invoice, at)
  const discountAmount = discount?.amount ?? 0
  return {
    fineAmount,
    interestAmount,
    discountAmount,
    discountUntil: discount && startOf(discount.until),
    payableAmount: principal + fineAmount + interestAmount - discountAmount,
  }
}

/**
 * What an invoice is owed at a moment (epoch milliseconds). Fine and interest are of the principal that is still open;
 * what they were on the day of an earlier payment, less what it paid of them, is kept in `open`.
 */
export function owedAt(invoice: Late, at: number): Owed {
  const { status, open, fine, interest } = invoice
  if (status === 'PAID' || status === 'CANCELLED') return { principal: 0, fine: 0, interest: 0 }
  const { principal, countedTo } = open
  const counted = countedTo === null ? 0 : daysLate(invoice, startOf(countedTo))
  const days = Math.max(daysLate(invoice, at), counted)
  const newFine = fineOf(principal, fine, days) - fineOf(principal, fine, counted)
  const newInterest = interestOf(principal, interest, days) - interestOf(principal, interest, counted)
  // Together they never exceed the largest amount, so that the total can be paid.
  const fineAmount = Math.min(open.fine + newFine, MAX_AMOUNT - principal)
  const interestAmount = Math.min(open.interest + newInterest, MAX_AMOUNT - principal - fineAmount)
  return { principal, fine: fineAmount, interest: interestAmount }
}

/** One fine on the principal, half up to the cent (Código de Defesa do Consumidor, art. 52 § 1: 2 % is the custom). */
export function fineOf(amount: number, fine: Fine | null, days: number): number {
  if (!fine || days < fine.startsAfterDays) return 0
  if (fine.amountInCents !== null) return fine.amountInCents
  return halfUp(BigInt(amount) * BigInt(fine.percentageBps ?? 0), WHOLE_BPS)
}

/** Simple interest on the principal alone, the same cents for each day from the `startsAfterDays`th on. */
export function interestOf(amount: number, interest: Interest | null, days: number): number {
  if (!interest || days < interest.startsAfterDays) return 0
  return interestOfDay(amount, interest) * (days - interest.startsAfterDays + 1)
}

/**
 * The interest of one day, 1/30 of the month's, down to the cent (Código Civil, arts. 406 and 407; 1 % a month is the
 * custom). The slip prints it and the bank is given it, so no sum of days is rounded again. Rounded up, it could exceed
 * what the customer agreed to: R$ 15,00 at 1 % would cost 2 % a month.
 */
export function interestOfDay(amount: number, interest: Interest): number {
  if (interest.dailyAmountInCents !== null) return interest.dailyAmountInCents
  const ofMonth = BigInt(amount) * BigInt(interest.monthlyPercentageBps ?? 0)
  return Number(ofMonth / (WHOLE_BPS * DAYS_OF_A_MONTH))
}

/** Divides bigints: a large principal times basis points exceeds the range of safe numbers. */
function halfUp(dividend: bigint, divisor: bigint): number {
  return Number((2n * dividend + divisor) / (2n * divisor))
}
