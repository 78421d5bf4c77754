import { createPool } from '@cofre/platform/postgres/postgres'
import { eventually, PATIENT } from '@cofre/testing/testing'
import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { resolvePending } from '../support/resolve-pending'
import { ALSO_GOOD, authorize, capture, order, refund, VISA } from '../support/orders'
import {
  get,
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  withKey,
  type TestOrders,
} from '../support/start-orders'

const { SUCCEEDED, FAILED, PENDING } = TransactionStatus
const TOO_MANY_CALLS = { status: 429, body: '' }
const REFUSED = { status: 200, body: { Status: 1, ReturnCode: '842' } }

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterEach(() => orders.acquirer.faults.clear())
afterAll(() => orders.stop())

/** 6000 and 4000 on two cards, authorized. */
async function onTwoCards(): Promise<Charge> {
  const request = order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] })
  const payments = request.payments.map((payment, index) => ({
    ...payment,
    amount: [6_000, 4_000][index] ?? 0,
  }))
  return authorize(orders, { ...request, payments })
}
const statusesOf = ({ transactions }: Charge) => transactions.slice(2).map(({ status }) => status)
const atAcquirer = (charge: Charge) => charge.payments.map((one) => orders.acquirer.paymentOf(one))
const callsOf = (charge: Charge, call: 'capture' | 'void') =>
  atAcquirer(charge).flatMap(({ paymentId }) =>
    orders.acquirer.calls.filter((path) => path.includes(`${paymentId}/${call}`)),
  )
const eventsOf = async ({ id }: Charge) => {
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}

test.each([401, 403, 429])(
  'a part of a capture that was turned away (%i) stays pending and is sent, and all is captured',
  async (status) => {
    const charge = await onTwoCards()
    orders.acquirer.fail('capture', { status, body: '' })
    const first = await withKey(`capture ${status}`, () => capture(orders, charge))
    expect(first.status).toBe(ChargeStatus.AUTHORIZED)
    expect(statusesOf(first).toSorted()).toEqual([PENDING, SUCCEEDED])
    await expect(capture(orders, charge)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })

    const done = await resolved(orders, charge, (now) => expect(now.status).toBe(ChargeStatus.CAPTURED))
    expect(done).toMatchObject({ capturedAmount: 10_000, refundedAmount: 0 })
    expect(atAcquirer(done).map((one) => [one.status, one.capturedAmount])).toEqual([
      [2, 6_000],
      [2, 4_000],
    ])
    expect(callsOf(charge, 'capture')).toHaveLength(3)
    expect(await eventsOf(charge)).toEqual(['charge.authorized', 'charge.captured'])
    expect(await withKey(`capture ${status}`, () => capture(orders, charge))).toEqual(first)
  },
)

test('a part of a void that was not sent is sent, and nothing stays held', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('void', TOO_MANY_CALLS)
  const first = await refund(orders, charge)
  expect(statusesOf(first).toSorted()).toEqual([PENDING, SUCCEEDED])
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.VOIDED))
  expect(atAcquirer(charge).map(({ status }) => status)).toEqual([10, 10])
  expect(await eventsOf(charge)).toEqual(['charge.authorized', 'charge.voided'])
})

test('a part of a refund that was not sent is sent, and its amount counts meanwhile', async () => {
  const charge = await onTwoCards()
  await capture(orders, charge)
  orders.acquirer.fail('void', TOO_MANY_CALLS)
  expect((await refund(orders, charge)).status).toBe(ChargeStatus.PARTIALLY_REFUNDED)
  await expect(refund(orders, charge, 1)).rejects.toMatchObject({ reason: 'REFUND_EXCEEDS_CAPTURED' })
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.REFUNDED))
  expect(atAcquirer(charge).map(({ voidedAmount }) => voidedAmount)).toEqual([6_000, 4_000])
})

test('a part that is turned away again waits again', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('capture', TOO_MANY_CALLS)
  await capture(orders, charge)
  orders.acquirer.fail('capture', TOO_MANY_CALLS, TOO_MANY_CALLS)
  const done = await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.CAPTURED))
  expect(done.capturedAmount).toBe(10_000)
  expect(callsOf(charge, 'capture')).toHaveLength(5)
})

