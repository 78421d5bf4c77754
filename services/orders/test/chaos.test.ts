import { repeat } from '@cofre/platform/service/lifecycle'
import { drawn, testSeed, type Random } from '@cofre/testing/random'
import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, type Charge, type Payment } from '@cofre/proto/orders/v1/orders'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { resolvePending } from './support/resolve-pending'
import { ALSO_GOOD, authorize, capture, DECLINED, order, refund, VISA } from './support/orders'
import type { Fault } from './support/small-acquirer'
import { get, newSeller, passDeadlines, startOrders, type TestOrders } from './support/start-orders'

const CHARGES = 40
const FAULTS: Fault[] = ['none', 'none', 'none', 'answer_lost', 'lost_undone', 'done_500', 'http_500']
const CARDS = [[VISA], [VISA], [VISA, ALSO_GOOD], [VISA, DECLINED], [VISA, ALSO_GOOD, DECLINED]]

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '05' })
})
afterAll(() => orders.stop())

/** Requests any number of captures and refunds of a charge, some of them at once; some are refused. */
async function live(random: Random): Promise<Charge | undefined> {
  const { pick } = random
  const below = (limit: number) => random.int(0, limit - 1)
  const request = order(await newSeller(orders), {
    cards: pick(CARDS),
    amount: 6_000,
  })
  const charge = await authorize(orders, request).catch(() => undefined)
  if (!charge) return undefined
  for (let round = 0; round < 3; round++) {
    await Promise.allSettled([
      capture(orders, charge, below(2) ? undefined : 1 + below(6_000)),
      ...Array.from({ length: below(3) }, () =>
        refund(orders, charge, below(3) ? 1 + below(3_000) : undefined),
      ),
    ])
    // The sweeper may resolve lost calls while other requests run.
    await passDeadlines(orders, charge)
  }
  return charge
}

/** Checks that our side of one payment equals the acquirer's side. */
function expectAgreement(payment: Payment): void {
  const made = orders.acquirer.ofOrder(payment.acquirer?.orderNumber)
  const held = made.filter(({ status }) => status === 1 || status === 2)
  const released = made.every(({ status }) => status === 10 || status === 3)
  expect(made.length).toBeLessThanOrEqual(1)
  const [theirs] = made
  if (payment.status === ChargeStatus.AUTHORIZED) expect(theirs?.status).toBe(1)
  else if (payment.status === ChargeStatus.FAILED || payment.status === ChargeStatus.DENIED)
    expect(held).toEqual([])
  else if (payment.status === ChargeStatus.VOIDED) expect(released).toBe(true)
  else expect(theirs?.capturedAmount).toBeGreaterThan(0)
}

test('whichever calls get lost, both sides agree in the end and nothing is done twice', async () => {
  const random = drawn('chaos')
  for (let fault = 0; fault < 400; fault++) {
    for (const kind of ['sale', 'capture', 'void', 'query'] as const)
      orders.acquirer.fail(kind, random.pick(FAULTS))
  }
  const sweeper = repeat(
    () => resolvePending(orders.deps),
    5,
    () => {},
  )
  const charges = await Promise.all(
    Array.from({ length: CHARGES }, (_, index) => live(random.fork(String(index)))),
  )
  orders.acquirer.faults.clear()

  try {
    await eventually(async () => {
      await passDeadlines(orders)
      const { rows } = await orders.pool.query(
        "SELECT charge_id, type FROM transactions WHERE status = 'PENDING'",
      )
      expect(rows).toEqual([])
    })
    for (const charge of charges.filter((one) => one !== undefined)) {
      const now = await get(orders, charge)
      now.payments.forEach(expectAgreement)
      const theirs = now.payments.flatMap(({ acquirer }) => orders.acquirer.ofOrder(acquirer?.orderNumber))
      const captured = theirs.reduce((sum, { capturedAmount }) => sum + capturedAmount, 0)
      const refunded = theirs.reduce((sum, one) => sum + (one.capturedAmount > 0 ? one.voidedAmount : 0), 0)
      expect([now.capturedAmount, now.refundedAmount]).toEqual([captured, refunded])
    }
    await expectEventsWithoutGaps()
  } catch (error) {
    throw new Error(`TEST_SEED=${testSeed()}`, { cause: error })
  } finally {
    await sweeper.stop()
  }
})

async function expectEventsWithoutGaps(): Promise<void> {
  const { rows } = await orders.pool.query('SELECT key, value FROM outbox ORDER BY id')
  const sequences = new Map<string, number[]>()
  for (const { key, value } of rows) {
    const { sequence } = ChargeEvent.fromJSON(JSON.parse(value))
    sequences.set(key, [...(sequences.get(key) ?? []), sequence])
  }
  for (const told of sequences.values()) expect(told).toEqual(told.map((_, index) => index + 1))
}
