import { callRpc } from '@cofre/platform/grpc/client'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { ChargeAction, ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { ALSO_GOOD, authorize, capture, order, refund, VISA, withPayment } from '../support/orders'
import { newSeller, passDeadlines, resolved, startOrders, type TestOrders } from '../support/start-orders'

const { FAILED, PENDING } = TransactionStatus
const REFUSED = { status: 200, body: { Status: 1, ReturnCode: '842' } }
const TOO_MANY_CALLS = { status: 429, body: '' }

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterEach(() => orders.acquirer.faults.clear())
afterAll(() => orders.stop())

const authorized = async (cards = [VISA]) => authorize(orders, order(await newSeller(orders), { cards }))
const captured = async () => authorize(orders, order(await newSeller(orders), { capture: true }))
/** The types of a charge's events after the first, which reports its authorization. */
async function toldOf({ id }: Charge): Promise<string[]> {
  const text = 'SELECT type, value FROM outbox WHERE key = $1 ORDER BY id'
  const { rows } = await orders.pool.query<{ type: string; value: string }>(text, [String(id)])
  const events = rows.map(({ value }) => ChargeEvent.fromJSON(JSON.parse(value)))
  expect(events.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1))
  return rows.slice(1).map(({ type }) => type)
}

test.each([
  ['capture', 'charge.capture_failed', authorized, (charge: Charge) => capture(orders, charge), 'capture'],
  ['refund', 'charge.refund_failed', captured, (charge: Charge) => refund(orders, charge, 1_000), 'void'],
  ['void', 'charge.void_failed', () => authorized(), (charge: Charge) => refund(orders, charge), 'void'],
] as const)(
  'a %s that was answered PENDING and did not happen sends an event',
  async (_name, event, make, ask, call) => {
    const charge = await make()
    orders.acquirer.fail(call, 'lost_undone')
    expect((await ask(charge)).transactions.at(-1)?.status).toBe(PENDING)
    expect(await toldOf(charge)).toEqual([])
    await passDeadlines(orders, charge)
    const failed = await resolved(orders, charge, ({ transactions }) =>
      expect(transactions.at(-1)?.status).toBe(FAILED),
    )
    expect(await toldOf(charge)).toEqual([event])
    expect(failed.transactions.at(-1)?.failure).toMatchObject({ code: 'NOT_DONE', acquirerCode: '' })
  },
)

test('a capture that the acquirer refuses shows why, with the code of the acquirer', async () => {
  const charge = await authorized()
  orders.acquirer.fail('capture', REFUSED)
  const failed = (await capture(orders, charge)).transactions.at(-1)
  expect(failed).toMatchObject({ payment: 0, failure: { code: 'ACQUIRER_REFUSED', acquirerCode: '842' } })
  expect(failed?.failure?.message).toMatch(/refused/)
})

test('while a capture is pending, another one is refused with its amount, and may be repeated', async () => {
  const charge = await authorized()
  orders.acquirer.fail('capture', 'lost_undone')
  await capture(orders, charge, 300)
  await expect(capture(orders, charge)).rejects.toMatchObject({
    reason: 'INVALID_CHARGE_STATE',
    message: 'A capture of 300 cents is still pending. Read the charge again after Retry-After.',
    extra: { retryAfterSeconds: 2 },
  })
})

test('a charge shows the actions that it allows', async () => {
  const { CAPTURE, REFUND, METADATA } = ChargeAction
  const charge = await authorized()
  expect(charge.allowedActions).toEqual([CAPTURE, REFUND, METADATA])
  expect((await capture(orders, charge)).allowedActions).toEqual([REFUND, METADATA])
  expect((await refund(orders, charge)).allowedActions).toEqual([METADATA])
})

test('installment amounts are those of the captured amount', async () => {
  const charge = await authorize(orders, withPayment(order(await newSeller(orders)), { installments: 3 }))
  const [payment] = (await capture(orders, charge, 1_000)).payments
  expect(payment).toMatchObject({
    capturedAmount: 1_000,
    refundedAmount: 0,
    installmentAmounts: [334, 333, 333],
  })
})

test('a capture that fails on both of its cards sends one event', async () => {
  const charge = await authorized([VISA, ALSO_GOOD])
  orders.acquirer.fail('capture', 'lost_undone', TOO_MANY_CALLS)
  await capture(orders, charge)
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ transactions }) => expect(transactions.at(-1)?.status).toBe(FAILED))
  expect(await toldOf(charge)).toEqual(['charge.capture_failed'])
})

test('a capture that one card took and another refused later sends both events', async () => {
  const charge = await authorized([VISA, ALSO_GOOD])
  orders.acquirer.fail('capture', TOO_MANY_CALLS)
  await capture(orders, charge)
  orders.acquirer.fail('capture', REFUSED)
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.PARTIALLY_CAPTURED))
  expect(await toldOf(charge)).toEqual(['charge.captured', 'charge.capture_failed'])
})

test('operations sent after the event of a failure continue its count of events', async () => {
  const charge = await authorize(orders, order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] }))
  await capture(orders, charge)
  orders.acquirer.fail('void', 'lost_undone')
  await refund(orders, charge, 1_000)
  // The second part of this refund is turned away, and sent once the first refund has failed.
  orders.acquirer.fail('void', TOO_MANY_CALLS)
  await refund(orders, charge, 6_000)
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ transactions }) =>
    expect(transactions.some(({ status }) => status === PENDING)).toBe(false),
  )
  const told = await toldOf(charge)
  expect(told.filter((type) => type === 'charge.refund_failed')).toHaveLength(1)
  expect(told.filter((type) => type === 'charge.refunded')).toHaveLength(2)
})

test('a refund that a person closed as failed sends an event', async () => {
  const charge = await captured()
  orders.acquirer.fail('void', 'lost_undone')
  const { transactions } = await refund(orders, charge, 1_000)
  await passDeadlines(orders, charge)
  await callRpc(orders.admin, orders.admin.resolveTransaction, {
    sellerId: charge.sellerId,
    chargeId: charge.id,
    transactionId: transactions.length,
    status: FAILED,
    reason: 'ticket 4711',
    acquirerPaymentId: '',
    resolvedBy: 'ana',
  })
  expect(await toldOf(charge)).toEqual(['charge.refund_failed'])
})

test('a capture that its own answer calls refused sends no event, nor does one that happened', async () => {
  const charge = await authorized()
  orders.acquirer.fail('capture', REFUSED, 'answer_lost')
  expect((await capture(orders, charge)).transactions.at(-1)?.status).toBe(FAILED)
  expect(await toldOf(charge)).toEqual([])
  await capture(orders, charge)
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.CAPTURED))
  expect(await toldOf(charge)).toEqual(['charge.captured'])
})
