import { isTooLong } from './external-authentication'
import type { RefusalCode } from './refusal'
import type { Address, CardRequest, SaleRequest } from './sale-request'

type Rule<T> = [code: RefusalCode, broken: (request: T) => boolean]

const BRANDS = ['Visa', 'Master', 'Amex', 'Elo', 'Aura', 'JCB', 'Diners', 'Discover', 'Hipercard']

/** Returns the brand as Cielo spells it, or undefined when Cielo does not accept it. */
export function brandNamed(brand = ''): string | undefined {
  return BRANDS.find((known) => known.toLowerCase() === brand.toLowerCase())
}

const CARD_RULES: Rule<CardRequest>[] = [
  [118, ({ cardNumber, cardToken }) => !cardNumber && !cardToken],
  // The sandbox stores no cards, so it knows no card token.
  [130, ({ cardNumber, cardToken }) => !cardNumber && Boolean(cardToken)],
  [128, ({ cardNumber = '' }) => cardNumber.length > 19],
  [177, ({ cardNumber = '' }) => cardNumber.length <= 19 && !/^(\d{13,})?$/.test(cardNumber)],
  [117, ({ holder }) => !holder],
  [214, ({ holder = '' }) => !/^[a-z ]*$/i.test(holder)],
  [0, ({ holder = '' }) => holder.length > 25],
  [125, ({ expirationDate }) => !expirationDate],
  [
    126,
    ({ expirationDate }) => Boolean(expirationDate) && !/^(0[1-9]|1[0-2])\/\d{4}$/.test(expirationDate ?? ''),
  ],
  [146, ({ securityCode = '' }) => securityCode.length > 4],
  [182, ({ brand }) => !brand],
  [185, ({ brand }) => Boolean(brand) && !brandNamed(brand)],
]

const SALE_RULES: Rule<SaleRequest>[] = [
  [122, ({ merchantOrderId }) => !merchantOrderId],
  [107, ({ merchantOrderId = '' }) => !/^[a-z0-9]{0,50}$/i.test(merchantOrderId)],
  [121, ({ customer }) => !customer],
  [105, ({ customer }) => customer !== undefined && !customer.name],
  [119, ({ payment }) => !payment],
]

const ADDRESS_RULES: Rule<Address>[] = [
  [147, ({ street = '' }) => street.length > 255],
  [148, ({ number = '' }) => number.length > 15],
  [149, ({ complement = '' }) => complement.length > 50],
  [150, ({ zipCode = '' }) => zipCode.length > 9],
  [151, ({ city = '' }) => city.length > 50],
  [152, ({ state = '' }) => state.length > 2],
  [153, ({ country = '' }) => country.length > 35],
]

const PAYMENT_RULES: Rule<NonNullable<SaleRequest['payment']>>[] = [
  [102, ({ type }) => !type],
  [173, ({ type = 'creditcard' }) => type.toLowerCase() !== 'creditcard'],
  // An amount of zero is for Zero Auth, not for a sale.
  [108, ({ amount = 0 }) => amount <= 0],
  [110, ({ currency = 'BRL' }) => currency.toUpperCase() !== 'BRL'],
  [123, ({ installments = 0 }) => installments < 1],
  [0, ({ softDescriptor = '' }) => softDescriptor.length > 13],
  [124, ({ creditCard }) => !creditCard],
  [0, ({ externalAuthentication }) => isTooLong(externalAuthentication)],
]

export function brokenCardRules(card: CardRequest): RefusalCode[] {
  return broken(CARD_RULES, card)
}

export function brokenSaleRules(sale: SaleRequest): RefusalCode[] {
  const { payment, customer } = sale
  const codes = broken(SALE_RULES, sale)
  if (customer?.address) codes.push(...broken(ADDRESS_RULES, customer.address))
  if (payment) codes.push(...broken(PAYMENT_RULES, payment))
  if (payment?.creditCard) codes.push(...brokenCardRules(payment.creditCard))
  return codes
}

function broken<T>(rules: Rule<T>[], request: T): RefusalCode[] {
  return rules.filter(([, isBroken]) => isBroken(request)).map(([code]) => code)
}
