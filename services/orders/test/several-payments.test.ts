import { ChargeStatus, TransactionStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { repeat } from '@cofre/platform/service/lifecycle'
import { resolvePending } from './support/resolve-pending'
import { ALSO_GOOD, authorize, capture, DECLINED, order, refund, VISA } from './support/orders'
import {
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  withKey,
  type TestOrders,
} from './support/start-orders'

const THIRD = '4111111111113333'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '05' })
})
afterAll(() => orders.stop())

const statusesAtAcquirer = (orderNumbers: (string | undefined)[]) =>
  orderNumbers.map((orderNumber) => orders.acquirer.ofOrder(orderNumber).map(({ status }) => status))

test('three payments are authorized one after another', async () => {
  const cards = [VISA, ALSO_GOOD, THIRD]
  const charge = await authorize(orders, order(await newSeller(orders), { cards, amount: 9_000 }))
  expect(charge).toMatchObject({ status: ChargeStatus.AUTHORIZED, authorizedAmount: 9_000 })
  expect(charge.payments.map(({ status }) => status)).toEqual(Array(3).fill(ChargeStatus.AUTHORIZED))
})

test('when the second of three payments is denied, the first is released and the third never tried', async () => {
  const cards = [VISA, DECLINED, THIRD]
  const request = order(await newSeller(orders), { cards, amount: 9_000 })
  const charge = await withKey('all or none', () => authorize(orders, request))
  expect(charge).toMatchObject({ status: ChargeStatus.DENIED, authorizedAmount: 0 })
  expect(charge.payments.map(({ status }) => status)).toEqual([
    ChargeStatus.AUTHORIZED,
    ChargeStatus.DENIED,
    ChargeStatus.FAILED,
  ])
  const done = await resolved(orders, charge, ({ payments }) =>
    expect(payments[0]?.status).toBe(ChargeStatus.VOIDED),
  )
  expect(done.status).toBe(ChargeStatus.DENIED)
  expect(done.transactions.at(-1)).toMatchObject({
    type: TransactionType.VOID,
    status: TransactionStatus.SUCCEEDED,
    amount: 3_000,
  })
  const numbers = done.payments.map(({ acquirer }) => acquirer?.orderNumber)
  expect(statusesAtAcquirer(numbers)).toEqual([[10], [3], []])
  expect(await withKey('all or none', () => authorize(orders, request))).toEqual(charge)
})

test('a release whose answer is lost is found done', async () => {
  const request = order(await newSeller(orders), { cards: [VISA, DECLINED], amount: 6_000 })
  const charge = await authorize(orders, request)
  orders.acquirer.fail('void', 'answer_lost')
  await resolved(orders, charge, ({ payments }) => expect(payments[0]?.status).toBe(ChargeStatus.VOIDED))
  const { paymentId } = orders.acquirer.paymentOf(charge.payments[0])
  expect(orders.acquirer.calls.filter((call) => call.includes(`${paymentId}/void`))).toHaveLength(1)
})

test('a release that did not happen is sent again, once the last one can no longer leave', async () => {
  const request = order(await newSeller(orders), { cards: [VISA, DECLINED], amount: 6_000 })
  const charge = await authorize(orders, request)
  const { paymentId } = orders.acquirer.paymentOf(charge.payments[0])
  orders.acquirer.fail('void', 'lost_undone')
  const voids = () => orders.acquirer.calls.filter((call) => call.includes(`${paymentId}/void`)).length
  await resolved(orders, charge, () => expect(voids()).toBe(1))
  const asked = () => orders.acquirer.calls.filter((call) => call === `GET /1/sales/${paymentId}`).length
  const askedBefore = asked()
  await resolved(orders, charge, () => expect(asked()).toBeGreaterThan(askedBefore + 3))
  expect(voids()).toBe(1)
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ payments }) => expect(payments[0]?.status).toBe(ChargeStatus.VOIDED))
  expect(voids()).toBe(2)
})

