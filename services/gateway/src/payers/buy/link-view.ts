import { paymentMethod } from '@cofre/api/methods/payment-methods'
import { moneyIn } from '@cofre/platform/written'
import type { PaymentLink } from '@cofre/proto/invoices/v1/payment_links'
import { installmentsOf } from '../checkout/installments'
import type { Words } from '../checkout/words'

/** What the page of a payment link says of its product. */
export function linkView({ product, methods, cardPrices }: PaymentLink, words: Words) {
  const { name = '', description = '', value = 0 } = product?.fields ?? {}
  return {
    product: { name, description, price: moneyIn(words.language, value) },
    installments: bestOffer(value, cardPrices, words),
    methods: methods.map((method) => words.methods[paymentMethod.nameOf(method)]),
  }
}

/** The most payments by card. Empty where there is one alone. */
function bestOffer(value: number, cardPrices: readonly number[], { buy, card, language }: Words): string {
  const count = cardPrices.length
  const price = cardPrices[count - 1] ?? value
  const best = count > 1 ? installmentsOf(price, count).at(-1) : undefined
  if (!best) return ''
  const money = (cents: number) => moneyIn(language, cents)
  const said = card.option(best, money, price === value)
  return buy.upTo(price === value ? said : `${said} (${money(price)})`)
}
