import {
  ChargeStatus,
  CredentialReason,
  Initiator,
  type AuthorizeOrderRequest,
  type Charge,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { authorize, DECLINED, order, sealedCard, VISA, withPayment } from '../support/orders'
import { newSeller, resolved, startOrders, type TestOrders } from '../support/start-orders'
import { establish, giveToken } from '../support/token-orders'

const { CUSTOMER, MERCHANT } = Initiator
const { RECURRING, INSTALLMENTS } = CredentialReason

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set(DECLINED.slice(-4), { code: '51' })
})
afterAll(() => orders.stop())

/** What reached the acquirer about who is there and whether the card is kept. */
async function marks(request: AuthorizeOrderRequest) {
  const charge = await authorize(orders, request)
  const { CreditCard, InitiatedTransactionIndicator, Recurrent, IssuerTransactionId } = saleOf(charge)
  const { CardOnFile, Cryptogram } = CreditCard as Record<string, unknown>
  return {
    CardOnFile,
    InitiatedTransactionIndicator,
    Recurrent,
    IssuerTransactionId,
    cryptogram: Cryptogram !== undefined,
  }
}
const saleOf = (charge: Charge) => orders.acquirer.paymentOf(charge.payments[0]).sale.Payment
const latestId = () => orders.acquirer.payments.at(-1)?.issuerTransactionId

type Told = Partial<Pick<AuthorizeOrderRequest, 'initiator' | 'reason'>>
const byToken = (sellerId: number, cardToken: string, told: Told = {}) =>
  withPayment(order(sellerId, told), { card: undefined, cardToken })
const byNetworkToken = (sellerId: number, networkToken: string, told: Told = {}) =>
  withPayment(order(sellerId, told), { card: undefined, networkToken })

test('a card that is kept is First, then Used with its reason, and refers to the latest sale', async () => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(sellerId, VISA)
  const card = sealedCard(VISA, { source: CardSource.CARD })
  const first = await marks(withPayment(order(sellerId, { cards: [card] }), { keptAs: token }))
  expect(first).toMatchObject({ CardOnFile: { Usage: 'First' } })
  expect(first).toMatchObject({ IssuerTransactionId: undefined, Recurrent: undefined })

  for (let sale = 0; sale < 2; sale += 1) {
    const IssuerTransactionId = latestId()
    expect(await marks(byToken(sellerId, token, { initiator: MERCHANT, reason: RECURRING }))).toMatchObject({
      CardOnFile: { Usage: 'Used', Reason: 'Recurring' },
      Recurrent: true,
      IssuerTransactionId,
      // Mastercard's alone.
      InitiatedTransactionIndicator: undefined,
    })
  }
  const IssuerTransactionId = latestId()
  const oneClick = await marks(withPayment(order(sellerId, { cards: [sealedCard(VISA)] }), { keptAs: token }))
  expect(oneClick).toMatchObject({
    CardOnFile: { Usage: 'Used', Reason: 'Unscheduled' },
    Recurrent: undefined,
    IssuerTransactionId,
  })
})

test('a card that was declined, or kept at another account, is First', async () => {
  const seller = await establish(orders)
  const { sellerId } = seller
  await establish(orders, { sellerId, affiliateId: 7 })
  const declined = orders.keepCard(sellerId, DECLINED).token
  for (let tried = 0; tried < 2; tried += 1) {
    expect(await marks(byToken(sellerId, declined))).toMatchObject({ CardOnFile: { Usage: 'First' } })
  }
  const kept = orders.keepCard(sellerId, VISA).token
  await marks(byToken(sellerId, kept))
  const elsewhere = { ...byToken(sellerId, kept), affiliateId: 7 }
  expect(await marks(elsewhere)).toMatchObject({ CardOnFile: { Usage: 'First' } })
  expect(await marks(elsewhere)).toMatchObject({ CardOnFile: { Usage: 'Used' } })
  expect(await marks(byToken(sellerId, kept))).toMatchObject({ CardOnFile: { Usage: 'Used' } })
})

