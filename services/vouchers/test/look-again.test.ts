import { randomUUID } from 'node:crypto'
import { eventually } from '@cofre/testing/testing'
import { VoucherPaymentStatus, type VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { lookAgain } from '../src/sweepers/look-again'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf, passDeadlines, resolved, resolvePayments } from './support/resolving'
import { get, newToken, pay, paymentWith, type Brand } from './support/vouchers'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let vouchers: TestVouchers
beforeAll(async () => {
  // Longer than any of these tests waits: a call counts as under way until `passDeadlines`.
  vouchers = await startVouchers({ issuerTimeoutMs: 60_000 })
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => vouchers.stop())

const { DENIED, PAID, CANCELED } = VoucherPaymentStatus

/** A payment that was denied because the issuer did not know it. */
async function deniedByAbsence(brand: Brand = 'ALELO'): Promise<VoucherPayment> {
  vouchers.issuer.fail('pay', 'lost_undone')
  const payment = await pay(vouchers, paymentWith(await newToken(vouchers, newSeller(vouchers), brand)))
  await passDeadlines(vouchers, payment)
  return resolved(vouchers, payment, ({ status }) => expect(status).toBe(DENIED))
}
/** Adds the payment at the issuer, which comes to know it after all. */
function approvedLate({ orderNumber, amount }: VoucherPayment) {
  const payment = {
    paymentId: randomUUID(),
    orderNumber,
    amount,
    state: 'approved' as const,
    code: '00',
    asked: {},
    cancellations: [] as string[],
  }
  vouchers.issuer.payments.push(payment)
  return payment as Omit<typeof payment, 'state'> & { state: string }
}
/** Makes the denial of a payment older by so much time. */
const pass = ({ id }: VoucherPayment, ms: number) =>
  vouchers.pool.query(
    `UPDATE payments SET absent_since = absent_since - $2 * interval '1 millisecond',
       look_again_at = look_again_at - $2 * interval '1 millisecond' WHERE id = $1`,
    [id, ms],
  )
const row = async ({ id }: VoucherPayment) => {
  const { rows } = await vouchers.pool.query(
    'SELECT look_again_at AS "lookAgainAt", operation_type AS operation FROM payments WHERE id = $1',
    [id],
  )
  return rows[0] as { lookAgainAt: Date | null; operation: string | null }
}
/** Runs the resolving sweeper until the release is over. */
const releaseEnds = (payment: VoucherPayment) =>
  eventually(async () => {
    await resolvePayments(vouchers.deps)
    await passDeadlines(vouchers, payment)
    expect((await row(payment)).operation).toBeNull()
  })

test('a payment that the issuer did not know is asked about again after an hour and a day, and no more', async () => {
  const payment = await deniedByAbsence()
  const asked = vouchers.issuer.queriesAbout(payment)
  const denied = await get(vouchers, payment)
  const looks = async (ms: number) => {
    await pass(payment, ms)
    await lookAgain(vouchers.deps)
    return vouchers.issuer.queriesAbout(payment) - asked
  }
  expect(await looks(59 * MINUTE_MS)).toBe(0)
  expect(await looks(2 * MINUTE_MS)).toBe(1)
  expect(await looks(22 * HOUR_MS)).toBe(1)
  expect(await looks(1 * HOUR_MS)).toBe(2)
  expect(await row(payment)).toEqual({ lookAgainAt: null, operation: null })
  expect(denied.status).toBe(DENIED)
  expect(await get(vouchers, payment)).toEqual(denied)
})

test.each(['ALELO', 'VR'] as const)('a %s payment that turns up is given back and logged', async (brand) => {
  const payment = await deniedByAbsence(brand)
  const late = approvedLate(payment)
  const told = jest.spyOn(vouchers.deps.log, 'error')
  await pass(payment, HOUR_MS)
  await lookAgain(vouchers.deps)
  const violation = { paymentId: payment.id, invariant: 'absence-lasts' }
  expect(told).toHaveBeenCalledWith(violation, 'invariant violated')
  expect(await row(payment)).toEqual({ lookAgainAt: null, operation: 'RELEASE' })

  await releaseEnds(payment)
  expect([late.state, late.cancellations.length]).toEqual(['canceled', 1])
  expect(await get(vouchers, payment)).toMatchObject({ status: DENIED, cancellationPending: false })
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.denied'])
})

test.each([
  ['is lost', 'answer_lost', 1],
  ['does not come and nothing is done', 'lost_undone', 1],
  ['is 500', 'http_500', 1],
  ['is 401', { status: 401, body: {} }, 1],
] as const)('a release whose answer %s is sent until the money is back', async (_name, fault, wanted) => {
  const payment = await deniedByAbsence()
  const late = approvedLate(payment)
  vouchers.issuer.fail('cancel', fault)
  await pass(payment, HOUR_MS)
  await lookAgain(vouchers.deps)
  await releaseEnds(payment)
  expect([late.state, late.cancellations.length]).toEqual(['canceled', wanted])
})

test('a release that may still be on its way is not sent again', async () => {
  const payment = await deniedByAbsence()
  const late = approvedLate(payment)
  vouchers.issuer.fail('cancel', 'lost_undone')
  await pass(payment, HOUR_MS)
  await lookAgain(vouchers.deps)
  const asked = vouchers.issuer.queriesAbout(payment)
  await resolved(vouchers, payment, () =>
    expect(vouchers.issuer.queriesAbout(payment)).toBeGreaterThan(asked + 2),
  )
  const sent = vouchers.issuer.calls.filter((call) => call.includes(late.paymentId))
  expect([sent.length, late.state]).toEqual([1, 'approved'])
  await releaseEnds(payment)
  expect(late.state).toBe('canceled')
})

test('a payment that turns up with another amount is left to people', async () => {
  const payment = await deniedByAbsence()
  const late = approvedLate(payment)
  late.amount += 1
  const told = jest.spyOn(vouchers.deps.log, 'error')
  await pass(payment, HOUR_MS)
  await lookAgain(vouchers.deps)
  const violation = { paymentId: payment.id, invariant: 'issuer-agrees' }
  expect(told).toHaveBeenCalledWith(violation, 'invariant violated')
  expect([late.state, (await row(payment)).operation]).toEqual(['approved', null])
})

test('a release whose payment then has another amount is not sent', async () => {
  const payment = await deniedByAbsence()
  const late = approvedLate(payment)
  await pass(payment, HOUR_MS)
  await lookAgain(vouchers.deps)
  late.amount += 1
  const asked = vouchers.issuer.queriesAbout(payment)
  await resolved(vouchers, payment, () =>
    expect(vouchers.issuer.queriesAbout(payment)).toBeGreaterThan(asked + 2),
  )
  expect([late.state, late.cancellations]).toEqual(['approved', []])
  late.amount -= 1
  await releaseEnds(payment)
  expect(late.state).toBe('canceled')
})

test('a question that the issuer does not answer is asked again soon', async () => {
  const payment = await deniedByAbsence()
  vouchers.issuer.fail('query', 'http_500')
  await pass(payment, HOUR_MS)
  await lookAgain(vouchers.deps)
  expect((await row(payment)).lookAgainAt?.getTime()).toBeLessThan(Date.now() + 11 * MINUTE_MS)
  const late = approvedLate(payment)
  await pass(payment, 11 * MINUTE_MS)
  await lookAgain(vouchers.deps)
  await releaseEnds(payment)
  expect(late.state).toBe('canceled')
})

test('a question that the issuer does not answer for a week is the last', async () => {
  const payment = await deniedByAbsence()
  vouchers.issuer.fail('query', 'http_500')
  await pass(payment, 8 * 24 * HOUR_MS)
  await lookAgain(vouchers.deps)
  expect((await row(payment)).lookAgainAt).toBeNull()
})

/** A payment that was made so long ago, and is due for its look. */
async function paid(brand: Brand = 'ALELO'): Promise<VoucherPayment> {
  const payment = await pay(vouchers, paymentWith(await newToken(vouchers, newSeller(vouchers), brand)))
  const aged = `UPDATE payments SET paid_at = paid_at - interval '1 day', look_again_at = look_again_at - interval '1 day' WHERE id = $1`
  await vouchers.pool.query(aged, [payment.id])
  return payment
}

test.each(['ALELO', 'VR'] as const)(
  'a %s payment that was canceled at the issuer is adopted once, with its event',
  async (brand) => {
    const payment = await paid(brand)
    Object.assign(vouchers.issuer.paymentOf(payment), { state: 'canceled' })
    const asked = vouchers.issuer.queriesAbout(payment)
    await lookAgain(vouchers.deps)
    await lookAgain(vouchers.deps)
    expect(vouchers.issuer.queriesAbout(payment)).toBe(asked + 1)
    expect(await get(vouchers, payment)).toMatchObject({ status: CANCELED, canceledByIssuer: true })
    expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.paid', 'voucher_payment.canceled'])
    expect(await row(payment)).toEqual({ lookAgainAt: null, operation: null })
  },
)

test('a payment that is paid is looked at a day after it, and again on the seventh', async () => {
  const payment = await paid()
  const asked = vouchers.issuer.queriesAbout(payment)
  await lookAgain(vouchers.deps)
  await lookAgain(vouchers.deps)
  expect(vouchers.issuer.queriesAbout(payment)).toBe(asked + 1)
  const next = (await row(payment)).lookAgainAt?.getTime() ?? 0
  expect(Math.round((next - Date.now()) / HOUR_MS)).toBe(6 * 24)
  expect(await get(vouchers, payment)).toMatchObject({ status: PAID, canceledByIssuer: false })
})

test('a payment that the issuer no longer knows is left to people', async () => {
  const payment = await paid()
  vouchers.issuer.paymentOf(payment).orderNumber = 'gone'
  const told = jest.spyOn(vouchers.deps.log, 'error')
  await lookAgain(vouchers.deps)
  const violation = { paymentId: payment.id, invariant: 'issuer-agrees' }
  expect(told).toHaveBeenCalledWith(violation, 'invariant violated')
  expect(await get(vouchers, payment)).toMatchObject({ status: PAID })
})

test('two concurrent sweepers ask once, and send the release once', async () => {
  const payment = await deniedByAbsence()
  const late = approvedLate(payment)
  const other = await vouchers.startReplica()
  const asked = vouchers.issuer.queriesAbout(payment)
  await pass(payment, HOUR_MS)
  await Promise.all([lookAgain(vouchers.deps), lookAgain(other.deps)])
  expect(vouchers.issuer.queriesAbout(payment)).toBe(asked + 1)
  await Promise.all([resolvePayments(vouchers.deps), resolvePayments(other.deps)])
  await releaseEnds(payment)
  expect(late.cancellations).toHaveLength(1)
})
