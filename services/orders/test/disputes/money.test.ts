import { ChargeAction, ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { compareBooks } from '../../src/sweepers/compare-books'
import { captured, ask, disputed, tidOf } from '../support/disputes'
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

/** Compares a charge as if it had last changed two days ago. */
async function look({ id }: Pick<Charge, 'id'>): Promise<void> {
  await orders.pool.query(
    "UPDATE charges SET updated_at = now() - interval '2 days', compare_at = now() - interval '1 hour' WHERE id = $1",
    [id],
  )
  await orders.pool.query("UPDATE comparison_turn SET next_at = now() - interval '1 minute'")
  await compareBooks(orders.deps)
}

const theirs = (charge: Charge) => orders.acquirer.paymentOf(charge.payments[0])
const violations = () => told.mock.calls.filter(([, message]) => message === 'invariant violated')

test('a refund leaves disputed money alone, and takes what is not disputed', async () => {
  const { charge } = await disputed(orders, { amount: 60 })
  await expect(refund(orders, charge, 4_001)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'CHARGE_DISPUTED',
    extra: { errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 4000' }] },
  })
  await expect(refund(orders, charge, 10_001)).rejects.toMatchObject({ reason: 'REFUND_EXCEEDS_CAPTURED' })
  expect(await refund(orders, charge)).toMatchObject({ refundedAmount: 4_000, disputedAmount: 6_000 })
  const left = await get(orders, charge)
  expect(left.allowedActions).not.toContain(ChargeAction.REFUND)
  await expect(refund(orders, charge, 1)).rejects.toMatchObject({ reason: 'CHARGE_DISPUTED' })
  expect(theirs(charge).voidedAmount).toBe(4_000)
})

test('a dispute of the whole after a refund of a part is no fault; once it is won, the rest can be refunded', async () => {
  const { charge, number } = await captured(orders)
  await refund(orders, charge, 3_000)
  const found = orders.acquirer.disputes.open(number, { sale: { tid: tidOf(charge) } })
  await ask(orders, charge.sellerId)
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 3_000, disputedAmount: 10_000 })
  await expect(refund(orders, charge)).rejects.toMatchObject({ reason: 'CHARGE_DISPUTED' })
  Object.assign(found, { state: 'done', action: 'A favor do Estabelecimento', actionTakenCode: 'RECUSADO' })
  await ask(orders, charge.sellerId)
  expect(await refund(orders, charge)).toMatchObject({ status: ChargeStatus.REFUNDED, disputedAmount: 0 })
})

test('of two cards, a dispute holds back its own', async () => {
  const number = '2000000001'
  const sellerId = await newSeller(orders, number)
  const held = await authorize(orders, order(sellerId, { cards: [VISA, ALSO_GOOD] }))
  const charge = await capture(orders, held)
  orders.acquirer.disputes.open(number, {
    amount: 50,
    sale: { tid: charge.payments[1]?.acquirer?.tid ?? '' },
  })
  const [dispute] = await ask(orders, sellerId)
  expect(dispute).toMatchObject({ chargeId: charge.id, payment: 1, amount: 5_000 })
  await expect(refund(orders, charge, 5_001)).rejects.toMatchObject({ reason: 'CHARGE_DISPUTED' })
  const after = await refund(orders, charge, 5_000)
  expect(after.payments.map(({ refundedAmount }) => refundedAmount)).toEqual([5_000, 0])
})

test('a dispute that comes while a refund is under way changes the charge under it, and both are kept', async () => {
  const { charge, number } = await captured(orders)
  orders.acquirer.fail('void', 'done_late')
  const refunding = refund(orders, charge, 1_000)
  await orders.acquirer.whenHeld()
  orders.acquirer.disputes.open(number, { amount: 20, sale: { tid: tidOf(charge) } })
  await ask(orders, charge.sellerId)
  orders.acquirer.release()
  await refunding
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 1_000, disputedAmount: 2_000 })
})

test.each([
  ['counts it as given back', { status: 10, voidedAmount: 10_000 }],
  ['does not count it', {}],
])('money that a dispute took is no refund and no difference, where the acquirer %s', async (_, at) => {
  const { charge } = await disputed(orders)
  Object.assign(theirs(charge), at)
  await look(charge)
  expect(await get(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED, refundedAmount: 0 })
  expect(violations()).toEqual([])
})

test('beside a dispute, what was given back at the acquirer is adopted', async () => {
  const { charge } = await disputed(orders, { amount: 60 })
  theirs(charge).voidedAmount = 7_500
  await look(charge)
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 1_500, disputedAmount: 6_000 })
})

test('a dispute that is not known yet is asked for before money counts as given back', async () => {
  const { charge, number } = await captured(orders)
  orders.acquirer.disputes.open(number, { sale: { tid: tidOf(charge) } })
  Object.assign(theirs(charge), { status: 10, voidedAmount: 10_000 })
  orders.acquirer.fail('cases', 'http_500')
  await look(charge)
  // The acquirer did not show its cases: nothing is concluded.
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 0, disputedAmount: 0 })
  await look(charge)
  expect(await get(orders, charge)).toMatchObject({ refundedAmount: 0, disputedAmount: 10_000 })
  await look(charge)
  expect(await get(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED, refundedAmount: 0 })
  expect(violations()).toEqual([])
})
