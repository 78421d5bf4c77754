import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { eventually } from '@cofre/testing/testing'
import { endRenewal, findToken, leaseRenewal, type TokenKey } from '../../src/tokens/token-store'
import { authorized, payWith, stateOf } from '../support/redirect'
import { startVouchers, type TestVouchers } from '../support/start-vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterEach(() => {
  jest.restoreAllMocks()
  vouchers.issuer.recover()
  vouchers.issuer.provider.expiresIn = 300
})
afterAll(() => vouchers.stop())

const ENDED = -1_000
const { PAID } = VoucherPaymentStatus
const renewals = () => vouchers.issuer.calls.filter((call) => call === 'POST /connect/token').length
const payments = () => vouchers.issuer.calls.filter((call) => call === 'POST /v2/transactions').length
const endOf = async (key: TokenKey) =>
  (await findToken(vouchers.pool, key))?.redirect?.accessExpiresAt ?? null

test('two concurrent payments whose access token was revoked are both paid, after one renewal', async () => {
  const key = await authorized(vouchers)
  const [renewed, paid] = [renewals(), payments()]
  vouchers.issuer.provider.access.clear()
  vouchers.issuer.fail('grant', 'done_late')
  const held = vouchers.issuer.whenHeld()
  const looks = jest.spyOn(vouchers.deps.pool, 'query')
  const both = [payWith(vouchers, key), payWith(vouchers, key)]
  await held
  await eventually(() => expect(payments() - paid).toBeGreaterThanOrEqual(2))
  looks.mockClear()
  // The second payment looks whether the renewal of the first is done, or pays too early.
  await eventually(() => expect(looks.mock.calls.length >= 4 || payments() - paid > 2).toBe(true))
  vouchers.issuer.release()
  const done = await Promise.all(both)
  expect(done.map(({ status }) => status)).toEqual([PAID, PAID])
  expect([renewals() - renewed, payments() - paid]).toEqual([1, 4])
})

test.each([20, 0, undefined])(
  'an access token with a life of %s seconds pays once it is renewed',
  async (seconds) => {
    const key = await authorized(vouchers, ENDED)
    const renewed = renewals()
    vouchers.issuer.provider.expiresIn = seconds
    expect((await payWith(vouchers, key)).status).toBe(PAID)
    expect(renewals() - renewed).toBe(1)
  },
)

test('an access token whose life the provider does not say is used again', async () => {
  const key = await authorized(vouchers, ENDED)
  vouchers.issuer.provider.expiresIn = undefined
  await payWith(vouchers, key)
  const renewed = renewals()
  expect((await payWith(vouchers, key)).status).toBe(PAID)
  expect(renewals()).toBe(renewed)
})

test('a refusal that comes after another process has renewed the grant ends nothing', async () => {
  const key = await authorized(vouchers, ENDED)
  vouchers.issuer.fail('grant', 'done_late')
  const held = vouchers.issuer.whenHeld()
  const paying = payWith(vouchers, key)
  await held
  vouchers.issuer.provider.live.clear()
  await vouchers.pool.query('UPDATE voucher_tokens SET access_expires_at = $2 WHERE token = $1', [
    key.token,
    new Date(Date.now() + 300_000),
  ])
  vouchers.issuer.release()
  expect((await paying).status).toBe(PAID)
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE' })
})

test('one process alone renews a grant, whatever the clocks of the others say', async () => {
  const key = await authorized(vouchers)
  const end = await endOf(key)
  expect(await leaseRenewal(vouchers.pool, key, end, 15_000)).toBeDefined()
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  expect(await leaseRenewal(vouchers.pool, key, end, 15_000)).toBeUndefined()
})

test('a process that took too long for a renewal does not end the next one', async () => {
  const key = await authorized(vouchers)
  const end = await endOf(key)
  const late = (await leaseRenewal(vouchers.pool, key, end, -1_000)) ?? ''
  const next = (await leaseRenewal(vouchers.pool, key, end, 60_000)) ?? ''
  expect(await endRenewal(vouchers.pool, key, late, Date.now() + 900_000)).toBeUndefined()
  expect([await endOf(key), await leaseRenewal(vouchers.pool, key, end, 60_000)]).toEqual([end, undefined])
  expect(await endRenewal(vouchers.pool, key, next, Date.now() + 900_000)).toMatchObject({ token: key.token })
})

test('an access token that was renewed meanwhile is not renewed again', async () => {
  const key = await authorized(vouchers)
  const end = await endOf(key)
  const mark = (await leaseRenewal(vouchers.pool, key, end, 60_000)) ?? ''
  await endRenewal(vouchers.pool, key, mark, Date.now() + 900_000)
  expect(await leaseRenewal(vouchers.pool, key, end, 60_000)).toBeUndefined()
})