test('a part for which the acquirer was too busy leaves again, not sooner than 5 s later', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('void', { status: 400, body: [{ Code: 223 }] })
  const busySince = Date.now()
  expect(statusesOf(await refund(orders, charge)).toSorted()).toEqual([PENDING, SUCCEEDED])
  const { rows } = await orders.pool.query('SELECT ask_at FROM charges WHERE id = $1', [charge.id])
  expect(rows[0].ask_at.getTime()).toBeGreaterThanOrEqual(busySince + 5_000)
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.VOIDED))
})

test('a capture without any sent part may be repeated with its key', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('capture', TOO_MANY_CALLS, { status: 401, body: '' })
  const again = () => withKey('nothing left', () => capture(orders, charge))
  await expect(again()).rejects.toMatchObject({ kind: 'unavailable' })
  expect(statusesOf(await get(orders, charge))).toEqual([FAILED, FAILED])
  expect(await again()).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 10_000 })
})

test('a capture with one part refused and the other not sent did nothing: another may follow', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('capture', REFUSED, TOO_MANY_CALLS)
  const refused = await capture(orders, charge)
  expect(refused.status).toBe(ChargeStatus.AUTHORIZED)
  expect(statusesOf(refused)).toEqual([FAILED, FAILED])
  expect(await capture(orders, charge)).toMatchObject({ capturedAmount: 10_000 })
})

test('an unsent part waits for one without an answer: if that did not happen, both may be captured again', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('capture', 'lost_undone', TOO_MANY_CALLS)
  expect(statusesOf(await capture(orders, charge))).toEqual([PENDING, PENDING])
  await passDeadlines(orders, charge)
  const done = await resolved(orders, charge, (now) => expect(statusesOf(now)).toEqual([FAILED, FAILED]))
  expect(done.status).toBe(ChargeStatus.AUTHORIZED)
  expect(callsOf(charge, 'capture')).toHaveLength(2)
  expect(await capture(orders, charge)).toMatchObject({ capturedAmount: 10_000 })
})

test('an unsent part waits for one without an answer: if that happened, both are captured', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('capture', 'answer_lost', TOO_MANY_CALLS)
  expect(statusesOf(await capture(orders, charge))).toEqual([PENDING, PENDING])
  const done = await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.CAPTURED))
  expect(done.capturedAmount).toBe(10_000)
})

test('two sweepers at once send a part once', async () => {
  const charge = await onTwoCards()
  orders.acquirer.fail('capture', TOO_MANY_CALLS)
  await capture(orders, charge)
  const other = await orders.startReplica()
  await eventually(async () => {
    await Promise.all([resolvePending(orders.deps), resolvePending(other.deps)])
    expect((await get(orders, charge)).status).toBe(ChargeStatus.CAPTURED)
  })
  expect(callsOf(charge, 'capture')).toHaveLength(3)
})

test.each([
  ['hang', ChargeStatus.CAPTURED],
  ['hang_undone', ChargeStatus.PARTIALLY_CAPTURED],
] as const)(
  'a part that a dying sweeper has sent (%s) is asked about, and never sent again',
  async (fault, end) => {
    const charge = await onTwoCards()
    orders.acquirer.fail('capture', 'none', TOO_MANY_CALLS)
    await capture(orders, charge)
    const sent = atAcquirer(charge).map(({ capturedAmount }) => capturedAmount)
    const pool = createPool({ url: orders.url, max: 2, name: 'doomed', ...PATIENT }, () => {})
    const replica = await orders.startReplica(pool)
    orders.acquirer.fail('capture', fault)
    await passDeadlines(orders, charge)
    const dying = resolvePending(replica.deps)
    await eventually(() => expect(callsOf(charge, 'capture')).toHaveLength(3))
    await pool.end()
    orders.acquirer.release()
    await dying
    await passDeadlines(orders, charge)
    const done = await resolved(orders, charge, ({ transactions }) =>
      expect(transactions.every(({ status }) => status !== PENDING)).toBe(true),
    )
    const captured = fault === 'hang' ? 10_000 : sent.reduce((sum, each) => sum + each, 0)
    expect([done.status, done.capturedAmount]).toEqual([end, captured])
    expect(callsOf(charge, 'capture')).toHaveLength(3)
  },
)
