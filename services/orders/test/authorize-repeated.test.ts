import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { ChargeStatus, OrdersClient, TransactionStatus } from '@cofre/proto/orders/v1/orders'
import { authorize, DECLINED, order, sealedCard, VISA } from './support/orders'
import {
  get,
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  withKey,
  type TestOrders,
} from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
})
afterAll(() => orders.stop())

test('a repeated request gets the first answer, even after its card changed', async () => {
  const sellerId = await newSeller(orders)
  const first = await withKey('again', () => authorize(orders, order(sellerId)))
  const gone = order(sellerId, { cards: [sealedCard(VISA, { usable: false, handle: '' })] })
  const { client } = orders
  const again = await withKey('again', () => callRepeatable(client, client.authorizeOrder, gone))
  expect(again).toEqual({ response: first, replayed: true })
})

test('a charge keeps the id of the request that made it, whatever request repeats it or changes it', async () => {
  const sellerId = await newSeller(orders)
  const asked = (requestId: string) => {
    const idempotency = { key: 'asked', method: 'POST', path: '/charges', fingerprint: 'body' }
    return runCall({ ...newCall({ timeoutMs: 20_000 }), requestId, idempotency }, () =>
      authorize(orders, order(sellerId)),
    )
  }
  const { id: chargeId } = await asked('req_first')
  expect(await asked('req_second')).toMatchObject({ id: chargeId, requestId: 'req_first' })
  const { client } = orders
  const captured = await runCall({ ...newCall({ timeoutMs: 20_000 }), requestId: 'req_third' }, () =>
    callRpc(client, client.captureCharge, { sellerId, chargeId, amount: undefined }),
  )
  expect([captured.requestId, (await get(orders, captured)).requestId]).toEqual(['req_first', 'req_first'])
})

test('a charge that the invoices service asks for names no request of the seller', async () => {
  const sellerId = await newSeller(orders)
  const client = await orders.network.clientOf(OrdersClient, orders.address, 'invoices')
  expect((await authorize({ client }, order(sellerId))).requestId).toBeUndefined()
})

test('a repeated decline is the same decline', async () => {
  const request = order(await newSeller(orders), { cards: [DECLINED] })
  const first = await withKey('declined', () => authorize(orders, request))
  expect(await withKey('declined', () => authorize(orders, request))).toEqual(first)
})

test('a key used for another body is refused', async () => {
  const sellerId = await newSeller(orders)
  await withKey('reused', () => authorize(orders, order(sellerId)))
  await expect(withKey('reused', () => authorize(orders, order(sellerId)), 'other')).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'IDEMPOTENCY_KEY_REUSED',
  })
})

test('twenty requests at once with one key make one charge', async () => {
  const sellerId = await newSeller(orders)
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => withKey('raced', () => authorize(orders, order(sellerId)))),
  )
  const charges = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.reason] : []))
  expect(new Set(charges).size).toBe(1)
  expect(new Set(refused).size).toBeLessThanOrEqual(1)
  for (const reason of refused) expect(reason).toBe('IDEMPOTENCY_KEY_IN_USE')
  const { rows } = await orders.pool.query('SELECT order_number FROM payments WHERE seller_id = $1', [
    sellerId,
  ])
  expect(rows).toHaveLength(1)
  expect(orders.acquirer.ofOrder(rows[0].order_number)).toHaveLength(1)
})

test('a lost answer leaves the charge pending, and asking the acquirer resolves it', async () => {
  const sellerId = await newSeller(orders)
  orders.acquirer.fail('sale', 'answer_lost')
  const pending = await withKey('lost', () => authorize(orders, order(sellerId)))
  expect(pending).toMatchObject({
    status: ChargeStatus.PENDING,
    transactions: [{ status: TransactionStatus.PENDING }],
  })
  const done = await resolved(orders, pending, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  expect(done.payments[0]?.acquirer?.authorizationCode).toBe('418802')
  // The key keeps the answer that it gave first.
  expect(await withKey('lost', () => authorize(orders, order(sellerId)))).toEqual(pending)
  expect(orders.acquirer.ofOrder(done.payments[0]?.acquirer?.orderNumber)).toHaveLength(1)
})

test.each(['http_500', 'done_500', 'lost_undone'] as const)(
  '%s leaves the outcome unknown, and the payment is never sent again',
  async (fault) => {
    const sellerId = await newSeller(orders)
    orders.acquirer.fail('sale', fault)
    const pending = await authorize(orders, order(sellerId))
    expect(pending.status).toBe(ChargeStatus.PENDING)
    const wanted = fault === 'done_500' ? ChargeStatus.AUTHORIZED : ChargeStatus.FAILED
    if (fault !== 'done_500') await passDeadlines(orders, pending)
    const done = await resolved(orders, pending, ({ status }) => expect(status).toBe(wanted))
    const made = orders.acquirer.ofOrder(done.payments[0]?.acquirer?.orderNumber)
    expect(made).toHaveLength(fault === 'done_500' ? 1 : 0)
  },
)

test('an acquirer that is not reached charges nothing, and the key may be used again', async () => {
  const sellerId = await newSeller(orders)
  await orders.acquirer.stop()
  await expect(withKey('unreached', () => authorize(orders, order(sellerId)))).rejects.toMatchObject({
    kind: 'unavailable',
    extra: { retryAfterSeconds: 1 },
  })
  await orders.acquirer.start()
  const charge = await withKey('unreached', () => authorize(orders, order(sellerId)))
  expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
  const { rows } = await orders.pool.query('SELECT status FROM charges WHERE seller_id = $1 ORDER BY id', [
    sellerId,
  ])
  expect(rows).toEqual([{ status: 'FAILED' }, { status: 'AUTHORIZED' }])
  expect(await get(orders, charge)).toEqual(charge)
})
