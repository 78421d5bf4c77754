import { VoucherPaymentStatus, type VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf, passDeadlines, resolved, resolvePayments } from './support/resolving'
import { cancel, DECLINED, get, newToken, pay, paymentWith, withKey, type Brand } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '05')
})
afterAll(() => vouchers.stop())

const { PENDING, PAID, DENIED, CANCELED } = VoucherPaymentStatus
const newPayment = async (brand: Brand = 'ALELO', number?: string) =>
  pay(vouchers, paymentWith(await newToken(vouchers, newSeller(vouchers), brand, number)))
const cancellationsOf = (payment: VoucherPayment) => vouchers.issuer.paymentOf(payment).cancellations.length
const REFUSED = { kind: 'failed_precondition', reason: 'INVALID_VOUCHER_STATE' }

test.each(['ALELO', 'VR'] as const)('a %s payment is given back whole, with its event', async (brand) => {
  const payment = await newPayment(brand)
  const canceled = await cancel(vouchers, payment)
  expect(canceled).toEqual({ ...payment, status: CANCELED, updatedAt: expect.any(Number) })
  expect(await get(vouchers, payment)).toEqual(canceled)
  expect(vouchers.issuer.paymentOf(payment)).toMatchObject({ state: 'canceled' })
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.paid', 'voucher_payment.canceled'])
})

