import { ChargeStatus, TransactionStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { authorize, capture, order, refund } from './support/orders'
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
})
afterAll(() => orders.stop())

const authorized = async () => authorize(orders, order(await newSeller(orders)))
const captured = async () => authorize(orders, order(await newSeller(orders), { capture: true }))
const atAcquirer = (charge: Awaited<ReturnType<typeof captured>>) =>
  orders.acquirer.paymentOf(charge.payments[0])

test('before the capture the whole is voided', async () => {
  const charge = await authorized()
  expect(await refund(orders, charge)).toMatchObject({
    status: ChargeStatus.VOIDED,
    refundedAmount: 0,
    transactions: [{}, { type: TransactionType.VOID, status: TransactionStatus.SUCCEEDED, amount: 10_000 }],
  })
  await expect(capture(orders, charge)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })
})

test('after 200 operations on a charge only the whole rest is refunded, and the charge can still be read', async () => {
  const charge = await captured()
  await orders.pool.query(
    `INSERT INTO transactions (charge_id, id, position, type, status, cause, amount, operation_id, created_at)
     SELECT charge_id, nth, position, 'REFUND', 'FAILED', cause, 1, operation_id, created_at
     FROM transactions, generate_series(3, 199) AS nth WHERE charge_id = $1 AND id = 1`,
    [charge.id],
  )
  const before = (await get(orders, charge)).transactions.length
  for (let left = 200 - before; left > 0; left--) await refund(orders, charge, 1)

  await expect(refund(orders, charge, 1)).rejects.toMatchObject({
    reason: 'INVALID_CHARGE_STATE',
    extra: { members: { currentStatus: 'PARTIALLY_REFUNDED', allowedActions: ['refund', 'metadata'] } },
  })
  expect((await get(orders, charge)).transactions).toHaveLength(200)
  expect((await refund(orders, charge)).status).toBe(ChargeStatus.REFUNDED)
})

test('before the capture a part cannot be voided', async () => {
  await expect(refund(orders, await authorized(), 1)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'PARTIAL_VOID_UNSUPPORTED',
  })
})

test('a captured charge is refunded in parts, up to the captured amount', async () => {
  const charge = await captured()
  expect(await refund(orders, charge, 2_500, 'damaged')).toMatchObject({
    status: ChargeStatus.PARTIALLY_REFUNDED,
    refundedAmount: 2_500,
  })
  await expect(refund(orders, charge, 7_501)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'REFUND_EXCEEDS_CAPTURED',
    message: '7501 cents were requested; 7500 can still be refunded.',
    extra: { errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 7500' }] },
  })
  expect(await refund(orders, charge)).toMatchObject({
    status: ChargeStatus.REFUNDED,
    refundedAmount: 10_000,
  })
  await expect(refund(orders, charge)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })
  const { rows } = await orders.pool.query(
    'SELECT reason FROM transactions WHERE charge_id = $1 AND reason IS NOT NULL',
    [charge.id],
  )
  expect(rows).toEqual([{ reason: 'damaged' }])
})

test('only a captured amount is refunded', async () => {
  const charge = await authorized()
  await capture(orders, charge, 4_000)
  await expect(refund(orders, charge, 4_001)).rejects.toMatchObject({ reason: 'REFUND_EXCEEDS_CAPTURED' })
  expect(await refund(orders, charge, 4_000)).toMatchObject({ status: ChargeStatus.REFUNDED })
})

test('a reason that is too long is refused', async () => {
  const charge = await captured()
  await expect(refund(orders, charge, 1, 'x'.repeat(2_001))).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
  })
})

test('a repeated refund gets the first answer', async () => {
  const charge = await captured()
  const first = await withKey('refund', () => refund(orders, charge, 1_000))
  expect(await withKey('refund', () => refund(orders, charge, 1_000))).toEqual(first)
  expect(atAcquirer(charge).voidedAmount).toBe(1_000)
})

test('twenty refunds at once never exceed the captured amount', async () => {
  const charge = await captured()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => refund(orders, charge, 900)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(11)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason.reason).toBe('REFUND_EXCEEDS_CAPTURED')
  }
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 9_900 })
  expect(atAcquirer(charge).voidedAmount).toBe(9_900)
})

