import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { authorize, capture, order, refund } from './support/orders'
import { get, newSeller, passDeadlines, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  // No sweeper runs: here people are faster.
  orders = await startOrders()
})
afterAll(() => orders.stop())

const resolve = (charge: Charge, status: TransactionStatus, changes: object = {}) =>
  callRpc(orders.admin, orders.admin.resolveTransaction, {
    sellerId: charge.sellerId,
    chargeId: charge.id,
    transactionId: charge.transactions.length,
    status,
    reason: 'The acquirer’s support says so.',
    ...changes,
  })
const { SUCCEEDED, FAILED } = TransactionStatus

/** A capture that did not reach the acquirer, which nobody here knows. */
async function lostCapture(key = ''): Promise<Charge> {
  const charge = await authorize(orders, order(await newSeller(orders)))
  orders.acquirer.fail('capture', 'lost_undone')
  return key === '' ? capture(orders, charge) : withKey(key, () => capture(orders, charge))
}
const eventsOf = async ({ id }: Charge) => {
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}

test('a capture that happened is taken over and its event told; its key gives the first answer again', async () => {
  const charge = await lostCapture('by-hand')
  await passDeadlines(orders, charge)
  const done = await resolve(charge, SUCCEEDED)
  expect(done).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 10_000 })
  expect(await eventsOf(charge)).toEqual(['charge.authorized', 'charge.captured'])
  expect(await withKey('by-hand', () => capture(orders, charge))).toEqual(charge)
})

test('a capture that did not happen may be asked for anew', async () => {
  const charge = await lostCapture()
  await passDeadlines(orders, charge)
  expect(await resolve(charge, FAILED)).toMatchObject({ status: ChargeStatus.AUTHORIZED })
  expect(await capture(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED })
})

test('a refund closed as failed gives its amount back to be refunded, one that happened does not', async () => {
  const charge = await authorize(orders, order(await newSeller(orders), { capture: true }))
  orders.acquirer.fail('void', 'lost_undone', 'lost_undone')
  const both = await Promise.all([refund(orders, charge, 6_000), refund(orders, charge, 1_000)])
  expect(both.map(({ status }) => status)).toEqual([ChargeStatus.CAPTURED, ChargeStatus.CAPTURED])
  const large = (await get(orders, charge)).transactions.find(({ amount }) => amount === 6_000)?.id
  const small = (await get(orders, charge)).transactions.find(({ amount }) => amount === 1_000)?.id
  await passDeadlines(orders, charge)
  await resolve(charge, FAILED, { transactionId: large })
  expect(await resolve(charge, SUCCEEDED, { transactionId: small })).toMatchObject({
    refundedAmount: 1_000,
  })
  await expect(refund(orders, charge, 9_001)).rejects.toMatchObject({ kind: 'failed_precondition' })
})

test('of two who close it at once one does', async () => {
  const charge = await lostCapture()
  await passDeadlines(orders, charge)
  const ends = await Promise.allSettled([resolve(charge, SUCCEEDED), resolve(charge, FAILED)])
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('what may still be on its way, is not pending, or is an authorization is left alone', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  const refused = { kind: 'failed_precondition', reason: 'INVALID_CHARGE_STATE' }
  await expect(resolve(charge, FAILED)).rejects.toMatchObject(refused)
  orders.acquirer.fail('capture', 'hang')
  const waiting = capture(orders, charge)
  await eventually(async () => expect((await get(orders, charge)).transactions).toHaveLength(2))
  await expect(resolve(charge, FAILED, { transactionId: 2 })).rejects.toMatchObject(refused)
  orders.acquirer.release()
  await waiting

  orders.acquirer.fail('sale', 'lost_undone')
  const unknown = await authorize(orders, order(await newSeller(orders)))
  await expect(resolve(unknown, FAILED)).rejects.toMatchObject(refused)
})

test('another seller’s charge, or a transaction that is not there, is not found', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  await expect(resolve(charge, FAILED, { transactionId: 9 })).rejects.toMatchObject({ kind: 'not_found' })
  await expect(resolve(charge, FAILED, { sellerId: 1 })).rejects.toMatchObject({ kind: 'not_found' })
})

test.each([{ status: TransactionStatus.PENDING }, { reason: ' ' }, { reason: 'x'.repeat(2_001) }])(
  'a request with another status, or without a reason of some length, is refused: %#',
  async (changes) => {
    const charge = await authorize(orders, order(await newSeller(orders)))
    await expect(resolve(charge, FAILED, changes)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  },
)
