import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { eventually } from '@cofre/testing/testing'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { passDeadlines, resolved } from './support/resolving'
import { CARDS, DECLINED, newToken, pay, payAgain, paymentWith, withKey } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '05')
})
afterAll(() => vouchers.stop())

const { PAID, DENIED } = VoucherPaymentStatus

/** Makes a seller whose payments with one BIN were declined so many times. */
async function declined(times: number) {
  const sellerId = newSeller(vouchers)
  const bad = await newToken(vouchers, sellerId, 'ALELO', DECLINED.ALELO)
  const good = await newToken(vouchers, sellerId, 'ALELO', CARDS.ALELO)
  for (let count = 0; count < times; count += 1) {
    // Each is made with a key of its own.
    const { status } = await withKey(`decline-${count}`, () => pay(vouchers, paymentWith(bad)))
    expect(status).toBe(DENIED)
  }
  return { sellerId, bad, good }
}
/** Makes the declines of a seller so many seconds old. */
const age = (sellerId: number, seconds: number) =>
  vouchers.pool.query(
    "UPDATE payments SET denied_at = now() - $2 * interval '1 second' WHERE seller_id = $1 AND denied_at IS NOT NULL",
    [sellerId, seconds],
  )
const REFUSED = { kind: 'rate_limited', reason: 'RATE_LIMITED' }

test('ten declines of one seller and BIN within a minute stop further payments for as long as they count', async () => {
  const { sellerId, bad, good } = await declined(9)
  expect((await pay(vouchers, paymentWith(bad))).status).toBe(DENIED)
  const calls = vouchers.issuer.calls.length
  const refusal = await pay(vouchers, paymentWith(good)).catch((error: unknown) => error)
  expect(refusal).toMatchObject(REFUSED)
  const { retryAfterSeconds } = (refusal as { extra: { retryAfterSeconds: number } }).extra
  expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  expect(vouchers.issuer.calls).toHaveLength(calls)

  await age(sellerId, 30)
  await expect(pay(vouchers, paymentWith(good))).rejects.toMatchObject(REFUSED)
  await age(sellerId, 60)
  expect((await pay(vouchers, paymentWith(good))).status).toBe(PAID)
})

test('the wait ends when the tenth newest decline is a minute old', async () => {
  const { sellerId, good } = await declined(10)
  await age(sellerId, 0)
  await vouchers.pool.query(
    `UPDATE payments SET denied_at = denied_at - interval '30 seconds'
     WHERE id = (SELECT min(id) FROM payments WHERE seller_id = $1)`,
    [sellerId],
  )
  const refusal = await pay(vouchers, paymentWith(good)).catch((error: unknown) => error)
  expect(refusal).toMatchObject(REFUSED)
  const { retryAfterSeconds } = (refusal as { extra: { retryAfterSeconds: number } }).extra
  expect(retryAfterSeconds).toBeLessThanOrEqual(30)
})

test('a request that was served before still gets its first answer', async () => {
  const { bad } = await declined(10)
  await expect(pay(vouchers, paymentWith(bad))).rejects.toMatchObject(REFUSED)
  const again = await withKey('decline-3', () => payAgain(vouchers, paymentWith(bad)))
  expect(again).toMatchObject({ replayed: true, response: { status: DENIED } })
})

test('the key of a refused request can be used again', async () => {
  const { sellerId, good } = await declined(10)
  await expect(withKey('later', () => pay(vouchers, paymentWith(good)))).rejects.toMatchObject(REFUSED)
  await age(sellerId, 60)
  expect(await withKey('later', () => pay(vouchers, paymentWith(good)))).toMatchObject({ status: PAID })
})

test('another seller and another BIN can still pay', async () => {
  const { sellerId } = await declined(10)
  const others = [await newToken(vouchers, sellerId, 'VR'), await newToken(vouchers, newSeller(vouchers))]
  for (const token of others) expect((await pay(vouchers, paymentWith(token))).status).toBe(PAID)
})

test('of many cards tried at once, only a limited number is sent', async () => {
  const sellerId = newSeller(vouchers)
  const hasty = await vouchers.startReplica(undefined, { declinesPerMinute: 1, issuerTimeoutMs: 60_000 })
  const tokens = await Promise.all([newToken(vouchers, sellerId), newToken(vouchers, sellerId)])
  const tryOne = (count: number) => pay(hasty, paymentWith(tokens[count % 2] as (typeof tokens)[0]))
  vouchers.issuer.fail('pay', ...Array<'hang'>(10).fill('hang'))
  const sent = vouchers.issuer.payments.length
  const tried = Promise.all(Array.from({ length: 10 }, (_, count) => tryOne(count)))
  await eventually(() => expect(vouchers.issuer.payments).toHaveLength(sent + 10))

  await expect(tryOne(0)).rejects.toMatchObject({ ...REFUSED, extra: { retryAfterSeconds: 1 } })
  expect(vouchers.issuer.payments).toHaveLength(sent + 10)
  const another = paymentWith(await newToken(vouchers, newSeller(vouchers)))
  expect((await pay(hasty, another)).status).toBe(PAID)
  vouchers.issuer.release()
  await tried
  expect((await tryOne(1)).status).toBe(PAID)
})

test('a payment that the issuer never took, or that has no outcome yet, is no decline', async () => {
  const { sellerId, good } = await declined(9)
  vouchers.issuer.fail('pay', { status: 400, body: { error: 'INVALID_REQUEST' } })
  expect((await pay(vouchers, paymentWith(good))).decline?.code).toBe('NOT_PROCESSED')
  vouchers.issuer.fail('pay', { status: 401, body: {} })
  await expect(pay(vouchers, paymentWith(good))).rejects.toMatchObject({ kind: 'unavailable' })
  vouchers.issuer.fail('pay', 'lost_undone')
  const lost = await pay(vouchers, paymentWith(good))
  await passDeadlines(vouchers, lost)
  await resolved(vouchers, lost, ({ status }) => expect(status).toBe(DENIED))
  expect((await pay(vouchers, paymentWith({ ...good, sellerId }))).status).toBe(PAID)
})

test('a decline that only the sweeper learns of counts too', async () => {
  const { bad, good } = await declined(9)
  vouchers.issuer.fail('pay', 'answer_lost')
  const lost = await pay(vouchers, paymentWith(bad))
  expect((await pay(vouchers, paymentWith(good))).status).toBe(PAID)
  await resolved(vouchers, lost, ({ status }) => expect(status).toBe(DENIED))
  await expect(pay(vouchers, paymentWith(good))).rejects.toMatchObject(REFUSED)
})
