import { callRpc } from '@cofre/platform/grpc/client'
import { TransactionType, type Charge } from '@cofre/proto/orders/v1/orders'
import { countPendingTooLong, oldestPendingAge } from '../../src/charge-store/pending-transaction-store'
import { authorize, capture, order } from '../support/orders'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

const MINUTE_MS = 60_000

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders({ pendingTooLongMinutes: 60 })
})
afterAll(() => orders.stop())

const list = (sellerId?: number) => callRpc(orders.admin, orders.admin.listPendingTransactions, { sellerId })
const count = () => countPendingTooLong(orders.pool, Date.now() - 60 * MINUTE_MS)
/** Ages the operations of a charge by so many minutes. */
const age = ({ id }: Charge, minutes: number) =>
  orders.pool.query(
    'UPDATE transactions SET created_at = created_at - $2 * interval $$1 minute$$ WHERE charge_id = $1',
    [id, minutes],
  )

test('operations pending for longer than the setting are listed, the oldest first, and counted', async () => {
  expect(await count()).toBe(0)
  const sellerId = await newSeller(orders)
  orders.acquirer.fail('sale', 'answer_lost', 'answer_lost')
  const [older, young] = [await authorize(orders, order(sellerId)), await authorize(orders, order(sellerId))]
  const held = await authorize(orders, order(await newSeller(orders)))
  orders.acquirer.fail('capture', 'answer_lost')
  await capture(orders, held, 6_000)
  await age(older, 90)
  await age(young, 59)
  await age(held, 61)

  const { transactions, more } = await list()
  expect(more).toBe(false)
  expect(transactions).toEqual([
    {
      sellerId,
      chargeId: older.id,
      transactionId: 1,
      type: TransactionType.AUTHORIZATION,
      amount: 10_000,
      orderNumber: older.payments[0]?.acquirer?.orderNumber,
      acquirerPaymentId: '',
      createdAt: expect.any(Number),
    },
    expect.objectContaining({
      sellerId: held.sellerId,
      chargeId: held.id,
      transactionId: 2,
      type: TransactionType.CAPTURE,
      amount: 6_000,
      acquirerPaymentId: held.payments[0]?.acquirer?.paymentId,
    }),
  ])
  expect((await list(sellerId)).transactions.map(({ chargeId }) => chargeId)).toEqual([older.id])
  expect(await count()).toBe(2)
})

test('a pending operation is as old as itself, however old its charge is', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  await orders.pool.query("UPDATE charges SET created_at = created_at - interval '5 days' WHERE id = $1", [
    charge.id,
  ])
  orders.acquirer.fail('capture', 'answer_lost')
  await capture(orders, charge, 6_000)

  expect(await oldestPendingAge(orders.pool)).toBeLessThan(86_400)
  await age(charge, 2 * 24 * 60)
  expect(await oldestPendingAge(orders.pool)).toBeGreaterThan(86_400)
})
