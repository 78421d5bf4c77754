import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { resolvePending } from './support/resolve-pending'
import { authorize, capture, order, refund } from './support/orders'
import { get, newSeller, startOrders, withKey, type TestOrders } from './support/start-orders'

// Here the sweeper learns the outcome of a call before the call's own answer arrives.
let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

/** Starts a request whose call is done at the acquirer, and waits until the sweeper has adopted it. */
async function overtaken(
  call: 'sale' | 'capture',
  request: () => Promise<Charge>,
  find: () => Promise<Charge | undefined>,
): Promise<{ answer: Promise<Charge>; charge: Charge }> {
  orders.acquirer.fail(call, 'hang')
  const answer = request()
  const charge = await eventually(async () => {
    await resolvePending(orders.deps)
    const found = await find()
    if (!found?.transactions.every(({ status }) => status !== TransactionStatus.PENDING))
      throw new Error('not adopted yet')
    return found
  })
  return { answer, charge }
}

test('a capture whose answer comes late returns the answer that its key gives, whatever happened since', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  const request = () => withKey('late', () => capture(orders, charge))
  const { answer } = await overtaken('capture', request, async () => {
    const now = await get(orders, charge)
    return now.transactions.length > 1 ? now : undefined
  })
  await refund(orders, charge, 1_000)
  orders.acquirer.release()

  const first = await answer
  expect(first).toMatchObject({ status: ChargeStatus.CAPTURED, refundedAmount: 0 })
  expect(await request()).toEqual(first)
})

test('an authorization whose answer comes late returns the answer that its key gives', async () => {
  const sellerId = await newSeller(orders)
  const request = () => withKey('late', () => authorize(orders, order(sellerId)))
  const { answer, charge } = await overtaken('sale', request, () => newest(sellerId))
  await capture(orders, charge)
  orders.acquirer.release()

  const first = await answer
  expect(first).toMatchObject({ status: ChargeStatus.AUTHORIZED, capturedAmount: 0 })
  expect(await request()).toEqual(first)
})

test('a late answer without news leaves the charge as it was', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  const { answer, charge: adopted } = await overtaken(
    'capture',
    () => capture(orders, charge),
    async () => {
      const now = await get(orders, charge)
      return now.transactions.length > 1 ? now : undefined
    },
  )
  orders.acquirer.release()
  expect(await answer).toEqual(adopted)
  expect(await get(orders, charge)).toEqual(adopted)
})

async function newest(sellerId: number): Promise<Charge | undefined> {
  const { rows } = await orders.pool.query('SELECT id FROM charges WHERE seller_id = $1', [sellerId])
  return rows[0] && get(orders, { id: rows[0].id, sellerId } as Charge)
}
