import { eventually } from '@cofre/testing/testing'
import { VoucherPaymentStatus, type VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf, passDeadlines, resolved, resolvePayments } from './support/resolving'
import { cancel, DECLINED, get, newToken, pay, paymentWith, withKey, type Brand } from './support/vouchers'

// The sweeper learns the outcome of a call before the answer to it arrives.
let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '05')
})
afterAll(() => vouchers.stop())

const { PENDING, PAID, DENIED, CANCELED } = VoucherPaymentStatus
const request = async (brand: Brand = 'ALELO', number?: string) =>
  paymentWith(await newToken(vouchers, newSeller(vouchers), brand, number))

async function newest(sellerId: number): Promise<VoucherPayment> {
  const { rows } = await vouchers.pool.query('SELECT id FROM payments WHERE seller_id = $1', [sellerId])
  return get(vouchers, { id: rows[0].id, sellerId })
}

/** Runs the sweeper until the seller's payment has no pending operation. */
async function adopted(sellerId: number): Promise<VoucherPayment> {
  return eventually(async () => {
    await resolvePayments(vouchers.deps)
    const payment = await newest(sellerId)
    expect([payment.status !== PENDING, payment.cancellationPending]).toEqual([true, false])
    return payment
  })
}

test.each(['hang', 'late'] as const)(
  'a payment whose answer comes after the sweeper (%s) is left as the sweeper left it',
  async (fault) => {
    const asked = await request()
    vouchers.issuer.fail('pay', fault)
    const answer = withKey('late', () => pay(vouchers, asked))
    await vouchers.issuer.whenHeld()
    const done = await adopted(asked.sellerId)
    expect(done).toMatchObject({ status: PAID, authorizationCode: '418802' })
    vouchers.issuer.release()
    expect(await answer).toEqual(done)
    expect(await get(vouchers, done)).toEqual(done)
    expect(await withKey('late', () => pay(vouchers, asked))).toEqual(done)
    expect(await eventsOf(vouchers, done.id)).toEqual(['voucher_payment.paid'])
  },
)

test('a decline whose answer comes after the sweeper counts once and sends one event', async () => {
  const asked = await request('ALELO', DECLINED.ALELO)
  vouchers.issuer.fail('pay', 'late')
  const answer = pay(vouchers, asked)
  await vouchers.issuer.whenHeld()
  const done = await adopted(asked.sellerId)
  vouchers.issuer.release()
  expect(await answer).toEqual(done)
  expect(done.status).toBe(DENIED)
  expect(await eventsOf(vouchers, done.id)).toEqual(['voucher_payment.denied'])
})

test('a late answer to a payment is the kept answer of its key, whatever happened since', async () => {
  const asked = await request()
  vouchers.issuer.fail('pay', 'late')
  const answer = withKey('late', () => pay(vouchers, asked))
  await vouchers.issuer.whenHeld()
  const done = await adopted(asked.sellerId)
  expect(await cancel(vouchers, done)).toMatchObject({ status: CANCELED })
  vouchers.issuer.release()
  const first = await answer
  expect(first.status).toBe(PAID)
  expect(await withKey('late', () => pay(vouchers, asked))).toEqual(first)
  expect(await get(vouchers, done)).toMatchObject({ status: CANCELED })
})

test.each(['hang', 'late'] as const)(
  'a cancellation whose answer comes after the sweeper (%s) sends one event',
  async (fault) => {
    const payment = await pay(vouchers, await request('VR'))
    vouchers.issuer.fail('cancel', fault)
    const answer = withKey('late', () => cancel(vouchers, payment))
    await vouchers.issuer.whenHeld()
    const done = await adopted(payment.sellerId)
    vouchers.issuer.release()
    expect(await answer).toEqual(done)
    expect(await get(vouchers, done)).toEqual(done)
    expect(done.status).toBe(CANCELED)
    expect(await eventsOf(vouchers, done.id)).toEqual(['voucher_payment.paid', 'voucher_payment.canceled'])
  },
)

test('an approval that comes after the payment was denied for its absence changes nothing', async () => {
  const asked = await request()
  vouchers.issuer.fail('pay', 'done_late')
  const answer = withKey('late', () => pay(vouchers, asked))
  await vouchers.issuer.whenHeld()
  const pending = await newest(asked.sellerId)
  await passDeadlines(vouchers, pending)
  const denied = await resolved(vouchers, pending, ({ status }) => expect(status).toBe(DENIED))
  vouchers.issuer.release()
  expect(await answer).toEqual(denied)
  expect(await get(vouchers, denied)).toEqual(denied)
  expect(await eventsOf(vouchers, denied.id)).toEqual(['voucher_payment.denied'])
})
