import { cardFields, customer, discard, startSystem, type System } from '../system'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

const CHARGE = '/v2/orders/credit-card/charge'

async function stored(number: string): Promise<{ id: number; token: string }> {
  return (await system.api('POST', '/api/v2/cards/tokens', { body: cardFields(number) })).body
}

const chargeAs = (initiator: 'CUSTOMER' | 'MERCHANT', token: string) =>
  system.api('POST', CHARGE, {
    body: {
      amount: 4_990,
      installments: 1,
      customer,
      cardToken: initiator === 'CUSTOMER' ? { token, cvv: '123' } : { token },
      storedCredential: { initiator, reason: 'RECURRING' },
    },
  })

test('a kept card that its issuer replaced is charged at once under its new number, and stays the same card', async () => {
  const { token } = await stored('4111111111111111')
  expect((await chargeAs('CUSTOMER', token)).body.status).toBe('CAPTURED')
  await system.sandbox('POST', '/acquirer/next', { returnCode: '54', isReplaced: true })
  const { status, body } = await chargeAs('MERCHANT', token)
  expect([status, body.status]).toEqual([201, 'CAPTURED'])
  const [payment] = body.payments
  expect(payment.card.lastFour).not.toBe('1111')
  const transactions = body.transactions.map(({ type, status: ended }: any) => [type, ended])
  expect(transactions).toEqual([
    ['AUTHORIZATION', 'FAILED'],
    ['AUTHORIZATION', 'SUCCEEDED'],
    ['CAPTURE', 'SUCCEEDED'],
  ])
  // The new number is good for the next charge too.
  expect((await chargeAs('MERCHANT', token)).body.status).toBe('CAPTURED')
})

test('a card that was declined and not replaced is tried once', async () => {
  const { token } = await stored('4012888888881881')
  expect((await chargeAs('CUSTOMER', token)).body.status).toBe('CAPTURED')
  await system.sandbox('POST', '/acquirer/next', { returnCode: '54' })
  const { body } = await chargeAs('MERCHANT', token)
  expect([body.status, body.transactions.length]).toEqual(['DENIED', 1])
})
