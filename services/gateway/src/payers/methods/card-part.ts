import { moneyIn } from '@cofre/platform/written'
import { PaymentMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { installmentsOf } from '../checkout/installments'
import type { Words } from '../checkout/words'
import type { PagePart } from './page-part'

export const CARD_PART: PagePart = {
  name: 'card',
  path: 'pay',
  icon: 'M3 6.5h18v11H3zM3 10h18',
  viewOf,
  asks: undefined,
}

/** True when the issuer authenticates the payer of a card payment. */
export function isAuthenticated({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): boolean {
  const card = acceptedMethods.find(({ method }) => method === PaymentMethod.CREDIT_CARD)
  return card?.cardSettings?.threeDSecure ?? false
}

/** The full price by card over a number of payments, in cents. It includes a fee that the payer bears. */
export function priceOf({ invoice, cardPrices }: PaymentPage, installments: number): number {
  return cardPrices[installments - 1] ?? invoice?.payableAmount ?? 0
}

function viewOf(page: PaymentPage, { card, language }: Words) {
  const { mayKeepCard } = page
  const payable = page.invoice?.payableAmount ?? 0
  const money = (cents: number) => moneyIn(language, cents)
  // Where the payer bears a fee, the full price depends on the number of payments, and each option shows it.
  const bearsFee = page.cardPrices.some((price) => price !== payable)
  const options = installmentsOf(payable, page.cardPrices.length).map(({ count }) => {
    const price = priceOf(page, count)
    const [each] = installmentsOf(price, count).slice(-1)
    const label = card.option(each ?? { count, each: price, first: price }, money, !bearsFee)
    return { value: count, price, label: bearsFee && count > 1 ? `${label} (${money(price)})` : label }
  })
  const pay = bearsFee && options.length > 1 ? card.payWithCard : card.pay(money(priceOf(page, 1)))
  const prices = options.map(({ price }) => price).join(',')
  return { options, pay, prices, mayKeepCard }
}
