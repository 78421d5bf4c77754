import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { createPool } from '@cofre/platform/postgres/postgres'
import { whileHeld } from '@cofre/testing/lock-waits'
import { eventually, PATIENT } from '@cofre/testing/testing'
import { IdempotencyClient, RequestState } from '@cofre/proto/idempotency/v1/idempotency'
import { Charge, ChargeStatus, TransactionStatus } from '@cofre/proto/orders/v1/orders'
import { authorizeOrder } from '../src/rpc/authorize-order'
import { authorize, capture, DECLINED, order, refund } from './support/orders'
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
let idempotency: IdempotencyClient
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
  idempotency = await orders.network.clientOf(IdempotencyClient, orders.address, 'gateway')
})
afterAll(() => orders.stop())

/**
 * Runs a request in a replica that loses its database for good while the acquirer holds the call: only its saved rows
 * are left of it.
 */
async function interrupted(
  call: 'sale' | 'capture' | 'void',
  fault: 'hang' | 'hang_undone',
  work: (replica: Pick<TestOrders, 'client'>) => Promise<unknown>,
): Promise<void> {
  const pool = createPool({ url: orders.url, max: 2, name: 'doomed', ...PATIENT }, () => {})
  const replica = await orders.startReplica(pool)
  orders.acquirer.fail(call, fault)
  const asked = orders.acquirer.calls.length
  const request = work(replica).catch((error: unknown) => error)
  await eventually(() => expect(orders.acquirer.calls.length).toBeGreaterThan(asked))
  await pool.end()
  orders.acquirer.release()
  expect(await request).toBeInstanceOf(Error)
}

const find = (sellerId: number, key: string) =>
  callRpc(idempotency, idempotency.findRequest, { sellerId, key })

async function newest(sellerId: number): Promise<Charge> {
  const { rows } = await orders.pool.query(
    'SELECT id FROM charges WHERE seller_id = $1 ORDER BY id DESC LIMIT 1',
    [sellerId],
  )
  return get(orders, { id: rows[0].id, sellerId } as Charge)
}