test('when the second payment without an answer is found authorized later, all is given back', async () => {
  const cards = [VISA, ALSO_GOOD, THIRD]
  const sellerId = await newSeller(orders)
  orders.acquirer.fail('sale', 'none', 'answer_lost')
  const charge = await authorize(orders, order(sellerId, { cards, amount: 9_000 }))
  expect(charge.status).toBe(ChargeStatus.PENDING)
  const done = await resolved(orders, charge, ({ payments }) =>
    expect(payments.map(({ status }) => status)).toEqual([
      ChargeStatus.VOIDED,
      ChargeStatus.VOIDED,
      ChargeStatus.FAILED,
    ]),
  )
  expect(done.status).toBe(ChargeStatus.FAILED)
  const numbers = done.payments.map(({ acquirer }) => acquirer?.orderNumber)
  expect(statusesAtAcquirer(numbers)).toEqual([[10], [10], []])
})

test('while one payment after another is authorized, the sweeper keeps out of it', async () => {
  orders.acquirer.fail('sale', 'slow', 'slow', 'slow')
  const cards = [VISA, ALSO_GOOD, THIRD]
  const sweeper = repeat(
    () => resolvePending(orders.deps),
    5,
    () => {},
  )
  const charge = await authorize(orders, order(await newSeller(orders), { cards, amount: 9_000 }))
  await sweeper.stop()
  expect(charge.status).toBe(ChargeStatus.AUTHORIZED)
})

test('a capture with an unanswered part is captured when all of it is known, and sends one event', async () => {
  const cards = [VISA, ALSO_GOOD]
  const charge = await authorize(orders, order(await newSeller(orders), { cards, amount: 6_000 }))
  orders.acquirer.fail('capture', 'none', 'answer_lost')
  const pending = await capture(orders, charge)
  expect(pending).toMatchObject({ status: ChargeStatus.AUTHORIZED, capturedAmount: 3_000 })
  await resolved(orders, charge, (current) =>
    expect(current).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 6_000 }),
  )
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [
    String(charge.id),
  ])
  expect(rows.map(({ type }) => type)).toEqual(['charge.authorized', 'charge.captured'])
})

test('a capture with a failed part releases that part', async () => {
  const cards = [VISA, ALSO_GOOD]
  const charge = await authorize(orders, order(await newSeller(orders), { cards, amount: 6_000 }))
  orders.acquirer.fail('capture', { status: 200, body: { Status: 1, ReturnCode: '842' } })
  expect(await capture(orders, charge)).toMatchObject({ status: ChargeStatus.PARTIALLY_CAPTURED })
  const done = await resolved(orders, charge, ({ transactions }) =>
    expect(transactions.at(-1)).toMatchObject({
      type: TransactionType.VOID,
      status: TransactionStatus.SUCCEEDED,
    }),
  )
  const states = done.payments.map((payment) => orders.acquirer.paymentOf(payment).status)
  expect(new Set(states)).toEqual(new Set([2, 10]))
})

test('a capture fills the payments in order and releases the rest', async () => {
  const cards = [VISA, ALSO_GOOD, THIRD]
  const charge = await authorize(orders, order(await newSeller(orders), { cards, amount: 9_000 }))
  const captured = await capture(orders, charge, 4_000)
  expect(captured).toMatchObject({ status: ChargeStatus.PARTIALLY_CAPTURED, capturedAmount: 4_000 })
  const done = await resolved(orders, charge, ({ payments }) =>
    expect(payments.map(({ status }) => status)).toEqual([
      ChargeStatus.CAPTURED,
      ChargeStatus.PARTIALLY_CAPTURED,
      ChargeStatus.VOIDED,
    ]),
  )
  expect(done.status).toBe(ChargeStatus.PARTIALLY_CAPTURED)
  const refunded = await refund(orders, charge, 3_500)
  expect(refunded).toMatchObject({ status: ChargeStatus.PARTIALLY_REFUNDED, refundedAmount: 3_500 })
  expect(refunded.payments.map(({ status }) => status)).toEqual([
    ChargeStatus.REFUNDED,
    ChargeStatus.PARTIALLY_REFUNDED,
    ChargeStatus.VOIDED,
  ])
  expect(await refund(orders, charge)).toMatchObject({ status: ChargeStatus.REFUNDED })
})

test('all payments are voided as one', async () => {
  const cards = [VISA, ALSO_GOOD]
  const charge = await authorize(orders, order(await newSeller(orders), { cards, amount: 6_000 }))
  expect(await refund(orders, charge)).toMatchObject({ status: ChargeStatus.VOIDED, refundedAmount: 0 })
})

test('a direct charge has one payment', async () => {
  const request = order(await newSeller(orders), { cards: [VISA, ALSO_GOOD], capture: true })
  await expect(authorize(orders, request)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
