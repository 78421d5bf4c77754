import { callRpc } from '@cofre/platform/grpc/client'
import {
  ResolvePaymentRequest,
  VoucherPaymentStatus,
  type VoucherPayment,
} from '@cofre/proto/vouchers/v1/vouchers'
import { countPendingTooLong, oldestPendingAge } from '../src/payment-store/payment-schedule-store'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf, passDeadlines } from './support/resolving'
import {
  cancel,
  CARDS,
  DECLINED,
  get,
  newToken,
  pay,
  paymentWith,
  withKey,
  type Brand,
} from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  // No sweeper runs: here people are faster.
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())
// A payment that another test left pending would be listed too.
beforeEach(() => vouchers.pool.query('DELETE FROM payments WHERE operation_type IS NOT NULL'))

const { PAID, DENIED, CANCELED } = VoucherPaymentStatus
const INVALID = { kind: 'failed_precondition', reason: 'INVALID_VOUCHER_STATE' }
const resolve = ({ sellerId, id }: VoucherPayment, succeeded: boolean, changes: object = {}) => {
  const given = {
    sellerId,
    paymentId: id,
    succeeded,
    reason: 'The issuer’s support says so.',
    resolvedBy: 'ana',
  }
  const { admin } = vouchers
  return callRpc(admin, admin.resolvePayment, ResolvePaymentRequest.fromPartial({ ...given, ...changes }))
}
const listPending = (sellerId?: number) => {
  const { admin } = vouchers
  return callRpc(admin, admin.listPendingPayments, { sellerId })
}
const request = async (brand: Brand = 'ALELO') =>
  paymentWith(await newToken(vouchers, newSeller(vouchers), brand))

/** Makes a payment without an answer, whose deadline has passed. */
async function lostPayment(fault: 'answer_lost' | 'lost_undone', brand: Brand = 'ALELO') {
  const asked = await request(brand)
  vouchers.issuer.fail('pay', fault)
  const payment = await withKey('by-hand', () => pay(vouchers, asked))
  await passDeadlines(vouchers, payment)
  return { asked, payment }
}
/** Makes a paid payment whose cancellation had no answer. */
async function lostCancellation(fault: 'answer_lost' | 'lost_undone') {
  const payment = await pay(vouchers, await request())
  vouchers.issuer.fail('cancel', fault)
  const pending = await cancel(vouchers, payment)
  await passDeadlines(vouchers, payment)
  return pending
}

test.each(['ALELO', 'VR'] as const)(
  'a %s payment closed as paid sends its event and can be canceled, and its key keeps its first answer',
  async (brand) => {
    const { asked, payment } = await lostPayment('answer_lost', brand)
    expect(await resolve(payment, true)).toMatchObject({ status: PAID, id: payment.id })
    expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.paid'])
    expect(await withKey('by-hand', () => pay(vouchers, asked))).toEqual(payment)
    expect(await cancel(vouchers, payment)).toMatchObject({ status: CANCELED })
    expect(vouchers.issuer.paymentOf(payment).state).toBe('canceled')
  },
)

test('a payment that is closed as paid on another day can’t be canceled: it was paid when it was sent', async () => {
  const { payment } = await lostPayment('answer_lost')
  await vouchers.pool.query("UPDATE payments SET created_at = created_at - interval '1 day' WHERE id = $1", [
    payment.id,
  ])
  expect(await resolve(payment, true)).toMatchObject({ status: PAID })
  await expect(cancel(vouchers, payment)).rejects.toMatchObject(INVALID)
})

test('a payment that did not happen is denied and sends its event', async () => {
  const { payment } = await lostPayment('lost_undone')
  const done = await resolve(payment, false)
  expect(done).toMatchObject({ status: DENIED, decline: { code: 'NOT_PROCESSED' } })
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.denied'])
  // The findings of people may prove wrong, too.
  const { rows } = await vouchers.pool.query('SELECT look_again_at FROM payments WHERE id = $1', [payment.id])
  expect(rows[0].look_again_at).toBeInstanceOf(Date)
})

test('a cancellation that happened sends its event, and one that did not may be requested again', async () => {
  const done = await resolve(await lostCancellation('answer_lost'), true)
  expect(done).toMatchObject({ status: CANCELED, cancellationPending: false })
  expect(await eventsOf(vouchers, done.id)).toEqual(['voucher_payment.paid', 'voucher_payment.canceled'])
  const undone = await resolve(await lostCancellation('lost_undone'), false)
  expect(undone).toMatchObject({ status: PAID, cancellationPending: false })
  expect(await cancel(vouchers, undone)).toMatchObject({ status: CANCELED })
})

