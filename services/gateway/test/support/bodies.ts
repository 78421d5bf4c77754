export const customer = { name: 'Ana Souza', document: '123.456.789-09' }
export const cardToken = { token: 'a'.repeat(64), cvv: '123' }
export const card = {
  cardNumber: '4111111111111111',
  holder: { name: 'ANA SOUZA', document: '12345678909' },
  expiration: { year: 2031, month: 12 },
}

export const voucherCard = {
  cardType: 'MEAL',
  cardBrand: 'VR',
  cardNumber: '6370361234567890',
  cvv: '123',
  expires: { month: 12, year: 31 },
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
