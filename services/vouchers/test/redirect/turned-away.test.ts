import { destroyAllDiscarded } from '../../src/sweepers/destroy-discarded'
import { authorized, notesOf, payWith, stateOf } from '../support/redirect'
import { INVALID_GRANT } from '../support/small-provider'
import { startVouchers, type TestVouchers } from '../support/start-vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterEach(() => vouchers.issuer.recover())
afterAll(() => vouchers.stop())

const ENDED = -1_000

test.each([
  [400, 'invalid_client'],
  [400, 'unauthorized_client'],
  [401, 'invalid_client'],
  [403, 'forbidden'],
  [404, 'not_found'],
])('a renewal that is answered %i %s leaves the holder’s grant as it is', async (status, error) => {
  const key = await authorized(vouchers, ENDED)
  vouchers.issuer.fail('grant', { status, body: { error } })
  await expect(payWith(vouchers, key)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' })
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE', reason: null })
  // The fault is mended.
  expect((await payWith(vouchers, key)).authorizationCode).not.toBe('')
})

test('a renewal that the provider refuses ends the token and destroys its data', async () => {
  const key = await authorized(vouchers, ENDED)
  vouchers.issuer.fail('grant', INVALID_GRANT)
  await expect(payWith(vouchers, key)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
  expect(await stateOf(vouchers, key)).toMatchObject({ status: 'EXPIRED', reason: 'GRANT_REVOKED' })
  await destroyAllDiscarded(vouchers.deps)
  expect(await notesOf(vouchers, key)).toBe(0)
  expect(vouchers.kept.has(`${key.sellerId} ${key.token}`)).toBe(false)
})
