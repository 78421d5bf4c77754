import { callRpc } from '@cofre/platform/grpc/client'
import type { TokenKey } from '../../src/tokens/token-store'
import { destroyAllDiscarded } from '../../src/sweepers/destroy-discarded'
import { authorized, finish, notesOf, payWith, redirected, stateOf } from '../support/redirect'
import { startVouchers, type TestVouchers } from '../support/start-vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
beforeEach(() => vouchers.issuer.provider.live.clear())
afterAll(() => vouchers.stop())

const ENDED = -1_000
const remove = (key: TokenKey) => callRpc(vouchers.client, vouchers.client.deleteToken, key)
const isKept = ({ sellerId, token }: TokenKey) => vouchers.kept.has(`${sellerId} ${token}`)
/** Runs the sweeper after making every note due. */
const sweep = async () => {
  await vouchers.pool.query('UPDATE discarded_vouchers SET ask_at = to_timestamp(0)')
  await destroyAllDiscarded(vouchers.deps)
}
const UNUSABLE = { reason: 'CARD_TOKEN_UNUSABLE' }

test('a payment whose token is deleted while its grant is renewed, and refused, is denied', async () => {
  const key = await authorized(vouchers, ENDED)
  vouchers.issuer.fail('grant', 'done_late')
  const held = vouchers.issuer.whenHeld()
  const paying = payWith(vouchers, key).catch((error: unknown) => error)
  await held
  await remove(key)
  vouchers.issuer.provider.live.clear()
  vouchers.issuer.release()
  expect(await paying).toMatchObject(UNUSABLE)
  const { rows } = await vouchers.pool.query('SELECT status FROM payments WHERE token = $1', [key.token])
  expect(rows).toEqual([{ status: 'DENIED' }])
})

test('a grant that is renewed while its token is deleted is taken back, and nothing of it is kept', async () => {
  const key = await authorized(vouchers, ENDED)
  const { live } = vouchers.issuer.provider
  const [old] = live
  vouchers.issuer.fail('grant', 'late')
  const held = vouchers.issuer.whenHeld()
  const paying = payWith(vouchers, key).catch((error: unknown) => error)
  await held
  await remove(key)
  expect([await stateOf(vouchers, key), await notesOf(vouchers, key), isKept(key)]).toEqual([
    undefined,
    1,
    true,
  ])
  // The note is not due.
  await destroyAllDiscarded(vouchers.deps)
  vouchers.issuer.release()
  expect(await paying).toMatchObject(UNUSABLE)
  expect([live.size, live.has(old ?? '')]).toEqual([1, false])
  await sweep()
  expect([live.size, await notesOf(vouchers, key), isKept(key)]).toEqual([0, 0, false])
})

test('a grant that is given while its token is deleted is taken back, and nothing of it is kept', async () => {
  const { key, back } = await redirected(vouchers)
  const { live } = vouchers.issuer.provider
  vouchers.issuer.fail('grant', 'late')
  const held = vouchers.issuer.whenHeld()
  const finishing = finish(vouchers, back)
  await held
  await remove(key)
  expect([await notesOf(vouchers, key), isKept(key)]).toEqual([1, true])
  vouchers.issuer.release()
  expect(await finishing).toBe('UNAVAILABLE')
  await sweep()
  expect([live.size, await notesOf(vouchers, key), isKept(key)]).toEqual([0, 0, false])
})

test('the data of a token that nobody uses is destroyed at once', async () => {
  const key = await authorized(vouchers)
  await remove(key)
  expect([await notesOf(vouchers, key), isKept(key)]).toEqual([0, false])
  expect(vouchers.issuer.provider.live.size).toBe(0)
})
