import { promisify } from 'node:util'
import { ChargeStatus, Initiator, OrdersClient } from '@cofre/proto/orders/v1/orders'
import { authorize, DECLINED, order, VISA, withPayment } from '../support/orders'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
let invoices: Pick<TestOrders, 'client'>
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '14' })
  const client = await orders.network.clientOf(OrdersClient, orders.address, 'invoices')
  await promisify(client.waitForReady.bind(client))(Date.now() + 30_000)
  invoices = { client }
})
afterAll(() => orders.stop())

const MORE_THAN_ENOUGH = 12
const ofToken = (sellerId: number, number: string) => {
  const { token: cardToken } = orders.keepCard(sellerId, number)
  return withPayment(order(sellerId), { card: undefined, cardToken })
}
const byItself = (sellerId: number, number: string) => ({
  ...ofToken(sellerId, number),
  initiator: Initiator.MERCHANT,
  exemptFromTestingGuard: true,
})
const chargesOf = async (sellerId: number) => {
  const { rowCount } = await orders.pool.query('SELECT FROM charges WHERE seller_id = $1', [sellerId])
  return rowCount
}

test('declined exempt charges stop no shopper with a card of the same BIN', async () => {
  const sellerId = await newSeller(orders)
  for (let tried = 0; tried < MORE_THAN_ENOUGH; tried += 1) {
    const declined = await authorize(invoices, byItself(sellerId, DECLINED))
    expect(declined.status).toBe(ChargeStatus.DENIED)
  }
  expect(await authorize(orders, order(sellerId))).toMatchObject({ status: ChargeStatus.AUTHORIZED })
})

test('shoppers who try out cards stop no exempt charge of the same BIN', async () => {
  const sellerId = await newSeller(orders)
  for (let tried = 0; tried < 10; tried += 1) await authorize(orders, order(sellerId, { cards: [DECLINED] }))
  await expect(authorize(orders, order(sellerId))).rejects.toMatchObject({ reason: 'RATE_LIMITED' })
  expect(await authorize(invoices, byItself(sellerId, VISA))).toMatchObject({
    status: ChargeStatus.AUTHORIZED,
  })
  const paidByHand = authorize(invoices, ofToken(sellerId, VISA))
  await expect(paidByHand).rejects.toMatchObject({ reason: 'RATE_LIMITED' })
})

test('only the invoices service exempts charges from the guard, and only those of stored cards', async () => {
  const sellerId = await newSeller(orders)
  await expect(authorize(orders, byItself(sellerId, VISA))).rejects.toMatchObject({
    kind: 'permission_denied',
  })
  const withNumber = { ...order(sellerId), exemptFromTestingGuard: true }
  await expect(authorize(invoices, withNumber)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer: '#/payments/0/cardToken', code: 'STORED_CARD' }] },
  })
  expect(await chargesOf(sellerId)).toBe(0)
})
