import { MAX_AMOUNT } from '@cofre/platform/money'
import type { Fine, Interest, Invoice } from './invoice'
import { daysLate } from './lateness'

const WHOLE_BPS = 10_000n
/** A month's interest is spread over 30 days, in every month (facts of the trade: pro rata die, 30 days). */
const DAYS_OF_A_MONTH = 30n

/** The fine and interest of an invoice at a moment, and all that is payable. Cents. */
export type LateCharges = { fineAmount: number; interestAmount: number; payableAmount: number }

/** The amounts to pay at a moment (epoch milliseconds): nothing once an invoice is PAID or CANCELLED. */
export function lateChargesOf(
  invoice: Pick<Invoice, 'status' | 'amount' | 'fine' | 'interest' | 'dueDate' | 'lateOn'>,
  at: number,
): LateCharges {
  const { status, amount, fine, interest } = invoice
  if (status === 'PAID' || status === 'CANCELLED') {
    return { fineAmount: 0, interestAmount: 0, payableAmount: 0 }
  }
  const days = daysLate(invoice, at)
  // Together they never exceed the largest amount, so that the total can be paid.
  const fineAmount = Math.min(fineOf(amount, fine, days), MAX_AMOUNT - amount)
  const interestAmount = Math.min(interestOf(amount, interest, days), MAX_AMOUNT - amount - fineAmount)
  return { fineAmount, interestAmount, payableAmount: amount + fineAmount + interestAmount }
}

/** One fine on the principal, half up to the cent (Código de Defesa do Consumidor, art. 52 § 1: 2 % is the custom). */
export function fineOf(amount: number, fine: Fine | null, days: number): number {
  if (!fine || days < fine.startsAfterDays) return 0
  if (fine.amountInCents !== null) return fine.amountInCents
  return halfUp(BigInt(amount) * BigInt(fine.percentageBps ?? 0), WHOLE_BPS)
}

/**
 * Simple interest on the principal alone for each day since the due date, 1/30 of the month's. The sum is rounded half
 * up to the cent (Código Civil, arts. 406 and 407; 1 % a month is the custom).
 */
export function interestOf(amount: number, interest: Interest | null, days: number): number {
  if (!interest || days < interest.startsAfterDays) return 0
  if (interest.dailyAmountInCents !== null) return interest.dailyAmountInCents * days
  const ofMonth = BigInt(amount) * BigInt(interest.monthlyPercentageBps ?? 0)
  return halfUp(ofMonth * BigInt(days), WHOLE_BPS * DAYS_OF_A_MONTH)
}

/** Divides bigints: a large principal times years of lateness exceeds the range of safe numbers. */
function halfUp(dividend: bigint, divisor: bigint): number {
  return Number((2n * dividend + divisor) / (2n * divisor))
}
