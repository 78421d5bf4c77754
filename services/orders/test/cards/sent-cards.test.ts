import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { authorize, order, sealedCard, VISA, withPayment } from '../support/orders'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

const CUSTOMER = { name: 'Ana', document: '12345678909', email: '', birthdate: '', address: undefined }

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

test.each([
  '李小龍',
  'محمد علي',
  'Дмитрий Иванов',
  'Ελένη',
  '\u{1F600}',
  '12345',
  '---',
  '\u200b',
  'ß',
  'ı',
  'Łukasz',
])('the acquirer gets a holder in letters for %s, for a sale and for a verification', async (name) => {
  const card = sealedCard(VISA, { card: { ...sealedCard(VISA).card!, holderName: name } })
  const sellerId = await newSeller(orders)
  const request = order(sellerId, { cards: [card], customer: { ...CUSTOMER, name } })
  const sold = await authorize(orders, request)
  const { sale } = orders.acquirer.paymentOf(sold.payments[0])
  const letters = /^(?=.{1,25}$)[A-Za-z]+( [A-Za-z]+)*$/
  expect((sale.Payment.CreditCard as { Holder: string }).Holder).toMatch(letters)
  await authorize(orders, { ...request, amount: 0, payments: [{ ...request.payments[0]!, amount: 0 }] })
  expect(orders.acquirer.verifications.at(-1)?.['Holder']).toMatch(letters)
})

test('the second line of an address reaches the acquirer as its complement', async () => {
  const address = { street: 'Rua A', streetNumber: '1', city: 'São Paulo', state: 'SP', zipCode: '01310100' }
  const sold = async (lineTwo: string) => {
    const whole = { ...address, neighborhood: 'Centro', lineTwo }
    const request = order(await newSeller(orders), { customer: { ...CUSTOMER, address: whole } })
    const charge = await authorize(orders, request)
    return orders.acquirer.paymentOf(charge.payments[0]).sale
  }
  expect(await sold('ap 2')).toMatchObject({ Customer: { Address: { Street: 'Rua A', Complement: 'ap 2' } } })
  expect(await sold('x'.repeat(60))).toMatchObject({ Customer: { Address: { Complement: 'x'.repeat(50) } } })
  expect(await sold('')).not.toHaveProperty('Customer.Address.Complement')
})

test('a brand that is a guess is sent in installments, marked as kept, authenticated and verified', async () => {
  const shown = { ...sealedCard(VISA).card!, bin: '650600', brand: 'DISCOVER' }
  const sellerId = await newSeller(orders)
  const of = (brandIsGuess: boolean, amount = 10_000) =>
    withPayment(
      order(sellerId, { cards: [sealedCard(VISA, { card: { ...shown, brandIsGuess } })], amount }),
      {
        installments: amount === 0 ? 1 : 3,
        keptAs: 'f3a1'.repeat(16),
      },
    )
  await expect(authorize(orders, of(false))).rejects.toMatchObject({ reason: 'INSTALLMENTS_NOT_ALLOWED' })
  const charge = await authorize(orders, of(true))
  expect(orders.acquirer.paymentOf(charge.payments[0]).sale).toMatchObject({
    Payment: { Installments: 3, CreditCard: { Brand: 'Discover', CardOnFile: { Usage: 'First' } } },
  })
  const authentication = { eci: '05', version: '2.2.0', authenticationValue: 'A'.repeat(28), referenceId: '' }
  await expect(authorize(orders, withPayment(of(true), { authentication }))).resolves.toMatchObject({
    status: ChargeStatus.AUTHORIZED,
  })
  await expect(authorize(orders, of(true, 0))).resolves.toMatchObject({ status: ChargeStatus.AUTHORIZED })
})

test('a brand that cannot be verified is accepted for money, and the refusal says so', async () => {
  const card = sealedCard(VISA, { card: { ...sealedCard(VISA).card!, brand: 'AMEX' } })
  const sellerId = await newSeller(orders)
  await expect(authorize(orders, order(sellerId, { cards: [card], amount: 0 }))).rejects.toMatchObject({
    reason: 'CARD_BRAND_UNSUPPORTED',
    message: expect.stringContaining('accepts this card brand but cannot verify its cards'),
  })
  await expect(authorize(orders, order(sellerId, { cards: [card] }))).resolves.toMatchObject({
    status: ChargeStatus.AUTHORIZED,
  })
})
