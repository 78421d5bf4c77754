import { routes } from '../../services/gateway/src/api/all-routes'
import type { Canary } from './canaries'

export type Json = { [member: string]: unknown }

export const EXPIRATION = { year: 2049, month: 12 }

/** A card in clear text. */
export function openCard({ number, document }: Canary): Json {
  return { cardNumber: number, holder: { name: 'ANA SOUZA', document }, expiration: { ...EXPIRATION } }
}

const VOUCHER = { cardType: 'MEAL', cardBrand: 'VR' }
const VOUCHER_PAYMENT = {
  amount: 1_000,
  installments: 1,
  referenceId: 'R-1',
  customer: { document: '12345678909', name: 'Ana Souza' },
}

/** The same card as a voucher of VR. */
export function openVoucher({ expiration: _expiration, ...card }: Json): Json {
  return { ...VOUCHER, ...card, expires: { month: EXPIRATION.month, year: EXPIRATION.year - 2000 } }
}

/** A payment with a voucher of VR. */
export function voucherPayment(card: Json): Json {
  return { ...VOUCHER_PAYMENT, card: { ...VOUCHER, ...card } }
}

export type Given = { card: Json; token: string; inbox: string }

/** A body that the route takes, with most members that it knows. Canaries are planted in these members alone. */
export function goodBody(path: string, { card, token, inbox }: Given): Json {
  const whole = {
    name: 'Ana Souza',
    document: '12345678909',
    email: 'ana@example.com',
    birthdate: '1990-02-28',
    address: {
      street: 'Rua A',
      streetNumber: '1',
      neighborhood: 'Sé',
      city: 'São Paulo',
      state: 'SP',
      zipCode: '01001000',
    },
  }
  const cardToken = { token }
  const payment = { paymentMethod: 'CREDIT_CARD', amount: 1_000, installments: 1, cardToken }
  if (path.endsWith('/cards/tokens')) return card
  if (path.endsWith('/vouchers/tokens')) return openVoucher(card)
  if (path.endsWith('/vouchers/payments')) return voucherPayment({ token })
  if (/\/vouchers\/.+\/tokens$/.test(path)) {
    return { notificationUrl: inbox, cardType: VOUCHER.cardType, cardReference: 'C-1' }
  }
  if (path.endsWith('/cards/tokens/network')) return { ...card, notificationUrl: inbox }
  if (path.endsWith('/authorize') && !path.includes('/three-d-secure/')) {
    return {
      orderReference: 'A-1',
      amount: 1_000,
      customer: whole,
      payments: [{ ...payment, paymentLimitDate: 4_102_444_800_000, dueDate: 4_102_444_800_000 }],
      metadata: { cart: '77', visits: 3 },
    }
  }
  if (path.endsWith('/orders/pix')) {
    return {
      paymentMethod: 'PIX',
      orderReference: 'A-1',
      externalReference: 7,
      amount: 1_000,
      customer: whole,
      expiresInSeconds: 900,
      metadata: { cart: '77' },
      notificationUrl: inbox,
      currency: 'BRL',
    }
  }
  if (path.endsWith('/charge')) {
    const of3ds = {
      eci: '05',
      version: '2.2.0',
      referenceId: '24bc8366-fc31-4d6c-8555-17049a836a07',
      authenticationValue: 'AAABBB',
    }
    return {
      amount: 1_000,
      installments: 1,
      customer: whole,
      card,
      externalReference: 7,
      notificationUrl: `${inbox}?a=b`,
      dataOnly: of3ds,
      storedCredential: { initiator: 'CUSTOMER', reason: 'UNSCHEDULED' },
    }
  }
  if (path.endsWith('/capture')) return { amount: 400 }
  if (path.endsWith('/refund')) return { amount: 1, reason: 'one item returned' }
  if (path.endsWith('/metadata')) return { cart: '77', visits: 3 }
  if (/\/endpoints(\/[^/]+)?$/.test(path)) {
    const more = { description: 'The shop', headers: { 'x-api-key': 'k1' }, rateLimit: 100 }
    return { url: inbox, events: ['charge.captured'], ...more }
  }
  if (/\/customers(\/[^/]+)?$/.test(path)) {
    const phone = { countryCode: 55, areaCode: 11, number: 987_654_321 }
    return { ...whole, phone, address: { ...whole.address, lineTwo: 'ap 42' } }
  }
  if (/\/products(\/[^/]+)?$/.test(path)) {
    const link = { softDescriptor: 'LOJA', maxInstallments: 3, active: true, methods: ['PIX'], themeId: 1 }
    const product = { productType: 'ONETIME', affiliateId: 0, name: 'Caneca', value: 4_990 }
    return { ...product, ...link, description: 'Branca.', feePassThrough: false }
  }
  if (path.endsWith('/invoices')) return newInvoice(inbox)
  if (/\/invoices\/[^/]+$/.test(path)) {
    const { invoiceNumber: _number, ...replacement } = newInvoice(inbox)
    return replacement
  }
  if (path.endsWith('/recurring-invoices')) return newRecurringInvoice(inbox)
  if (path.endsWith('/booklet')) return newBooklet(inbox)
  // Moves the clock by a second only.
  if (path.endsWith('/clock/advance')) return { to: Date.now() + 1_000 }
  if (path.endsWith('/three-d-secure/authorize')) {
    const threeDSecure = { authenticationValue: 'A'.repeat(28), eci: '05', version: '2.2.0' }
    const more = { referenceId: '0f6c2f5e-5d0a-4c36-9a52-6c1b3b6f7a10' }
    const paid = { card, installments: 1, keepYourCardForAutomaticCharges: true }
    return { ...paid, mode: 'AUTHENTICATION', threeDSecure: { ...threeDSecure, ...more } }
  }
  if (path.endsWith('/credit-card/pay')) {
    return { card, installments: 1, keepYourCardForAutomaticCharges: true }
  }
  if (path.endsWith('/themes')) return THEME
  return exampleOf(path)
}

