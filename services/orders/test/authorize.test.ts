import { ChargeStatus, TransactionStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { authorize, DECLINED, order } from './support/orders'
import { newSeller, startOrders, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
})
afterAll(() => orders.stop())

test('a good card is authorized', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  expect(charge).toMatchObject({
    status: ChargeStatus.AUTHORIZED,
    amount: 10_000,
    authorizedAmount: 10_000,
    capturedAmount: 0,
    payments: [{ status: ChargeStatus.AUTHORIZED, installmentAmounts: [10_000] }],
    transactions: [{ id: 1, type: TransactionType.AUTHORIZATION, status: TransactionStatus.SUCCEEDED }],
  })
})

test('a decline is an answer', async () => {
  const charge = await authorize(orders, order(await newSeller(orders), { cards: [DECLINED] }))
  expect(charge).toMatchObject({
    status: ChargeStatus.DENIED,
    authorizedAmount: 0,
    payments: [{ decline: { code: 'INSUFFICIENT_FUNDS', acquirerCode: '51', retryable: true } }],
  })
})
