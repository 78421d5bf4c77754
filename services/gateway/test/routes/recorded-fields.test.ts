import { recordedPart } from '../../src/history/recorded-fields'
import { routes } from '../../src/api/all-routes'

const recordedOf = (operationId: string, body: unknown) =>
  recordedPart(routes.find((route) => route.operationId === operationId)?.body?.recorded, body)

const person = {
  name: 'Ana Souza',
  document: '12345678909',
  email: 'ana@example.com',
  birthdate: '1990-01-01',
}
const card = {
  cardNumber: '4111111111111111',
  cvv: '737',
  holder: person,
  expiration: { year: 2049, month: 12 },
}

test('an order leaves its amounts, instalments and reference, and nothing else', () => {
  const payment = { paymentMethod: 'CREDIT_CARD', amount: 100, installments: 2 }
  const body = {
    orderReference: 'A-1',
    amount: 100,
    customer: person,
    metadata: { amount: 'secret' },
    payments: [{ ...payment, cardToken: { token: 'f'.repeat(64), cvv: '737' } }],
    amounts: 7,
  }
  expect(recordedOf('authorizeOrder', body)).toEqual({
    orderReference: 'A-1',
    amount: 100,
    payments: [payment],
  })
})

test('a direct charge leaves neither card, person nor URL', () => {
  const kept = { amount: 100, installments: 1, affiliateId: 3, externalReference: 77 }
  const body = {
    ...kept,
    card,
    customer: person,
    notificationUrl: 'https://shop.example/?key=1',
    dataOnly: { eci: '05' },
  }
  expect(recordedOf('chargeCard', body)).toEqual(kept)
})

test('a refund does not leave its reason', () => {
  expect(recordedOf('refundCharge', { amount: 5, reason: 'Ana asked' })).toEqual({ amount: 5 })
})

test('a body leaves nothing when its route names no fields', () => {
  expect(recordedOf('createCardToken', card)).toBeUndefined()
  expect(recordedOf('replaceChargeMetadata', { amount: 5 })).toBeUndefined()
  expect(recordedOf('unknown', { amount: 5 })).toBeUndefined()
})

test('a named field without a plain value leaves nothing', () => {
  expect(recordedOf('captureCharge', { amount: card })).toEqual({})
  expect(recordedOf('authorizeOrder', { amount: null, payments: 'x' })).toEqual({})
  expect(recordedOf('captureCharge', JSON.parse('{"__proto__":{"amount":1},"constructor":1}'))).toEqual({})
})
