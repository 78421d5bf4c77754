import { callRpc } from '@cofre/platform/grpc/client'
import { NO_ACCOUNT } from '@cofre/testing/stand-ins/accounts'
import type { TokenKey } from '../../src/tokens/token-store'
import { destroyAllDiscarded } from '../../src/sweepers/destroy-discarded'
import { authorized, notesOf } from '../support/redirect'
import { startVouchers, type TestVouchers } from '../support/start-vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterEach(() => vouchers.issuer.recover())
afterAll(() => vouchers.stop())

const remove = (key: TokenKey) => callRpc(vouchers.client, vouchers.client.deleteToken, key)
const keptOf = ({ sellerId, token }: TokenKey) => vouchers.kept.get(`${sellerId} ${token}`)
/** Runs the sweeper after making every note due. */
const sweep = async () => {
  await vouchers.pool.query('UPDATE discarded_vouchers SET ask_at = to_timestamp(0)')
  await destroyAllDiscarded(vouchers.deps)
}

test.each([
  [400, 'invalid_client'],
  [401, 'invalid_client'],
  [403, 'forbidden'],
  [429, 'slow_down'],
  [503, 'temporarily_unavailable'],
])(
  'a revocation that is answered %i %s is tried again before anything is destroyed',
  async (status, error) => {
    const key = await authorized(vouchers)
    const refreshToken = keptOf(key)?.refreshToken ?? ''
    vouchers.issuer.fail('revoke', { status, body: { error } })
    await remove(key)
    expect([await notesOf(vouchers, key), keptOf(key)?.refreshToken]).toEqual([1, refreshToken])
    expect(vouchers.issuer.provider.live).toContain(refreshToken)
    await sweep()
    expect([await notesOf(vouchers, key), keptOf(key)]).toEqual([0, undefined])
    expect(vouchers.issuer.provider.live).not.toContain(refreshToken)
  },
)

test.each(['invalid_grant', 'invalid_token'])(
  'a revocation of a token that the provider calls invalid (%s) is over',
  async (error) => {
    const key = await authorized(vouchers)
    vouchers.issuer.fail('revoke', { status: 400, body: { error } })
    await remove(key)
    expect([await notesOf(vouchers, key), keptOf(key)]).toEqual([0, undefined])
  },
)

test('while the seller has no account at the provider, nothing is destroyed', async () => {
  const key = await authorized(vouchers)
  await vouchers.pool.query('UPDATE voucher_tokens SET client_id = $2 WHERE token = $1', [
    key.token,
    NO_ACCOUNT,
  ])
  await remove(key)
  expect([await notesOf(vouchers, key), keptOf(key)]).toEqual([1, expect.anything()])
})
