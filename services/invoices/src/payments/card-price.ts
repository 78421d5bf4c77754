import { DomainError } from '@cofre/platform/errors'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { PaymentRules } from '../deps'
import { feeFor, grossOf } from '../invoice/card-fee'
import type { WholeInvoice } from '../invoice/invoice'
import { lateChargesOf } from '../invoice/late-charges'
import { cardTermsOf } from './payment-terms'

/** The amount that an invoice asks for at a moment (epoch milliseconds), and the card price with the fee. Cents. */
export function cardPriceOf(
  { cardFees }: Pick<PaymentRules, 'cardFees'>,
  invoice: WholeInvoice,
  installments: number,
  at: number,
): { amount: number; payable: number } {
  const payable = lateChargesOf(invoice, at).payableAmount
  const isPassedOn = cardTermsOf(invoice).feePassThrough
  return { payable, amount: isPassedOn ? grossOf(payable, feeFor(cardFees, installments)) : payable }
}

/** Throws FAILED_PRECONDITION AMOUNT_CHANGED when an amount (cents) is not the one that the payer was shown. */
export function checkShown(
  { expectedAmount }: Pick<PayByCardRequest, 'expectedAmount'>,
  amount: number,
): void {
  if (expectedAmount === undefined || expectedAmount === amount) return
  const message = 'The amount is another than the payer was shown.'
  throw new DomainError('failed_precondition', 'AMOUNT_CHANGED', message)
}