test('another seller’s payment is not found', async () => {
  const payment = await newPayment()
  const foreign = { ...payment, sellerId: newSeller(vouchers) }
  await expect(cancel(vouchers, foreign)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(cancel(vouchers, { ...payment, id: payment.id + 1_000 })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('the cancellation of a payment that is not PAID is refused with its status', async () => {
  const denied = await newPayment('ALELO', DECLINED.ALELO)
  const members = (currentStatus: string) => ({ extra: { members: { currentStatus, allowedActions: [] } } })
  expect(denied.status).toBe(DENIED)
  await expect(cancel(vouchers, denied)).rejects.toMatchObject({ ...REFUSED, ...members('DENIED') })
  const canceled = await cancel(vouchers, await newPayment())
  await expect(cancel(vouchers, canceled)).rejects.toMatchObject({ ...REFUSED, ...members('CANCELED') })
  vouchers.issuer.fail('pay', 'answer_lost')
  const pending = await newPayment()
  expect(pending.status).toBe(PENDING)
  await expect(cancel(vouchers, pending)).rejects.toMatchObject({ ...REFUSED, ...members('PENDING') })
})

test('the cancellation of a payment of another day is refused without asking the issuer', async () => {
  const payment = await newPayment()
  await vouchers.pool.query("UPDATE payments SET paid_at = paid_at - interval '1 day' WHERE id = $1", [
    payment.id,
  ])
  await expect(cancel(vouchers, payment)).rejects.toMatchObject({
    ...REFUSED,
    extra: { members: { currentStatus: 'PAID', allowedActions: [] } },
  })
  expect(cancellationsOf(payment)).toBe(0)
})

test.each([
  ['ALELO', { error: 'CANCEL_WINDOW_CLOSED' }],
  ['VR', { codigo: 'FORA_DO_PRAZO' }],
] as const)('%s no longer gives a payment back: it stays paid, nothing is pending', async (brand, body) => {
  const payment = await newPayment(brand)
  vouchers.issuer.fail('cancel', { status: 422, body })
  await expect(withKey('closed', () => cancel(vouchers, payment))).rejects.toMatchObject(REFUSED)
  expect(await get(vouchers, payment)).toMatchObject({ status: PAID, cancellationPending: false })
  expect(await withKey('closed', () => cancel(vouchers, payment))).toMatchObject({ status: CANCELED })
})

test.each([401, 403, 429])(
  'a cancellation turned away with %i cancels nothing, and may be requested again',
  async (status) => {
    const payment = await newPayment()
    vouchers.issuer.fail('cancel', { status, body: {} })
    await expect(withKey('door', () => cancel(vouchers, payment))).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(await withKey('door', () => cancel(vouchers, payment))).toMatchObject({ status: CANCELED })
  },
)

test('an issuer that is not reached cancels nothing, and may be asked again', async () => {
  const payment = await newPayment()
  await vouchers.issuer.stop()
  await expect(withKey('away', () => cancel(vouchers, payment))).rejects.toMatchObject({
    kind: 'unavailable',
  })
  await vouchers.issuer.start()
  expect(await get(vouchers, payment)).toEqual({ ...payment, updatedAt: expect.any(Number) })
  expect(await withKey('away', () => cancel(vouchers, payment))).toMatchObject({ status: CANCELED })
})

test('a repeated cancellation is answered as before', async () => {
  const payment = await newPayment()
  const first = await withKey('again', () => cancel(vouchers, payment))
  expect(await withKey('again', () => cancel(vouchers, payment))).toEqual(first)
  expect(cancellationsOf(payment)).toBe(1)
})

test.each(['answer_lost', 'done_500'] as const)(
  '%s: the payment stays paid, with its cancellation pending, and asking resolves it',
  async (fault) => {
    for (const brand of ['ALELO', 'VR'] as const) {
      const payment = await newPayment(brand)
      vouchers.issuer.fail('cancel', fault)
      const pending = await withKey('lost', () => cancel(vouchers, payment))
      expect(pending).toMatchObject({ status: PAID, cancellationPending: true })
      await expect(cancel(vouchers, payment)).rejects.toMatchObject(REFUSED)
      await resolved(vouchers, payment, ({ status }) => expect(status).toBe(CANCELED))
      expect(await withKey('lost', () => cancel(vouchers, payment))).toEqual(pending)
      expect(cancellationsOf(payment)).toBe(1)
      expect(await eventsOf(vouchers, payment.id)).toContain('voucher_payment.canceled')
    }
  },
)

const NOT_THERE = { status: 404, body: '<h1>Not Found</h1>' }

test.each([
  ['no answer', 'lost_undone'],
  ['500', 'http_500'],
  ['404 of a proxy', NOT_THERE],
] as const)('%s: a cancellation that surely was not done is sent again', async (_name, fault) => {
  const payment = await newPayment()
  vouchers.issuer.fail('cancel', fault, fault)
  expect(await cancel(vouchers, payment)).toMatchObject({ status: PAID, cancellationPending: true })
  await passDeadlines(vouchers, payment)
  await resolvePayments(vouchers.deps)
  expect(await get(vouchers, payment)).toMatchObject({ status: PAID, cancellationPending: true })
  expect(cancellationsOf(payment)).toBe(0)
  await passDeadlines(vouchers, payment)
  await resolved(vouchers, payment, ({ status }) => expect(status).toBe(CANCELED))
  expect(cancellationsOf(payment)).toBe(1)
  expect(await get(vouchers, payment)).toMatchObject({ cancelFailedAt: undefined, canceledByIssuer: false })
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.paid', 'voucher_payment.canceled'])
})

test('a cancellation that may still be on its way is not sent again', async () => {
  const payment = await newPayment()
  vouchers.issuer.fail('cancel', 'lost_undone')
  await cancel(vouchers, payment)
  await vouchers.pool.query("UPDATE payments SET ask_at = now() - interval '1 minute' WHERE id = $1", [
    payment.id,
  ])
  await resolvePayments(vouchers.deps)
  expect(vouchers.issuer.paymentOf(payment).state).toBe('approved')
  expect(await get(vouchers, payment)).toMatchObject({ status: PAID, cancellationPending: true })
})

test('a cancellation that did not happen by midnight has failed, with its event, and is not sent again', async () => {
  const payment = await newPayment()
  vouchers.issuer.fail('cancel', 'lost_undone')
  await cancel(vouchers, payment)
  const yesterday = "UPDATE payments SET paid_at = paid_at - interval '1 day' WHERE id = $1"
  await vouchers.pool.query(yesterday, [payment.id])
  await passDeadlines(vouchers, payment)
  const failed = await resolved(vouchers, payment, ({ cancellationPending }) =>
    expect(cancellationPending).toBe(false),
  )
  expect(failed).toMatchObject({ status: PAID, cancelFailedAt: expect.any(Number) })
  expect(cancellationsOf(payment)).toBe(0)
  expect(await eventsOf(vouchers, payment.id)).toEqual([
    'voucher_payment.paid',
    'voucher_payment.cancel_failed',
  ])
})

test('a cancellation that the issuer refuses when it is sent again has failed', async () => {
  const payment = await newPayment()
  vouchers.issuer.fail('cancel', 'lost_undone', { status: 422, body: { error: 'CANCEL_WINDOW_CLOSED' } })
  await cancel(vouchers, payment)
  await passDeadlines(vouchers, payment)
  await resolved(vouchers, payment, ({ cancellationPending }) => expect(cancellationPending).toBe(false))
  expect(await get(vouchers, payment)).toMatchObject({ status: PAID, cancelFailedAt: expect.any(Number) })
  expect(await eventsOf(vouchers, payment.id)).toContain('voucher_payment.cancel_failed')
  expect(await cancel(vouchers, payment)).toMatchObject({ status: CANCELED, cancelFailedAt: undefined })
})

test('of two concurrent cancellations the issuer gets one', async () => {
  const payment = await newPayment()
  const ends = await Promise.allSettled([cancel(vouchers, payment), cancel(vouchers, payment)])
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refused).toEqual([expect.objectContaining(REFUSED)])
  expect(cancellationsOf(payment)).toBe(1)
  expect((await get(vouchers, payment)).status).toBe(CANCELED)
})

test('twenty concurrent cancellations with one key are one', async () => {
  const payment = await newPayment()
  const ends = await Promise.allSettled(
    Array.from({ length: 20 }, () => withKey('raced', () => cancel(vouchers, payment))),
  )
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.reason] : []))
  for (const reason of refused) expect(reason).toBe('IDEMPOTENCY_KEY_IN_USE')
  expect(refused.length).toBeLessThan(20)
  expect(cancellationsOf(payment)).toBe(1)
})