test('a card whose first answer was lost is Used once the answer is known', async () => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(sellerId, VISA)
  orders.acquirer.fail('sale', 'answer_lost')
  const charge = await authorize(orders, byToken(sellerId, token))
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  const IssuerTransactionId = latestId()
  expect(await marks(byToken(sellerId, token))).toMatchObject({
    CardOnFile: { Usage: 'Used' },
    IssuerTransactionId,
  })
})

test('a verification keeps a card too', async () => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(sellerId, VISA)
  await authorize(orders, withPayment(order(sellerId, { amount: 0 }), { card: undefined, cardToken: token }))
  expect(orders.acquirer.verifications.at(-1)).toMatchObject({ CardOnFile: { Usage: 'First' } })
  expect(await marks(byToken(sellerId, token))).toMatchObject({ IssuerTransactionId: '200000000000001' })
})

test('a network token continues its card, and Mastercard wants no cryptogram of the merchant', async () => {
  const seller = await establish(orders)
  const { sellerId } = seller
  const shown = { ...sealedCard(VISA).card!, brand: 'MASTERCARD' }
  const { token } = orders.keepCard(sellerId, VISA, { brand: 'MASTERCARD' })
  const { name } = giveToken(orders, seller, { card: shown, cardToken: token })
  const unscheduled = { Category: 'C1', Subcategory: 'CredentialsOnFile' }
  expect(await marks(byToken(sellerId, token))).toMatchObject({
    CardOnFile: { Usage: 'First' },
    InitiatedTransactionIndicator: unscheduled,
  })
  expect(await marks(byNetworkToken(sellerId, name, { initiator: CUSTOMER }))).toMatchObject({
    CardOnFile: { Usage: 'Used', Reason: 'Unscheduled' },
    InitiatedTransactionIndicator: unscheduled,
    cryptogram: true,
  })
  expect(
    await marks(byNetworkToken(sellerId, name, { initiator: MERCHANT, reason: INSTALLMENTS })),
  ).toMatchObject({
    CardOnFile: { Usage: 'Used', Reason: 'Installments' },
    InitiatedTransactionIndicator: { Category: 'M1', Subcategory: 'Installment' },
    Recurrent: undefined,
    cryptogram: false,
  })
  const alone = giveToken(orders, seller, { card: shown }).name
  expect(
    await marks(byNetworkToken(sellerId, alone, { initiator: MERCHANT, reason: RECURRING })),
  ).toMatchObject({
    CardOnFile: { Usage: 'First', Reason: 'Recurring' },
    InitiatedTransactionIndicator: { Category: 'M1', Subcategory: 'Subscription' },
    cryptogram: true,
  })
})

test('a brand without marks takes no mark, but still allows a recurring sale without a CVV', async () => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(sellerId, VISA, { brand: 'AMEX' })
  await marks(byToken(sellerId, token))
  expect(await marks(byToken(sellerId, token, { initiator: MERCHANT, reason: RECURRING }))).toEqual({
    CardOnFile: undefined,
    InitiatedTransactionIndicator: undefined,
    Recurrent: true,
    IssuerTransactionId: undefined,
    cryptogram: false,
  })
})

test.each([
  ['a card that was just given', {}, { pointer: '#/payments/0/cardToken', code: 'STORED_CARD' }],
  [
    'the CVV of a stored card',
    { keptAs: 'f3a1'.repeat(16) },
    { pointer: '#/payments/0/cardToken/cvv', code: 'PAYER_ABSENT' },
  ],
  [
    'several instalments',
    { cardToken: 'f3a1'.repeat(16), installments: 2 },
    { pointer: '#/payments', code: 'MAX' },
  ],
  [
    'an authentication',
    {
      cardToken: 'f3a1'.repeat(16),
      authentication: { eci: '05', version: '2.2.0', authenticationValue: 'A'.repeat(28), referenceId: '' },
    },
    { pointer: '#/payments', code: 'PAYER_ABSENT' },
  ],
])('a merchant does not begin a recurring payment with %s', async (_, payment, error) => {
  const sellerId = await newSeller(orders)
  const source = 'cardToken' in payment ? { card: undefined, ...payment } : payment
  const request = withPayment(order(sellerId, { initiator: MERCHANT, reason: RECURRING }), source)
  await expect(authorize(orders, request)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [error] },
  })
})
