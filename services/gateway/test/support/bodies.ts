export const customer = { name: 'Ana Souza', document: '123.456.789-09' }
export const cardToken = { token: 'a'.repeat(64), cvv: '123' }
export const card = {
  cardNumber: '4111111111111111',
  holder: { name: 'ANA SOUZA', document: '12345678909' },
  expiration: { year: 2049, month: 12 },
}

export const voucherCard = {
  cardType: 'MEAL',
  cardBrand: 'VR',
  cardNumber: '6370361234567890',
  cvv: '123',
  expires: { month: 12, year: 49 },
  holder: { name: 'ANA SOUZA', document: '12345678909' },
}

/** A payment with a voucher token. */
export function voucherPayment(token: string, over: Record<string, unknown> = {}) {
  const named = { cardType: 'MEAL', cardBrand: 'VR', token }
  return { amount: 3_500, installments: 1, referenceId: 'R-1', card: named, customer, ...over }
}

/** An order of one payment by card token. */
export function order(over: Record<string, unknown> = {}) {
  return { orderReference: 'A-1', amount: 10_000, customer, payments: [payment()], ...over }
}

export function payment(over: Record<string, unknown> = {}) {
  return { paymentMethod: 'CREDIT_CARD', amount: 10_000, installments: 3, cardToken, ...over }
}

/** A direct charge by card token. */
export function directCharge(over: Record<string, unknown> = {}) {
  return { amount: 4_990, installments: 1, customer, cardToken, ...over }
}

/** A customer to bill, with every field. */
export const billedCustomer = {
  name: 'Ana Souza',
  document: '123.456.789-09',
  birthdate: '1990-05-31',
  phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
  email: 'ana@example.com',
  address: {
    street: 'Rua das Flores',
    streetNumber: '120',
    lineTwo: 'ap 42',
    neighborhood: 'Centro',
    state: 'sp',
    zipCode: '01001-000',
    city: 'São Paulo',
  },
}

/** A product, with every field. */
export const soldProduct = {
  productType: 'ONETIME',
  affiliateId: 7,
  name: 'Consultoria',
  value: 9_900,
  softDescriptor: 'CONSULTORIA',
  maxInstallments: 3,
  active: false,
  methods: ['CREDIT_CARD', 'PIX'],
  description: 'Uma hora.',
  themeId: 2,
  feePassThrough: true,
}

/** An invoice, with every field but its number. */
export const newInvoice = {
  customerId: 5,
  dueDate: 1_772_463_600_000,
  notificationUrl: 'https://shop.example.com/hooks/invoices',
  successUrl: 'https://shop.example.com/thanks',
  paymentLimitDate: 1_775_142_000_000,
  acceptedPaymentMethods: [
    {
      method: 'CREDIT_CARD',
      cardSettings: { maxInstallments: 3, feePassThrough: true, threeDSecure: false },
    },
    { method: 'BOLETO', boletoSettings: { daysAfterDueDate: 30, instructions: ['Sem desconto.'] } },
  ],
  items: [{ productId: 1, quantity: 2, unitPriceInCents: 4_990 }],
  splits: [
    { recipientId: 12, amountInCents: 1_500, liable: false, chargeProcessingFee: true },
    { recipientId: 13, percentageBps: 1_000, liable: true, chargeProcessingFee: false },
  ],
  fine: { percentageBps: 200, startsAfterDays: 2 },
  interest: { dailyAmountInCents: 3, startsAfterDays: 5 },
  discounts: [
    { daysBeforeDueDate: 5, percentage: 4.35 },
    { daysBeforeDueDate: 0, amountInCents: 100 },
  ],
}
