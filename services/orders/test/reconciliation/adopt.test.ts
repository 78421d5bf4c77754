import { ChargeStatus, TransactionStatus, TransactionType, type Charge } from '@cofre/proto/orders/v1/orders'
import { compareBooks } from '../../src/sweepers/compare-books'
import { ALSO_GOOD, authorize, capture, order, refund, VISA } from '../support/orders'
import { get, newSeller, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
let told: jest.SpyInstance
beforeAll(async () => {
  orders = await startOrders()
})
beforeEach(async () => {
  told = jest.spyOn(orders.deps.log, 'error')
  await orders.pool.query('UPDATE charges SET compare_at = NULL')
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => orders.stop())

/** Compares a charge as if it had last changed a day ago. */
async function look({ id }: Pick<Charge, 'id'>, deps = orders.deps): Promise<void> {
  const due = `UPDATE charges SET updated_at = now() - interval '2 days', compare_at = now() - interval '1 hour' WHERE id = $1`
  await orders.pool.query(due, [id])
  await orders.pool.query("UPDATE comparison_turn SET next_at = now() - interval '1 minute'")
  await compareBooks(deps)
}
const direct = async (cards = [VISA]) =>
  authorize(orders, order(await newSeller(orders), { cards, capture: true }))
const theirs = (charge: Charge, position = 0) => orders.acquirer.paymentOf(charge.payments[position])
const violations = () => told.mock.calls.filter(([, message]) => message === 'invariant violated')
const eventsOf = async ({ id }: Charge): Promise<string[]> => {
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}
const REFUND_THERE = {
  type: TransactionType.REFUND,
  status: TransactionStatus.SUCCEEDED,
  madeByAcquirer: true,
  reason: undefined,
}

test.each([
  ['a part', { voidedAmount: 500 }, 500, ChargeStatus.PARTIALLY_REFUNDED],
  ['all', { status: 10, voidedAmount: 10_000 }, 10_000, ChargeStatus.REFUNDED],
  ['all, its amount left out', { status: 11, voidedAmount: 0 }, 10_000, ChargeStatus.REFUNDED],
])('what was given back there (%s) is adopted once', async (_how, at, amount, status) => {
  const charge = await direct()
  Object.assign(theirs(charge), at)
  await look(charge)
  await look(charge)
  const adopted = await get(orders, charge)
  expect(adopted).toMatchObject({ status, refundedAmount: amount, capturedAmount: 10_000 })
  expect(adopted.transactions.slice(charge.transactions.length)).toMatchObject([{ ...REFUND_THERE, amount }])
  expect(adopted.payments[0]).toMatchObject({ status, refundedAmount: amount })
  expect(await eventsOf(charge)).toEqual(['charge.captured', 'charge.refunded'])
  expect(violations()).toEqual([])
})

test('what was given back later is adopted beside our own refunds, which stay ours', async () => {
  const charge = await refund(orders, await direct(), 2_500)
  theirs(charge).voidedAmount += 1_000
  await look(charge)
  theirs(charge).voidedAmount += 300
  await look(charge)
  const { refundedAmount, transactions } = await get(orders, charge)
  expect(refundedAmount).toBe(3_800)
  expect(transactions.slice(2)).toMatchObject([
    { amount: 2_500, madeByAcquirer: false },
    { ...REFUND_THERE, amount: 1_000 },
    { ...REFUND_THERE, amount: 300 },
  ])
  expect(await refund(orders, await get(orders, charge), 6_200)).toMatchObject({
    status: ChargeStatus.REFUNDED,
  })
  expect(theirs(charge)).toMatchObject({ status: 10, voidedAmount: 10_000 })
})

test('what was given back on both cards is one change with one event', async () => {
  const held = await authorize(orders, order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] }))
  const charge = await capture(orders, held)
  theirs(charge, 0).voidedAmount = 100
  theirs(charge, 1).voidedAmount = 200
  await look(charge)
  const { payments, refundedAmount } = await get(orders, charge)
  expect(payments.map((payment) => payment.refundedAmount)).toEqual([100, 200])
  expect(refundedAmount).toBe(300)
  expect((await eventsOf(charge)).filter((type) => type === 'charge.refunded')).toHaveLength(1)
})

test('one card’s refund is adopted while another’s difference is logged', async () => {
  const held = await authorize(orders, order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] }))
  const charge = await capture(orders, held)
  theirs(charge, 0).voidedAmount = 100
  theirs(charge, 1).capturedAmount = 1
  await look(charge)
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 100 })
  expect(violations()).toMatchObject([[{ position: 1, differences: ['captured'] }, 'invariant violated']])
})

test('an authorization that was voided there is adopted as voided', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  Object.assign(theirs(charge), { status: 10, voidedAmount: 10_000 })
  await look(charge)
  const adopted = await get(orders, charge)
  expect(adopted.status).toBe(ChargeStatus.VOIDED)
  expect(adopted.transactions.at(-1)).toMatchObject({ type: TransactionType.VOID, madeByAcquirer: true })
  expect(await eventsOf(charge)).toEqual(['charge.authorized', 'charge.voided'])
})

test.each(['late', 'done_late'] as const)(
  'our own refund during the look (%s) is counted once',
  async (answer) => {
    const charge = await direct()
    theirs(charge).voidedAmount = 500
    orders.acquirer.fail('query', answer)
    const looking = look(charge)
    await orders.acquirer.whenHeld()
    await refund(orders, charge, 1_000)
    orders.acquirer.release()
    await looking
    expect(await get(orders, charge)).toMatchObject({ refundedAmount: 1_000 })
    await look(charge)
    const { refundedAmount, transactions } = await get(orders, charge)
    expect(refundedAmount).toBe(theirs(charge).voidedAmount)
    expect(transactions.slice(2)).toMatchObject([{ amount: 1_000 }, { ...REFUND_THERE, amount: 500 }])
    expect(violations()).toEqual([])
  },
)

test('looks of two replicas at once adopt once', async () => {
  const charge = await direct()
  theirs(charge).voidedAmount = 500
  const other = await orders.startReplica()
  orders.acquirer.fail('query', 'late', 'late')
  const looking = [look(charge)]
  await orders.acquirer.whenHeld(1)
  looking.push(look(charge, other.deps))
  await orders.acquirer.whenHeld(2)
  orders.acquirer.release()
  await Promise.all(looking)
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 500 })
  expect(await eventsOf(charge)).toEqual(['charge.captured', 'charge.refunded'])
})
