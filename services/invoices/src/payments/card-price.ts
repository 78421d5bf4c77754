import type { PaymentRules } from '../deps'
import { feeFor, grossOf } from '../invoice/card-fee'
import type { WholeInvoice } from '../invoice/invoice'
import { lateChargesOf } from '../invoice/late-charges'
import { cardTermsOf } from './payment-terms'

/** What an invoice asks for at a moment (epoch milliseconds), and what its payer pays by card, the fee included. Cents. */
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