test('a refund without an answer counts against the limit until it is resolved', async () => {
  const charge = await captured()
  orders.acquirer.fail('void', 'answer_lost')
  expect(await refund(orders, charge, 6_000)).toMatchObject({
    status: ChargeStatus.CAPTURED,
    refundedAmount: 0,
    transactions: [{}, {}, { type: TransactionType.REFUND, status: TransactionStatus.PENDING }],
  })
  await expect(refund(orders, charge, 4_001)).rejects.toMatchObject({ reason: 'REFUND_EXCEEDS_CAPTURED' })
  expect(await refund(orders, charge, 1_000)).toMatchObject({ refundedAmount: 1_000 })
  await passDeadlines(orders, charge)
  await resolved(orders, charge, (current) => expect(current.refundedAmount).toBe(7_000))
})

test('of several refunds without an answer, those that happened are found by their sum', async () => {
  const charge = await captured()
  orders.acquirer.fail('void', 'lost_undone', 'answer_lost', 'lost_undone', 'done_500')
  for (const amount of [1_000, 2_000, 3_000, 500]) await refund(orders, charge, amount)
  await passDeadlines(orders, charge)
  const done = await resolved(orders, charge, ({ refundedAmount }) => expect(refundedAmount).toBe(2_500))
  expect(done.transactions.slice(2).map(({ status }) => status)).toEqual([
    TransactionStatus.FAILED,
    TransactionStatus.SUCCEEDED,
    TransactionStatus.FAILED,
    TransactionStatus.SUCCEEDED,
  ])
})

test('a difference that no refund of ours explains is left pending', async () => {
  const charge = await captured()
  orders.acquirer.fail('void', 'lost_undone')
  await refund(orders, charge, 1_000)
  await passDeadlines(orders, charge)
  atAcquirer(charge).voidedAmount = 777
  const calls = orders.acquirer.calls.length
  await resolved(orders, charge, () => expect(orders.acquirer.calls.length).toBeGreaterThan(calls + 25))
  expect((await get(orders, charge)).transactions.at(-1)?.status).toBe(TransactionStatus.PENDING)
  atAcquirer(charge).voidedAmount = 1_000
  await resolved(orders, charge, ({ refundedAmount }) => expect(refundedAmount).toBe(1_000))
})

test('a void without an answer is resolved, whether it happened or not', async () => {
  const happened = await authorized()
  orders.acquirer.fail('void', 'answer_lost')
  expect(await refund(orders, happened)).toMatchObject({ status: ChargeStatus.AUTHORIZED })
  await resolved(orders, happened, ({ status }) => expect(status).toBe(ChargeStatus.VOIDED))

  const lost = await authorized()
  orders.acquirer.fail('void', 'lost_undone')
  await refund(orders, lost)
  await passDeadlines(orders, lost)
  await resolved(orders, lost, ({ transactions }) =>
    expect(transactions.at(-1)?.status).toBe(TransactionStatus.FAILED),
  )
  expect(await capture(orders, lost)).toMatchObject({ status: ChargeStatus.CAPTURED })
})

test('while the acquirer is busy with the payment, nothing is done, and the key may be used again', async () => {
  const charge = await captured()
  orders.acquirer.fail('void', { status: 200, body: { Status: 2, ReturnCode: '223' } })
  await expect(withKey('busy', () => refund(orders, charge, 100))).rejects.toMatchObject({
    kind: 'unavailable',
    extra: { retryAfterSeconds: 5 },
  })
  expect(await withKey('busy', () => refund(orders, charge, 100))).toMatchObject({ refundedAmount: 100 })
})

test('a refund that the acquirer refuses fails', async () => {
  const charge = await captured()
  orders.acquirer.fail('void', { status: 200, body: { Status: 2, ReturnCode: '43' } })
  expect(await refund(orders, charge, 100)).toMatchObject({
    status: ChargeStatus.CAPTURED,
    refundedAmount: 0,
    transactions: [{}, {}, { status: TransactionStatus.FAILED }],
  })
  expect(await refund(orders, charge)).toMatchObject({ status: ChargeStatus.REFUNDED })
})
