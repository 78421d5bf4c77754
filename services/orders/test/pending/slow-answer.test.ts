import type { Loop } from '@cofre/platform/service/lifecycle'
import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { AT_ONCE } from '@cofre/platform/operation/resolver'
import { startResolver } from '../../src/sweepers/resolve-pending'
import { authorize, order } from '../support/orders'
import { get, newSeller, startOrders, type TestOrders } from '../support/start-orders'

const MANY = AT_ONCE + 10

let orders: TestOrders
let resolver: Loop | undefined
beforeAll(async () => {
  // Nothing times out: a slow answer is waited for far longer than until the charge may be asked about again.
  orders = await startOrders({ acquirerTimeoutMs: 300_000, resolveEveryMs: 10 })
})
afterAll(async () => {
  orders.acquirer.release()
  await resolver?.stop()
  await orders.stop()
})

test('a charge about which the acquirer answers slowly is asked about once, and does not hold up the others', async () => {
  const request = order(await newSeller(orders))
  orders.acquirer.fail('sale', 'answer_lost')
  const slow = await authorize(orders, request)
  orders.acquirer.fail('query', 'hang')
  resolver = startResolver(orders.deps)
  await orders.acquirer.whenHeld()
  // It is due again while it is still in hand.
  await eventually(async () => {
    const due = await orders.pool.query('SELECT FROM charges WHERE ask_at < $1', [new Date()])
    expect(due.rowCount).toBe(1)
  })
  orders.acquirer.fail('sale', ...Array(MANY).fill('answer_lost'))
  const others: Charge[] = []
  for (let made = 0; made < MANY; made++) others.push(await authorize(orders, request))
  await eventually(async () => {
    const now = await Promise.all(others.map((one) => get(orders, one)))
    expect(now.map(({ status }) => status)).toEqual(Array(MANY).fill(ChargeStatus.AUTHORIZED))
  })
  expect(await get(orders, slow)).toMatchObject({ status: ChargeStatus.PENDING })
  const { orderNumber } = slow.payments[0]?.acquirer ?? {}
  expect(orders.acquirer.calls.filter((call) => orderNumber && call.includes(orderNumber))).toHaveLength(1)
})
