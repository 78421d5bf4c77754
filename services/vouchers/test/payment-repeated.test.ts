import { callRpc } from '@cofre/platform/grpc/client'
import { unavailable } from '@cofre/platform/errors'
import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { passDeadlines, resolved } from './support/resolving'
import {
  DECLINED,
  get,
  newToken,
  pay,
  payAgain,
  paymentWith,
  sealedCard,
  withKey,
  type Brand,
} from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '05')
})
afterEach(() => (vouchers.hooks.onCall = () => {}))
afterAll(() => vouchers.stop())

const { PENDING, PAID, DENIED } = VoucherPaymentStatus
const newPayment = async (brand: Brand = 'ALELO', number?: string) =>
  paymentWith(await newToken(vouchers, newSeller(vouchers), brand, number))

test('a repeated request is answered as before, whatever has become of its token', async () => {
  const request = await newPayment()
  const first = await withKey('again', () => pay(vouchers, request))
  const { client } = vouchers
  await callRpc(client, client.deleteToken, request)
  const gone = { ...request, card: sealedCard('', { usable: false }) }
  for (const again of [request, gone]) {
    expect(await withKey('again', () => payAgain(vouchers, again))).toEqual({
      response: first,
      replayed: true,
    })
  }
  expect(vouchers.issuer.ofOrder(first.orderNumber)).toHaveLength(1)
})

test('a repeated request is answered as before, also when the seller has left the brand', async () => {
  const request = await newPayment()
  const first = await withKey('left', () => pay(vouchers, request))
  vouchers.accounts.enabled.delete(request.sellerId)
  const replica = await vouchers.startReplica()
  expect(await withKey('left', () => pay(replica, request))).toEqual(first)
})

test('a repeated request is answered as before, also while the vault does not answer', async () => {
  const request = await newPayment()
  const first = await withKey('away', () => pay(vouchers, request))
  const replica = await vouchers.startReplica()
  vouchers.hooks.onCall = () => Promise.reject(unavailable('The vault is away.'))
  expect(await withKey('away', () => pay(replica, request))).toEqual(first)
  await expect(withKey('new', () => pay(replica, request))).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a repeated decline is the same decline', async () => {
  const request = await newPayment('ALELO', DECLINED.ALELO)
  const first = await withKey('declined', () => pay(vouchers, request))
  expect(first.status).toBe(DENIED)
  expect(await withKey('declined', () => pay(vouchers, request))).toEqual(first)
})

test('a key used for another body is refused', async () => {
  const request = await newPayment()
  await withKey('reused', () => pay(vouchers, request))
  await expect(withKey('reused', () => pay(vouchers, request), 'other')).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'IDEMPOTENCY_KEY_REUSED',
  })
})

test('requests without a key make separate payments', async () => {
  const request = await newPayment()
  const [one, other] = [await pay(vouchers, request), await pay(vouchers, request)]
  expect(other.id).not.toBe(one.id)
})

test('twenty requests at once with one key make one payment', async () => {
  const request = await newPayment()
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => withKey('raced', () => pay(vouchers, request))),
  )
  const paid = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.reason] : []))
  expect(new Set(paid).size).toBe(1)
  for (const reason of refused) expect(reason).toBe('IDEMPOTENCY_KEY_IN_USE')
  const { rows } = await vouchers.pool.query('SELECT order_number FROM payments WHERE seller_id = $1', [
    request.sellerId,
  ])
  expect(rows).toHaveLength(1)
  expect(vouchers.issuer.ofOrder(rows[0].order_number)).toHaveLength(1)
})

test.each(['ALELO', 'VR'] as const)(
  '%s: an answer that is lost leaves the payment pending, and asking resolves it',
  async (brand) => {
    const request = await newPayment(brand)
    vouchers.issuer.fail('pay', 'answer_lost')
    const pending = await withKey('lost', () => pay(vouchers, request))
    expect(pending).toMatchObject({ status: PENDING, authorizationCode: '' })
    const done = await resolved(vouchers, pending, ({ status }) => expect(status).toBe(PAID))
    expect(done.authorizationCode).not.toBe('')
    // The answer that was given stays the answer of that key.
    expect(await withKey('lost', () => pay(vouchers, request))).toEqual(pending)
    expect(vouchers.issuer.ofOrder(done.orderNumber)).toHaveLength(1)
  },
)

const DUPLICATE = { status: 409, body: { error: 'DUPLICATE_ORDER', codigo: 'NSU_REPETIDO' } }
const TIMED_OUT = { status: 408, body: {} }
const GARBAGE = { status: 200, body: 'not JSON' }

test.each([
  ['500', 'http_500', DENIED],
  ['500 though it was done', 'done_500', PAID],
  ['no answer to what was not done', 'lost_undone', DENIED],
  ['409', DUPLICATE, DENIED],
  ['408', TIMED_OUT, DENIED],
  ['an answer that is not JSON', GARBAGE, DENIED],
] as const)('after %s the outcome is unknown, and nothing is sent again', async (_name, fault, wanted) => {
  for (const brand of ['ALELO', 'VR'] as const) {
    vouchers.issuer.fail('pay', fault)
    const pending = await pay(vouchers, await newPayment(brand))
    expect(pending.status).toBe(PENDING)
    if (wanted === DENIED) await passDeadlines(vouchers, pending)
    const done = await resolved(vouchers, pending, ({ status }) => expect(status).toBe(wanted))
    expect(vouchers.issuer.ofOrder(done.orderNumber)).toHaveLength(wanted === PAID ? 1 : 0)
  }
})

test.each([401, 403, 429])(
  'a payment turned away with %i pays nothing, and its key may be used again',
  async (status) => {
    const request = await newPayment()
    vouchers.issuer.fail('pay', { status, body: { error: 'UNAUTHORIZED' } })
    await expect(withKey('door', () => pay(vouchers, request))).rejects.toMatchObject({
      kind: 'unavailable',
      extra: { retryAfterSeconds: 1 },
    })
    expect(await withKey('door', () => pay(vouchers, request))).toMatchObject({ status: PAID })
  },
)

test('when the issuer is not reached, nothing is paid and the key may be used again', async () => {
  const request = await newPayment()
  await vouchers.issuer.stop()
  await expect(withKey('unreached', () => pay(vouchers, request))).rejects.toMatchObject({
    kind: 'unavailable',
    extra: { retryAfterSeconds: 1 },
  })
  await vouchers.issuer.start()
  const payment = await withKey('unreached', () => pay(vouchers, request))
  expect(payment.status).toBe(PAID)
  const { rows } = await vouchers.pool.query('SELECT status FROM payments WHERE seller_id = $1 ORDER BY id', [
    request.sellerId,
  ])
  expect(rows).toEqual([{ status: 'DENIED' }, { status: 'PAID' }])
  expect(await get(vouchers, payment)).toEqual(payment)
})

test('when the number is gone from the vault, the payment is refused and its key may be used again', async () => {
  const request = await newPayment()
  const name = `${request.sellerId} ${request.token}`
  const number = vouchers.kept.get(name)
  vouchers.kept.delete(name)
  await expect(withKey('gone', () => pay(vouchers, request))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'CARD_TOKEN_UNUSABLE',
  })
  if (number) vouchers.kept.set(name, number)
  expect(await withKey('gone', () => pay(vouchers, request))).toMatchObject({ status: PAID })
})
