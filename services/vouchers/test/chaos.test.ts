import { repeat } from '@cofre/platform/service/lifecycle'
import { drawn, testSeed, type Random } from '@cofre/testing/random'
import { eventually } from '@cofre/testing/testing'
import { VoucherPaymentEvent } from '@cofre/proto/vouchers/v1/events'
import { VoucherPaymentStatus, type VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import type { Fault } from './support/small-issuer'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { passDeadlines, resolvePayments } from './support/resolving'
import { cancel, CARDS, DECLINED, get, newToken, pay, paymentWith, withKey } from './support/vouchers'

const SELLERS = 40
const AWAY = { status: 401, body: {} }
const FAULTS: Fault[] = ['none', 'none', 'none', 'answer_lost', 'lost_undone', 'done_500', 'http_500', AWAY]
const { PAID, DENIED, CANCELED } = VoucherPaymentStatus
/** The issuer's state of a payment of each status. */
const STATES = new Map([
  [PAID, 'approved'],
  [DENIED, 'declined'],
  [CANCELED, 'canceled'],
])

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers({ declinesPerMinute: 10_000 })
  vouchers.issuer.declines.set('0002', '05')
})
afterAll(() => vouchers.stop())

/** Makes payments with one token, each requested twice at once with its key, and cancels them; some are refused. */
async function live(random: Random): Promise<void> {
  const { pick } = random
  const below = (limit: number) => random.int(0, limit - 1)
  const brand = pick(['ALELO', 'VR'] as const)
  const token = await newToken(vouchers, newSeller(vouchers), brand, pick([CARDS, CARDS, DECLINED])[brand])
  for (let round = 0; round < 3; round += 1) {
    const request = paymentWith(token, { amount: 1 + below(10_000) })
    const once = () => withKey(`round-${round}`, () => pay(vouchers, request))
    const answers = await Promise.allSettled([once(), once()])
    const [made] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    if (!made) continue
    if (below(2)) await passDeadlines(vouchers, made)
    await Promise.allSettled(Array.from({ length: below(3) }, () => cancel(vouchers, made)))
    // A lost payment may be resolved while other requests run.
    await passDeadlines(vouchers, made)
  }
}

test('whatever gets lost, both sides agree in the end and nothing is done twice', async () => {
  const random = drawn('chaos')
  for (let fault = 0; fault < 400; fault += 1) {
    for (const kind of ['pay', 'cancel', 'query'] as const) vouchers.issuer.fail(kind, random.pick(FAULTS))
  }
  const sweeper = repeat(
    () => resolvePayments(vouchers.deps),
    5,
    () => {},
  )
  try {
    await Promise.all(Array.from({ length: SELLERS }, (_, index) => live(random.fork(String(index)))))
    vouchers.issuer.recover()
    await eventually(async () => {
      await passDeadlines(vouchers)
      const { rows } = await vouchers.pool.query('SELECT id FROM payments WHERE ask_at IS NOT NULL')
      expect(rows).toEqual([])
    })
    const { rows } = await vouchers.pool.query('SELECT id, seller_id AS "sellerId" FROM payments')
    for (const key of rows) expectAgreement(await get(vouchers, key))
    await expectEventsWithoutGaps()
  } catch (error) {
    throw new Error(`TEST_SEED=${testSeed()}`, { cause: error })
  } finally {
    await sweeper.stop()
  }
})

/** Our side of a payment must be the issuer's side. */
function expectAgreement({ status, orderNumber, amount }: VoucherPayment): void {
  const made = vouchers.issuer.ofOrder(orderNumber)
  const [theirs] = made
  expect(made.length).toBeLessThanOrEqual(1)
  if (status === DENIED && theirs === undefined) return
  expect(theirs).toMatchObject({ state: STATES.get(status), amount })
  expect(theirs?.cancellations.length).toBe(status === CANCELED ? 1 : 0)
}

async function expectEventsWithoutGaps(): Promise<void> {
  const { rows } = await vouchers.pool.query(
    "SELECT key, value FROM outbox WHERE topic = 'voucher-payments.v1' ORDER BY id",
  )
  const sequences = new Map<string, number[]>()
  for (const { key, value } of rows) {
    const { sequence } = VoucherPaymentEvent.fromJSON(JSON.parse(value))
    sequences.set(key, [...(sequences.get(key) ?? []), sequence])
  }
  expect(sequences.size).toBeGreaterThan(0)
  for (const told of sequences.values()) expect(told).toEqual(told.map((_, index) => index + 1))
}
