import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { authorize, order, VISA, withPayment } from './support/orders'
import { newSeller, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

const ofToken = (sellerId: number, cardToken: string, changes: Parameters<typeof order>[1] = {}) =>
  withPayment(order(sellerId, changes), { card: undefined, cardToken })
const chargesOf = async (sellerId: number) => {
  const { rows } = await orders.pool.query('SELECT status FROM charges WHERE seller_id = $1', [sellerId])
  return rows.map(({ status }) => status)
}

test('a kept card is charged by its token, and shown with the data of the vault', async () => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(sellerId, VISA)
  const charge = await authorize(orders, ofToken(sellerId, token))
  expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
  expect(charge.payments).toMatchObject([
    { source: CardSource.CARD_TOKEN, card: { bin: '411111', lastFour: '1111', brand: 'VISA' } },
  ])
})

test.each([
  ['#/payments/0/cardToken/token', {}],
  ['#/cardToken/token', { capture: true }],
])('a token unknown for the seller is refused, and nothing is stored: %s', async (pointer, changes) => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(await newSeller(orders), VISA)
  await expect(authorize(orders, ofToken(sellerId, token, changes))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'CARD_TOKEN_UNUSABLE',
    extra: { errors: [{ pointer }] },
  })
  expect(await chargesOf(sellerId)).toEqual([])
})

test('a repeated request gets its first answer after its card was deleted', async () => {
  const sellerId = await newSeller(orders)
  const { id, token } = orders.keepCard(sellerId, VISA)
  const first = await withKey('kept', () => authorize(orders, ofToken(sellerId, token)))
  orders.removeCard(id)
  const { client } = await orders.startReplica()
  expect(await withKey('kept', () => authorize({ client }, ofToken(sellerId, token)))).toEqual(first)
})

test('a card that was deleted after its first charge is not charged again', async () => {
  const sellerId = await newSeller(orders)
  const { id, token } = orders.keepCard(sellerId, VISA)
  await authorize(orders, ofToken(sellerId, token))
  orders.removeCard(id)
  for (let refused = 0; refused < 2; refused++) {
    await expect(authorize(orders, ofToken(sellerId, token))).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'CARD_TOKEN_UNUSABLE',
    })
  }
  // The first refusal came from the vault during the payment, the second before anything was stored.
  expect(await chargesOf(sellerId)).toEqual(['AUTHORIZED', 'FAILED'])
})
