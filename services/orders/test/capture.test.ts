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
const last = { type: TransactionType.CAPTURE }

test('all of a charge is captured when no amount is given', async () => {
  expect(await capture(orders, await authorized())).toMatchObject({
    status: ChargeStatus.CAPTURED,
    capturedAmount: 10_000,
    transactions: [{}, { ...last, status: TransactionStatus.SUCCEEDED, amount: 10_000 }],
  })
})

test('a part of a charge is captured once, and the rest is given up', async () => {
  const charge = await authorized()
  expect(await capture(orders, charge, 6_000)).toMatchObject({
    status: ChargeStatus.PARTIALLY_CAPTURED,
    authorizedAmount: 10_000,
    capturedAmount: 6_000,
  })
  await expect(capture(orders, charge, 4_000)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'INVALID_CHARGE_STATE',
    extra: { members: { currentStatus: 'PARTIALLY_CAPTURED', allowedActions: ['refund', 'metadata'] } },
  })
})

test('a capture of more than was authorized is refused, and the refusal states the rest', async () => {
  await expect(capture(orders, await authorized(), 10_001)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'CAPTURE_EXCEEDS_AUTHORIZED',
    message: '10001 requested, 10000 still capturable.',
    extra: { errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 10000' }] },
  })
})

test('a capture leaves at least one cent for each installment, and the refusal states how much', async () => {
  const asked = order(await newSeller(orders))
  const payments = asked.payments.map((payment) => ({ ...payment, installments: 12 }))
  const charge = await authorize(orders, { ...asked, payments })
  await expect(capture(orders, charge, 11)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'CAPTURE_BELOW_INSTALLMENTS',
    extra: { errors: [{ pointer: '#/amount', code: 'MIN', detail: 'must be at least 12' }] },
  })
  const captured = await capture(orders, charge, 12)
  expect(captured.payments[0]?.installmentAmounts).toEqual(Array.from({ length: 12 }, () => 1))
})

test.each([0, -1])('an amount of %p is refused', async (amount) => {
  await expect(capture(orders, await authorized(), amount)).rejects.toMatchObject({
    kind: 'invalid_argument',
    reason: 'VALIDATION_FAILED',
  })
})

test('another seller does not find the charge', async () => {
  const charge = await authorized()
  const foreign = { ...charge, sellerId: await newSeller(orders) }
  await expect(capture(orders, foreign)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(get(orders, foreign)).rejects.toMatchObject({ kind: 'not_found' })
})

test('a repeated capture gets the first answer', async () => {
  const charge = await authorized()
  const first = await withKey('capture', () => capture(orders, charge, 5_000))
  expect(await withKey('capture', () => capture(orders, charge, 5_000))).toEqual(first)
})

test('twenty captures at once capture the charge once', async () => {
  const charge = await authorized()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => capture(orders, charge)))
  const done = results.filter(({ status }) => status === 'fulfilled')
  expect(done).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason.reason).toBe('INVALID_CHARGE_STATE')
  }
  expect(await get(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 10_000 })
  expect(
    orders.acquirer.calls.filter((call) => call.includes(paymentId(charge)) && call.includes('/capture')),
  ).toHaveLength(1)
})

test('a capture without an answer stays pending, holds off others, and is resolved', async () => {
  const charge = await authorized()
  orders.acquirer.fail('capture', 'answer_lost')
  const pending = await capture(orders, charge, 7_000)
  expect(pending).toMatchObject({
    status: ChargeStatus.AUTHORIZED,
    capturedAmount: 0,
    transactions: [{}, { ...last, status: TransactionStatus.PENDING, amount: 7_000 }],
  })
  await expect(capture(orders, charge)).rejects.toMatchObject({
    reason: 'INVALID_CHARGE_STATE',
    extra: { members: { currentStatus: 'AUTHORIZED', allowedActions: ['metadata'] } },
  })
  await expect(refund(orders, charge)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })
  await resolved(orders, charge, (current) =>
    expect(current).toMatchObject({ status: ChargeStatus.PARTIALLY_CAPTURED, capturedAmount: 7_000 }),
  )
})

test('a capture that did not happen fails, and another may follow', async () => {
  const charge = await authorized()
  orders.acquirer.fail('capture', 'lost_undone')
  await capture(orders, charge)
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ transactions }) =>
    expect(transactions.at(-1)).toMatchObject({ ...last, status: TransactionStatus.FAILED }),
  )
  expect(await get(orders, charge)).toMatchObject({ status: ChargeStatus.AUTHORIZED })
  expect(await capture(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED })
})

test('a capture that the acquirer refuses leaves the charge as it was', async () => {
  const charge = await authorized()
  orders.acquirer.fail('capture', { status: 200, body: { Status: 1, ReturnCode: '842' } })
  expect(await capture(orders, charge)).toMatchObject({
    status: ChargeStatus.AUTHORIZED,
    transactions: [{}, { ...last, status: TransactionStatus.FAILED }],
  })
})

test('a capture that could not leave may be repeated with its key', async () => {
  const charge = await authorized()
  await orders.acquirer.stop()
  await expect(withKey('unreached', () => capture(orders, charge))).rejects.toMatchObject({
    kind: 'unavailable',
  })
  await orders.acquirer.start()
  expect(await withKey('unreached', () => capture(orders, charge))).toMatchObject({
    status: ChargeStatus.CAPTURED,
    transactions: [{}, { status: TransactionStatus.FAILED }, { status: TransactionStatus.SUCCEEDED }],
  })
})

function paymentId(charge: Awaited<ReturnType<typeof authorized>>): string {
  return charge.payments[0]?.acquirer?.paymentId ?? 'none'
}
