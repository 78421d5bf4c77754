import { authorize, order } from './support/orders'
import { newSeller, startOrders, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

test.each([
  [
    'a second authorization of a payment',
    `INSERT INTO transactions (charge_id, id, position, type, status, cause, amount, operation_id, created_at)
     SELECT charge_id, 9, position, type, status, cause, amount, operation_id, created_at FROM transactions
     WHERE charge_id = $1`,
    'transactions_one_authorization',
  ],
  [
    'a pending charge that no sweeper asks about',
    "UPDATE charges SET status = 'PENDING' WHERE id = $1",
    'charges_whole',
  ],
  [
    'more refunded than captured',
    'UPDATE charges SET refund_reserved = 1, refunded_amount = 1 WHERE id = $1',
    'charges_whole',
  ],
  [
    'a denied payment without a decline',
    "UPDATE payments SET status = 'DENIED' WHERE charge_id = $1",
    'payments_whole',
  ],
])('the database refuses %s', async (_, statement, rule) => {
  const { id } = await authorize(orders, order(await newSeller(orders)))
  await expect(orders.pool.query(statement, [id])).rejects.toThrow(rule)
})
