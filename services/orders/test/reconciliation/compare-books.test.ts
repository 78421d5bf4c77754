import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { compareBooks } from '../../src/sweepers/compare-books'
import { authorize, capture, DECLINED, order, refund, VISA, ALSO_GOOD } from '../support/orders'
import { get, newSeller, resolved, startOrders, type TestOrders } from '../support/start-orders'
import type { AcquirerPayment } from '../support/small-acquirer'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let orders: TestOrders
let told: jest.SpyInstance
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set(DECLINED.slice(-4), { code: '05' })
})
beforeEach(async () => {
  told = jest.spyOn(orders.deps.log, 'error')
  await orders.pool.query('UPDATE charges SET compare_at = NULL')
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => orders.stop())

/** Ages a charge by that much time since its change. */
const age = ({ id }: Pick<Charge, 'id'>, ms: number) =>
  orders.pool.query(
    `UPDATE charges SET created_at = created_at - $2 * interval '1 millisecond',
       updated_at = updated_at - $2 * interval '1 millisecond',
       compare_at = compare_at - $2 * interval '1 millisecond' WHERE id = $1`,
    [id, ms],
  )
/** Takes the sweeper's next turn at once. */
async function compare(deps = orders.deps): Promise<number> {
  await orders.pool.query("UPDATE comparison_turn SET next_at = now() - interval '1 minute'")
  return compareBooks(deps)
}
const nextOf = async ({ id }: Pick<Charge, 'id'>): Promise<number | null> => {
  const { rows } = await orders.pool.query('SELECT compare_at AS at FROM charges WHERE id = $1', [id])
  return rows[0].at?.getTime() ?? null
}
const queries = () => orders.acquirer.calls.filter((call) => call.startsWith('GET')).length
const violations = () => told.mock.calls.filter(([, message]) => message === 'invariant violated')
const direct = async (cards = [VISA]) =>
  authorize(orders, order(await newSeller(orders), { cards, capture: true }))
const held = async () => authorize(orders, order(await newSeller(orders)))

test.each<[string, () => Promise<Charge>]>([
  ['captured', () => direct()],
  ['held', held],
  ['declined', () => direct([DECLINED])],
  ['voided before its capture', async () => refund(orders, await held())],
  ['captured in part', async () => capture(orders, await held(), 4_000)],
  ['refunded in parts', async () => refund(orders, await refund(orders, await direct(), 2_500), 1_000)],
  ['refunded whole', async () => refund(orders, await refund(orders, await direct(), 2_500))],
  [
    'captured on two cards',
    async () =>
      capture(orders, await authorize(orders, order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] }))),
  ],
  [
    'declined on one of two cards',
    async () => {
      const charge = await authorize(orders, order(await newSeller(orders), { cards: [VISA, DECLINED] }))
      return resolved(orders, charge, ({ transactions }) =>
        expect(transactions.map(({ status }) => status)).not.toContain(1),
      )
    },
  ],
])('a charge that was %s agrees, and is looked at once unless it took money', async (_how, make) => {
  const charge = await make()
  await age(charge, DAY_MS)
  const asked = queries()
  expect(await compare()).toBe(1)
  expect(queries()).toBeGreaterThan(asked)
  expect(violations()).toEqual([])
  expect((await nextOf(charge)) !== null).toBe(charge.capturedAmount > charge.refundedAmount)
  expect(await compare()).toBe(0)
})

test('a captured charge is compared after 1, 7, 30, 90 and 180 days, and no more', async () => {
  const charge = await direct()
  let days = 0
  for (const day of [1, 7, 30, 90, 180]) {
    await age(charge, (day - days) * DAY_MS)
    days = day
    const asked = queries()
    expect(await compare()).toBe(1)
    expect(queries()).toBe(asked + 1)
  }
  expect(await nextOf(charge)).toBeNull()
  expect(violations()).toEqual([])
})