test('after the acquirer authorized: the sweeper adopts the charge and answers its key', async () => {
  const sellerId = await newSeller(orders)
  await interrupted('sale', 'hang', (replica) => withKey('dies', () => authorize(replica, order(sellerId))))
  const left = await newest(sellerId)
  expect(left.status).toBe(ChargeStatus.PENDING)
  expect((await find(sellerId, 'dies')).state).toBe(RequestState.IN_FLIGHT)
  await expect(withKey('dies', () => authorize(orders, order(sellerId)))).rejects.toMatchObject({
    kind: 'conflict',
    reason: 'IDEMPOTENCY_KEY_IN_USE',
  })
  const done = await resolved(orders, left, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  const kept = await find(sellerId, 'dies')
  expect(kept.state).toBe(RequestState.DONE)
  expect(Charge.decode(kept.response)).toEqual(done)
  expect(await withKey('dies', () => authorize(orders, order(sellerId)))).toEqual(done)
  expect(orders.acquirer.ofOrder(done.payments[0]?.acquirer?.orderNumber)).toHaveLength(1)
})

test('after the acquirer declined: the sweeper answers the key with the decline', async () => {
  const sellerId = await newSeller(orders)
  const request = order(sellerId, { cards: [DECLINED] })
  await interrupted('sale', 'hang', (replica) => withKey('denied', () => authorize(replica, request)))
  const left = await newest(sellerId)
  const done = await resolved(orders, left, ({ status }) => expect(status).toBe(ChargeStatus.DENIED))
  expect(await withKey('denied', () => authorize(orders, request))).toEqual(done)
})

test('before anything reached the acquirer: the charge fails and its key is free', async () => {
  const sellerId = await newSeller(orders)
  await interrupted('sale', 'hang_undone', (replica) =>
    withKey('lost', () => authorize(replica, order(sellerId))),
  )
  const left = await newest(sellerId)
  await passDeadlines(orders, left)
  await resolved(orders, left, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
  await expect(find(sellerId, 'lost')).rejects.toMatchObject({ kind: 'not_found' })
  const charge = await withKey('lost', () => authorize(orders, order(sellerId)))
  expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
})

test('between two payments of an order: the authorized one is given back', async () => {
  const sellerId = await newSeller(orders)
  const request = order(sellerId, { cards: ['4111111111111111', '4111111111114444'], amount: 6_000 })
  await interrupted('sale', 'hang', (replica) => authorize(replica, request))
  const left = await newest(sellerId)
  await passDeadlines(orders, left)
  const done = await resolved(orders, left, ({ payments }) =>
    expect(payments.map(({ status }) => status)).toEqual([ChargeStatus.VOIDED, ChargeStatus.FAILED]),
  )
  expect(done.status).toBe(ChargeStatus.FAILED)
})

test.each(['hang', 'hang_undone'] as const)(
  'a capture interrupted (%s) is resolved, and so is its key',
  async (fault) => {
    const charge = await authorize(orders, order(await newSeller(orders)))
    await interrupted('capture', fault, (replica) =>
      withKey('capture', () => capture(replica, charge, 6_000)),
    )
    const wanted = fault === 'hang' ? TransactionStatus.SUCCEEDED : TransactionStatus.FAILED
    if (fault === 'hang_undone') await passDeadlines(orders, charge)
    await resolved(orders, charge, ({ transactions }) => expect(transactions[1]?.status).toBe(wanted))
    const again = await withKey('capture', () => capture(orders, charge, 6_000))
    expect(again).toMatchObject({ status: ChargeStatus.PARTIALLY_CAPTURED, capturedAmount: 6_000 })
    expect(again.transactions).toHaveLength(fault === 'hang' ? 2 : 3)
  },
)

test.each(['hang', 'hang_undone'] as const)(
  'a refund interrupted (%s) is resolved, and so is its key',
  async (fault) => {
    const charge = await authorize(orders, order(await newSeller(orders), { capture: true }))
    await interrupted('void', fault, (replica) => withKey('refund', () => refund(replica, charge, 2_500)))
    const wanted = fault === 'hang' ? TransactionStatus.SUCCEEDED : TransactionStatus.FAILED
    await passDeadlines(orders, charge)
    await resolved(orders, charge, ({ transactions }) => expect(transactions[2]?.status).toBe(wanted))
    expect(await withKey('refund', () => refund(orders, charge, 2_500))).toMatchObject({
      refundedAmount: 2_500,
    })
    expect(orders.acquirer.paymentOf(charge.payments[0]).voidedAmount).toBe(2_500)
  },
)

test('a capture that waits for the database past its deadline never leaves', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  const acquirerTimeoutMs = 200
  const hurried = await orders.startReplica(undefined, { acquirerTimeoutMs })
  const hold = 'SELECT FROM charges WHERE id = $1 FOR UPDATE'
  const [late] = await whileHeld(orders.pool, [hold, [charge.id]], async () => {
    const waiting = withKey('late', () => capture(hurried, charge)).catch((error: unknown) => error)
    await eventually(async () => {
      const { rowCount } = await orders.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query_start < clock_timestamp() - $1 * interval '1 millisecond'`,
        [acquirerTimeoutMs],
      )
      expect(rowCount).toBe(1)
    })
    return [waiting]
  })
  expect(await late).toMatchObject({ kind: 'unavailable' })
  expect(orders.acquirer.paymentOf(charge.payments[0]).status).toBe(1)
  expect(await withKey('late', () => capture(orders, charge))).toMatchObject({
    status: ChargeStatus.CAPTURED,
  })
})

test('a request whose caller is about to give up sends nothing', async () => {
  const sellerId = await newSeller(orders)
  // Not over gRPC: on a busy machine the caller would give up before its request is read.
  const inTime = newCall({ timeoutMs: 900 })
  const refused = runCall(inTime, () => authorizeOrder(orders.deps, order(sellerId)))
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })

  const { status, payments } = await newest(sellerId)
  expect(status).toBe(ChargeStatus.FAILED)
  expect(orders.acquirer.ofOrder(payments[0]?.acquirer?.orderNumber)).toEqual([])
})
