import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, Initiator, OrdersClient } from '@cofre/proto/orders/v1/orders'
import { createCardTestingGuard } from '@cofre/platform/card/card-testing'
import { resolvePending } from '../support/resolve-pending'
import { authorize, DECLINED, order, withPayment } from '../support/orders'
import { newSeller, startOrders, withKey, type TestOrders } from '../support/start-orders'

const LIMIT = 3
const OTHER_BIN = '5555555555554444'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders({ guessesPerMinute: LIMIT, acquirerTimeoutMs: 120_000 })
  orders.acquirer.declines.set('0002', { code: '14' })
})
afterAll(() => orders.stop())

test('only so many of the cards tried at once are sent, and cards tried after their declines are refused', async () => {
  const request = order(await newSeller(orders), { cards: [DECLINED] })
  const burst = 10 * LIMIT
  orders.acquirer.fail('sale', ...Array(burst).fill('hang'))
  const sent = orders.acquirer.payments.length
  const first = withKey('first', () => authorize(orders, request))
  const tried = Promise.all([first, ...Array.from({ length: burst - 1 }, () => authorize(orders, request))])
  await eventually(() => expect(orders.acquirer.payments).toHaveLength(sent + burst))

  const refusal = { kind: 'rate_limited', reason: 'RATE_LIMITED', extra: { retryAfterSeconds: 1 } }
  await expect(authorize(orders, request)).rejects.toMatchObject(refusal)
  const again = withKey('first', () => authorize(orders, request))
  await expect(again).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_USE' })
  const others = [order(request.sellerId, { cards: [OTHER_BIN] }), order(await newSeller(orders))]
  for (const other of others) {
    await expect(authorize(orders, other)).resolves.toMatchObject({ status: ChargeStatus.AUTHORIZED })
  }
  expect(orders.acquirer.payments).toHaveLength(sent + burst + others.length)
  orders.acquirer.release()
  const charges = await tried
  expect(charges.map(({ status }) => status)).toEqual(Array(burst).fill(ChargeStatus.PENDING))
  await eventually(async () => {
    await resolvePending(orders.deps)
    const { rowCount } = await orders.pool.query("SELECT FROM charges WHERE status = 'DENIED'")
    expect(rowCount).toBe(burst)
  })
  await expect(authorize(orders, request)).rejects.toMatchObject({ reason: 'RATE_LIMITED' })
})

test('an exempt order takes no place in the burst, and is not stopped by it', async () => {
  const sellerId = await newSeller(orders)
  const { token } = orders.keepCard(sellerId, DECLINED)
  const invoices = { client: await orders.network.clientOf(OrdersClient, orders.address, 'invoices') }
  const ofToken = withPayment(order(sellerId), { card: undefined, cardToken: token })
  const byItself = { ...ofToken, initiator: Initiator.MERCHANT, exemptFromTestingGuard: true }
  const burst = 10 * LIMIT
  orders.acquirer.fail('sale', ...Array(burst).fill('hang'))
  const sent = orders.acquirer.payments.length
  const tried = Promise.all(Array.from({ length: burst }, () => authorize(invoices, byItself)))
  await eventually(() => expect(orders.acquirer.payments).toHaveLength(sent + burst))
  const others = await Promise.all([authorize(orders, ofToken), authorize(invoices, byItself)])
  expect(others.map(({ status }) => status)).toEqual([ChargeStatus.DENIED, ChargeStatus.DENIED])
  orders.acquirer.release()
  await tried
})

test('a refused order takes no place in the burst', () => {
  const guard = createCardTestingGuard(1)
  const enter = () => guard.enter(7, ['411111', '411111'])
  const running = Array.from({ length: 10 }, enter)
  expect(running.map(({ refusal }) => refusal)).toEqual(Array(10).fill(undefined))
  const refused = [enter(), enter()]
  for (const { refusal } of refused) expect(refusal).toMatchObject({ reason: 'RATE_LIMITED' })

  // The refused orders have not ended yet: a running one has.
  running[0]?.leave()
  expect(enter().refusal).toBeUndefined()
  for (const { leave } of refused) leave()
  expect(enter().refusal).toMatchObject({ reason: 'RATE_LIMITED' })
})