test('an absence is a difference within the time that the acquirer answers for, and proves nothing after it', async () => {
  const charge = await direct()
  Object.assign(orders.acquirer.paymentOf(charge.payments[0]), { paymentId: 'gone', orderNumber: 'gone' })
  await age(charge, 30 * DAY_MS)
  await compare()
  expect(violations()).toMatchObject([[{ differences: ['absent'] }, 'invariant violated']])
  await age(charge, 60 * DAY_MS)
  const asked = queries()
  expect(await compare()).toBe(1)
  expect(queries()).toBeGreaterThan(asked)
  expect(violations()).toHaveLength(1)
  expect(await nextOf(charge)).toBeGreaterThan(Date.now() + 80 * DAY_MS)
})

test.each<[string, () => Promise<Charge>, Partial<AcquirerPayment>, string[]]>([
  ['took money that we did not ask for', held, { status: 2, capturedAmount: 10_000 }, ['captured', 'held']],
  ['took less', () => direct(), { capturedAmount: 9_000 }, ['captured']],
  [
    'gave less back than we know',
    async () => refund(orders, await direct(), 2_500),
    { voidedAmount: 1_000 },
    ['refunded'],
  ],
  ['gave back more than it took', () => direct(), { voidedAmount: 10_001 }, ['refunded']],
  [
    'gave back of another amount than we took',
    () => direct(),
    { capturedAmount: 9_000, voidedAmount: 500 },
    ['captured', 'refunded'],
  ],
  ['took nothing', () => direct(), { status: 1, capturedAmount: 0 }, ['captured', 'held']],
  ['holds what it declined', () => direct([DECLINED]), { status: 1, returnCode: '4' }, ['held']],
  ['took what it declined', () => direct([DECLINED]), { status: 2, capturedAmount: 10_000 }, ['captured']],
  ['aborted what is held', held, { status: 13 }, ['held']],
  ['has another amount', held, { amount: 9_900 }, ['amount']],
  ['does not know it', () => direct(), { paymentId: 'gone', orderNumber: 'gone' }, ['absent']],
])(
  'an acquirer that %s is logged, without the card, daily until it agrees',
  async (_how, make, at, differences) => {
    const charge = await make()
    const [payment] = charge.payments
    const theirs = orders.acquirer.paymentOf(payment)
    const before = { ...theirs }
    Object.assign(theirs, at)
    await age(charge, DAY_MS)
    await compare()
    const facts = { chargeId: charge.id, position: 0, invariant: 'acquirer-book-agrees', differences }
    expect(violations()).toMatchObject([[facts, 'invariant violated']])
    const line = JSON.stringify(violations())
    expect(line).not.toContain(VISA.slice(0, 6))
    expect(line).not.toContain('Ana')
    expect(await get(orders, charge)).toMatchObject({
      status: charge.status,
      capturedAmount: charge.capturedAmount,
    })

    expect(await compare()).toBe(0)
    await age(charge, DAY_MS)
    await compare()
    expect(violations()).toHaveLength(2)
    Object.assign(theirs, before)
    await age(charge, DAY_MS)
    await compare()
    expect(violations()).toHaveLength(2)
    expect((await nextOf(charge)) ?? Infinity).toBeGreaterThan(Date.now() + 2 * DAY_MS)
  },
)

test('a charge is not asked about within a day of its last change', async () => {
  const charge = await direct()
  await age(charge, DAY_MS - HOUR_MS)
  expect(await compare()).toBe(0)
  await refund(orders, charge, 1_000)
  await age(charge, HOUR_MS)
  const asked = queries()
  expect(await compare()).toBe(1)
  expect(queries()).toBe(asked)
  expect(await nextOf(charge)).toBeGreaterThan(Date.now() + 22 * HOUR_MS)
})

test('a charge that changes after its comparison is compared again', async () => {
  const charge = await direct()
  await age(charge, DAY_MS)
  await compare()
  await refund(orders, charge, 1_000)
  orders.acquirer.paymentOf(charge.payments[0]).voidedAmount = 0
  await age(charge, DAY_MS)
  expect(await compare()).toBe(1)
  expect(violations()).toMatchObject([
    [{ chargeId: charge.id, differences: ['refunded'] }, 'invariant violated'],
  ])
})

