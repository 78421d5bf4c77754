import { eventually } from '@cofre/testing/testing'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { settlePending } from '../../src/sweepers/settle-pending'
import { authorize, DECLINED, order } from '../support/orders'
import { newSeller, startOrders, type TestOrders } from '../support/start-orders'

const LIMIT = 3

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders({ declinesPerMinute: LIMIT, acquirerTimeoutMs: 10_000 })
  orders.acquirer.declines.set('0002', { code: '05' })
})
afterAll(() => orders.stop())

// Counting what is in flight would refuse honest buyers of a large bank whenever the acquirer is slow.
test('cards that are tried all at once are all sent; what follows their declines is refused', async () => {
  const request = order(await newSeller(orders), { cards: [DECLINED] })
  const burst = 2 * LIMIT
  orders.acquirer.fail('sale', ...Array(burst).fill('hang'))
  const sent = orders.acquirer.payments.length
  const tried = Promise.all(Array.from({ length: burst }, () => authorize(orders, request)))
  await eventually(() => expect(orders.acquirer.payments).toHaveLength(sent + burst))
  orders.acquirer.release()
  const charges = await tried
  expect(charges.map(({ status }) => status)).toEqual(Array(burst).fill(ChargeStatus.PENDING))
  await eventually(async () => {
    await settlePending(orders.deps)
    const { rowCount } = await orders.pool.query("SELECT FROM charges WHERE status = 'DENIED'")
    expect(rowCount).toBe(burst)
  })
  await expect(authorize(orders, request)).rejects.toMatchObject({ reason: 'RATE_LIMITED' })
})