test('a release can only be closed as done', async () => {
  const { payment } = await lostPayment('lost_undone')
  const denied = await resolve(payment, false)
  await vouchers.pool.query(
    `UPDATE payments SET operation_type = 'RELEASE', operation_id = gen_random_uuid(), operation_since = now(),
       ask_at = now() - interval '1 minute' WHERE id = $1`,
    [payment.id],
  )
  await expect(resolve(payment, false)).rejects.toMatchObject(INVALID)
  expect(await resolve(payment, true)).toMatchObject({ status: DENIED, decline: denied.decline })
  await expect(resolve(payment, true)).rejects.toMatchObject(INVALID)
})

test('of two people who close an operation at once, one succeeds', async () => {
  const { payment } = await lostPayment('lost_undone')
  const ends = await Promise.allSettled([resolve(payment, true), resolve(payment, false)])
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('an operation that may still be on its way, or is not pending, is left alone', async () => {
  const asked = await request()
  vouchers.issuer.fail('pay', 'answer_lost')
  const onItsWay = await pay(vouchers, asked)
  await expect(resolve(onItsWay, false)).rejects.toMatchObject(INVALID)
  const paid = await pay(vouchers, asked)
  await expect(resolve(paid, false)).rejects.toMatchObject(INVALID)
  expect(await get(vouchers, paid)).toEqual(paid)
})

test('the person and the reason are kept with the payment, without card numbers, check digit or not', async () => {
  const { payment } = await lostPayment('lost_undone')
  await resolve(payment, false, {
    reason: `ticket 4711 on ${CARDS.ALELO}, ${DECLINED.VR}`,
    resolvedBy: ' bruno ',
  })
  const { rows } = await vouchers.pool.query('SELECT resolutions FROM payments WHERE id = $1', [payment.id])
  const resolution = { operation: 'PAYMENT', happened: false, by: 'bruno', at: expect.any(Number) }
  expect(rows[0].resolutions).toEqual([
    { ...resolution, reason: 'ticket 4711 on 506711******3333, 637036******0002' },
  ])
})

test.each([
  ['#/reason', { reason: ' ' }],
  ['#/reason', { reason: 'x'.repeat(2_001) }],
  ['#/resolvedBy', { resolvedBy: '' }],
  ['#/resolvedBy', { resolvedBy: 'x'.repeat(101) }],
])('a request with a bad length of %s is refused, %#', async (pointer, changes) => {
  const { payment } = await lostPayment('lost_undone')
  await expect(resolve(payment, false, changes)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer }] },
  })
})

test('another seller’s payment is not found', async () => {
  const { payment } = await lostPayment('lost_undone')
  await expect(resolve({ ...payment, sellerId: 1 }, false)).rejects.toMatchObject({ kind: 'not_found' })
})

test('operations pending too long are counted, and listed by age, of all sellers or of one', async () => {
  const made = [await lostPayment('lost_undone'), await lostPayment('answer_lost', 'VR')]
  const canceled = await lostCancellation('lost_undone')
  const fresh = await lostPayment('lost_undone')
  const since = (id: number, hours: number) =>
    vouchers.pool.query(
      "UPDATE payments SET operation_since = operation_since - $2 * interval '1 hour' WHERE id = $1",
      [id, hours],
    )
  const [first, second] = made.map(({ payment }) => payment.id) as [number, number]
  await since(first, 2)
  await since(second, 3)
  await since(canceled.id, 4)
  const { payments, more } = await listPending()
  expect([payments.map(({ id }) => id), more]).toEqual([[canceled.id, second, first], false])
  expect(payments[0]).toEqual(canceled)
  const ofOne = await listPending(made[0]?.payment.sellerId)
  expect(ofOne.payments.map(({ id }) => id)).toEqual([first])
  expect((await listPending(fresh.payment.sellerId)).payments).toEqual([])
  expect(await countPendingTooLong(vouchers.pool, Date.now() - 3_600_000)).toBe(3)
  expect(await oldestPendingAge(vouchers.pool)).toBeGreaterThan(0)
})

test('at most a hundred payments are listed, and whether there are more', async () => {
  const { payment } = await lostPayment('lost_undone')
  await vouchers.pool.query(
    `INSERT INTO payments (seller_id, token, card_type, brand, bin, last_four, account, amount, status, order_number,
       issuer_payment_id, authorization_code, operation_type, operation_id, dispatch_deadline, operation_since, version,
       sequence, ask_at, created_at, updated_at)
     SELECT seller_id, token, card_type, brand, bin, last_four, account, amount, status, 'MANY' || n, issuer_payment_id,
       authorization_code, operation_type, operation_id, dispatch_deadline, operation_since - interval '1 day', version,
       sequence, ask_at, created_at, updated_at
     FROM payments, generate_series(1, 101) n WHERE id = $1`,
    [payment.id],
  )
  const { payments, more } = await listPending(payment.sellerId)
  expect([payments.length, more]).toEqual([100, true])
})