test.each(['late', 'done_late'] as const)(
  'a change during the comparison (%s) is no difference, and is compared again',
  async (answer) => {
    const charge = await direct()
    await age(charge, DAY_MS)
    orders.acquirer.fail('query', answer)
    const comparing = compare()
    await orders.acquirer.whenHeld()
    await refund(orders, charge, 1_000)
    orders.acquirer.release()
    await comparing
    expect(violations()).toEqual([])
    expect(await nextOf(charge)).toBeGreaterThan(Date.now())
  },
)

test.each(['http_500', 'answer_lost'] as const)(
  'an acquirer that does not answer (%s) is asked again in an hour',
  async (fault) => {
    const charge = await direct()
    await age(charge, DAY_MS)
    orders.acquirer.fail('query', fault)
    await compare()
    expect(violations()).toEqual([])
    expect(await compare()).toBe(0)
    expect(await nextOf(charge)).toBeLessThan(Date.now() + 2 * HOUR_MS)
    orders.acquirer.paymentOf(charge.payments[0]).capturedAmount = 1
    await age(charge, HOUR_MS)
    await compare()
    expect(violations()).toHaveLength(1)
  },
)

test('a charge without an answer for days is asked about ever more rarely', async () => {
  const charge = await direct()
  await age(charge, 4 * DAY_MS)
  orders.acquirer.fail('query', 'http_500')
  await compare()
  expect(await nextOf(charge)).toBeGreaterThan(Date.now() + 2 * DAY_MS)
})

test('a pending charge waits for its end; one that is too old for an answer is not asked about', async () => {
  orders.acquirer.fail('sale', 'hang_undone')
  const asking = authorize(orders, order(await newSeller(orders)))
  await orders.acquirer.whenHeld()
  orders.acquirer.release()
  const pending = await asking
  expect(pending.status).toBe(ChargeStatus.PENDING)
  const old = await direct()
  await age(pending, DAY_MS)
  await refund(orders, old, 10_000)
  await age(old, 90 * DAY_MS)
  const asked = queries()
  expect(await compare()).toBe(2)
  expect(queries()).toBe(asked)
  expect(await nextOf(pending)).toBeGreaterThan(Date.now())
  expect(await nextOf(old)).toBeNull()
})

test('replicas share their turns, and look at each charge once', async () => {
  // A turn lasts longer than this test.
  const slow = { comparedPerMinute: 1 }
  const one = await orders.startReplica(undefined, slow)
  const other = await orders.startReplica(undefined, slow)
  const charges = []
  for (let made = 0; made < 7; made++) charges.push(await direct())
  for (const charge of charges) await age(charge, DAY_MS)
  const asked = queries()
  await orders.pool.query("UPDATE comparison_turn SET next_at = now() - interval '1 minute'")
  const counts = await Promise.all([compareBooks(one.deps), compareBooks(other.deps)])
  expect(counts.toSorted((few, many) => few - many)).toEqual([0, 5])
  expect(await compareBooks(other.deps)).toBe(0)
  expect(
    (await Promise.all([compare(one.deps), compareBooks(other.deps)])).reduce((sum, each) => sum + each),
  ).toBe(2)
  expect(queries()).toBe(asked + 7)
})

test('a turn takes more the longer the oldest has waited, and never more than the setting allows', async () => {
  const { deps } = await orders.startReplica(undefined, { comparedPerMinute: 480 })
  const charges: Charge[] = []
  for (let made = 0; made < 15; made++) charges.push(await direct())
  const due = (waited: string) =>
    orders.pool.query(
      `UPDATE charges SET updated_at = now() - interval '8 days', compare_at = now() - $2::interval WHERE id = ANY($1)`,
      [charges.map(({ id }) => id), waited],
    )
  await due('1 minute')
  expect(await compare(deps)).toBe(5)
  await due('50 minutes')
  expect(await compare(deps)).toBe(7)
  await due('3 hours')
  expect(await compare(deps)).toBe(8)
})