/** The reference's own example, for routes whose example has every member of the body. */
function exampleOf(path: string): Json {
  const route = routes.find(
    (each) => each.body && new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  const examples = route?.body?.schema.meta()?.examples as Json[] | undefined
  const example = examples?.[0]
  if (!example) throw new Error(`no good body is known for ${path}: add one`)
  return example
}

const THEME: Json = {
  primaryColor: '#0B7A4B',
  secondaryColor: '#5B6472',
  logoUrl: 'https://shop.example.com/logo.png',
  colors: {
    headerBackground: '#0B7A4B',
    headerText: '#FFFFFF',
    bodyBackground: '#FFFFFF',
    bodyText: '#1A1C1F',
  },
}

function newInvoice(inbox: string): Json {
  return {
    customerId: 1,
    dueDate: 4_102_444_800_000,
    invoiceNumber: 'F-1',
    notificationUrl: inbox,
    successUrl: 'https://shop.example.com/thanks',
    paymentLimitDate: 4_102_444_800_000,
    partialPayments: true,
    acceptedPaymentMethods: [
      { method: 'CREDIT_CARD', cardSettings: { maxInstallments: 3, threeDSecure: true } },
      { method: 'BOLETO', boletoSettings: { daysAfterDueDate: 30, instructions: ['Sem desconto.'] } },
      { method: 'PIX', pixSettings: { daysAfterDueDate: 30 } },
    ],
    items: [{ productId: 1, quantity: 2, unitPriceInCents: 4_990 }],
    splits: [{ recipientId: 12, amountInCents: 1, liable: true, chargeProcessingFee: false }],
    fine: { percentageBps: 200, startsAfterDays: 1 },
    interest: { dailyAmountInCents: 33, startsAfterDays: 1 },
    discounts: [
      { daysBeforeDueDate: 5, percentage: 5 },
      { daysBeforeDueDate: 0, amountInCents: 100 },
    ],
  }
}

function newRecurringInvoice(inbox: string): Json {
  const { notificationUrl, acceptedPaymentMethods, partialPayments, splits, fine, interest, discounts } =
    newInvoice(inbox)
  return {
    notificationUrl,
    acceptedPaymentMethods,
    partialPayments,
    splits,
    fine,
    interest,
    discounts,
    billingCycleStartDate: 4_102_444_800_000,
    isBillingCycleStartDateOverridden: false,
    daysUntilDue: 5,
    billingFrequency: 'MONTHLY',
    collectionMethod: 'CHARGE_AUTOMATICALLY',
    orderReference: 'PLAN-1',
    nextCycleDueDate: 4_102_444_800_000,
    onPaymentFailure: 'PAST_DUE',
    cardPaysFineAndInterest: true,
    language: 'en',
    cardId: 1,
    recurringItems: [{ productId: 1, quantity: 2, unitPriceInCents: 4_990 }],
    extraItems: [{ productId: 1, quantity: 1, unitPriceInCents: 500, cycle: 2 }],
  }
}

function newBooklet(inbox: string): Json {
  const {
    isBillingCycleStartDateOverridden: _overridden,
    nextCycleDueDate: _nextCycleDueDate,
    recurringItems: _recurringItems,
    extraItems: _extraItems,
    ...billing
  } = newRecurringInvoice(inbox)
  const recurringItem = { productId: 1, quantity: 2, unitPriceInCents: 4_990 }
  return { ...billing, chargesByBooklet: 3, recurringItem }
}

export type Place = { holder: Json; name: string; pointer: string }

/** Every member of a body, however deep. */
export function placesOf(value: unknown, pointer = '#'): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, held]) => [
    { holder: value as Json, name, pointer: `${pointer}/${name}` },
    ...placesOf(held, `${pointer}/${name}`),
  ])
}
