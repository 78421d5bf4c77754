import { DomainError } from '@cofre/platform/errors'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import { cardFeesOf } from '../catalog/settings/billing-settings-store'
import type { CardFees } from '../catalog/settings/card-fees'
import type { PaymentRules } from '../deps'
import { feeFor, grossOf } from './rules/card-fee'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { lateChargesOf } from '../invoice/rules/late-charges'
import { cardTermsOf } from './payment-terms'

type Rules = Pick<PaymentRules, 'cardFees'>
type Priced = Pick<WholeInvoice, 'sellerId' | 'acceptedMethods'>

/** The amount that an invoice asks for at a moment (epoch milliseconds), and the card price with the fee. Cents. */
export async function cardPriceOf(
  db: Db,
  rules: Rules,
  invoice: WholeInvoice,
  { installments, at }: { installments: number; at: number },
): Promise<{ amount: number; payable: number }> {
  const { payableAmount: payable } = lateChargesOf(invoice, at)
  return { payable, amount: priceWith(await feesOf(db, rules, invoice), payable, installments) }
}

/** The card price, with the fee, of an amount (cents) that an invoice asks for, over 1 to `most` installments. */
export async function cardPricesFor(
  db: Db,
  rules: Rules,
  invoice: Priced,
  { payable, most }: { payable: number; most: number },
): Promise<number[]> {
  const fees = await feesOf(db, rules, invoice)
  return Array.from({ length: most }, (_, n) => priceWith(fees, payable, n + 1))
}

/** The fees that the payer of an invoice bears. Undefined for none. */
async function feesOf(db: Db, rules: Rules, invoice: Priced): Promise<CardFees | undefined> {
  return cardTermsOf(invoice).feePassThrough ? cardFeesOf(db, rules, invoice.sellerId) : undefined
}

function priceWith(fees: CardFees | undefined, payable: number, installments: number): number {
  return fees ? grossOf(payable, feeFor(fees, installments)) : payable
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
