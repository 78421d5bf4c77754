import { eventually } from '@cofre/testing/testing'
import { startSettler } from '../../src/sweepers/settler'
import { authorize, order } from '../support/orders'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

/** More than are asked about at once. */
const MANY = 30

let orders: TestOrders
beforeAll(async () => {
  // Nothing runs out of time: what does not answer is waited for.
  orders = await startOrders({ acquirerTimeoutMs: 300_000, settleFirstMs: 60_000, settleMaxMs: 60_000 })
})
afterAll(() => orders.stop())

test('a charge about which the acquirer answers slowly does not hold up the others', async () => {
  const request = order(await newSeller(orders))
  orders.acquirer.fail('sale', ...Array(MANY).fill('answer_lost'))
  for (let made = 0; made < MANY; made++) await authorize(orders, request)
  orders.acquirer.fail('query', 'hang')
  await orders.pool.query('UPDATE charges SET ask_at = $1', [new Date()])
  const settler = startSettler(orders.deps)
  await eventually(async () => {
    const { rows } = await orders.pool.query(
      'SELECT status, count(*)::int FROM charges GROUP BY 1 ORDER BY 1',
    )
    expect(rows).toEqual([
      { status: 'PENDING', count: 1 },
      { status: 'AUTHORIZED', count: MANY - 1 },
    ])
  })
  orders.acquirer.release()
  await settler.stop()
})
