import { callRpc } from '@cofre/platform/grpc/client'
import { destroyAllDiscarded } from '../../src/sweepers/destroy-discarded'
import type { TokenKey } from '../../src/tokens/token-store'
import { authorized, finish, notesOf, payWith, redirected, redirectOf, stateOf } from '../support/redirect'
import { IDENTITY } from '../support/small-provider'
import { newSeller, startVouchers, type TestVouchers } from '../support/start-vouchers'

const DEX = {
  issuer: IDENTITY,
  authorization_endpoint: `${IDENTITY}/auth`,
  token_endpoint: `${IDENTITY}/token`,
  jwks_uri: `${IDENTITY}/keys`,
}
const HYDRA = {
  issuer: IDENTITY,
  authorization_endpoint: `${IDENTITY}/oauth2/auth`,
  token_endpoint: `${IDENTITY}/oauth2/token`,
  jwks_uri: `${IDENTITY}/.well-known/jwks.json`,
  revocation_endpoint: `${IDENTITY}/oauth2/revoke`,
}
const ENDED = -1_000

/** Runs a test with a service that has read no document yet. */
async function withVouchers(
  places: object,
  document: object | undefined,
  run: (vouchers: TestVouchers) => Promise<void>,
): Promise<void> {
  const vouchers = await startVouchers({}, places)
  try {
    vouchers.issuer.provider.document = document as Record<string, unknown> | undefined
    await run(vouchers)
  } finally {
    await vouchers.stop()
  }
}

const begin = (vouchers: TestVouchers) =>
  callRpc(vouchers.client, vouchers.client.beginRedirect, redirectOf(newSeller(vouchers)))
const remove = (vouchers: TestVouchers, key: TokenKey) =>
  callRpc(vouchers.client, vouchers.client.deleteToken, key)
const isKept = ({ kept }: TestVouchers, { sellerId, token }: TokenKey) => kept.has(`${sellerId} ${token}`)
/** The calls at the provider, each once. */
const asked = ({ issuer }: TestVouchers) =>
  new Set(issuer.calls.filter((call) => !/ \/(v2|v1)\//.test(call) && !call.endsWith('openid-configuration')))

test.each([
  [
    'discovers as Hydra names them',
    {},
    HYDRA,
    '/oauth2/auth',
    ['POST /oauth2/token', 'GET /.well-known/jwks.json', 'POST /oauth2/revoke'],
  ],
  ['discovers as Dex names them, without a revocation', {}, DEX, '/auth', ['POST /token', 'GET /keys']],
  [
    'has in its settings',
    {
      authorizationEndpoint: `${IDENTITY}/auth`,
      paths: { token: '/token', keys: '/keys', revocation: '/oauth2/revoke' },
    },
    undefined,
    '/auth',
    ['POST /token', 'GET /keys', 'POST /oauth2/revoke'],
  ],
  [
    'has in its settings, without a revocation',
    { authorizationEndpoint: `${IDENTITY}/auth`, paths: { revocation: null } },
    undefined,
    '/auth',
    ['POST /connect/token', 'GET /connect/jwks'],
  ],
])('a holder authorizes, pays and is forgotten at the endpoints that the service %s', async (...given) => {
  const [, places, document, page, calls] = given
  await withVouchers(places, document, async (vouchers) => {
    const { authUrl } = await begin(vouchers)
    expect(authUrl.startsWith(`${IDENTITY}${page}?`)).toBe(true)
    const key = await authorized(vouchers, ENDED)
    expect(await stateOf(vouchers, key)).toMatchObject({ status: 'ACTIVE' })
    // The access token has ended, so it is renewed first.
    await payWith(vouchers, key)
    await remove(vouchers, key)
    expect([await notesOf(vouchers, key), isKept(vouchers, key)]).toEqual([0, false])
    expect(asked(vouchers)).toEqual(new Set(calls))
  })
})

test('the document is read once for many redirects', async () => {
  await withVouchers({}, HYDRA, async (vouchers) => {
    await Promise.all(Array.from({ length: 4 }, () => begin(vouchers)))
    expect(vouchers.issuer.calls).toEqual(['GET /.well-known/openid-configuration'])
  })
})

test.each([
  ['of another issuer', { ...HYDRA, issuer: 'https://evil.example' }],
  [
    'whose page for browsers is not https',
    { ...HYDRA, authorization_endpoint: 'http://sso.example.com/auth' },
  ],
  ['without a page for browsers', { ...HYDRA, authorization_endpoint: undefined }],
])('with a document %s no redirect begins, and the next one reads it again', async (_what, document) => {
  await withVouchers({}, document, async (vouchers) => {
    await expect(begin(vouchers)).rejects.toMatchObject({ kind: 'unavailable' })
    const { rows } = await vouchers.pool.query('SELECT FROM voucher_tokens')
    expect(rows).toEqual([])
    vouchers.issuer.provider.document = HYDRA
    expect((await begin(vouchers)).authUrl).toContain('/oauth2/auth')
  })
})

test('while the document can’t be read, a grant stays where it is, and is taken back later', async () => {
  await withVouchers({}, HYDRA, async (vouchers) => {
    const { key, back } = await redirected(vouchers)
    await finish(vouchers, back)
    // A new replica has read no document yet.
    const replica = await vouchers.startReplica()
    vouchers.issuer.provider.document = undefined
    await callRpc(replica.client, replica.client.deleteToken, key)
    expect([await notesOf(vouchers, key), isKept(vouchers, key)]).toEqual([1, true])
    vouchers.issuer.provider.document = HYDRA
    await vouchers.pool.query('UPDATE discarded_vouchers SET ask_at = to_timestamp(0)')
    await destroyAllDiscarded(replica.deps)
    expect([await notesOf(vouchers, key), isKept(vouchers, key)]).toEqual([0, false])
  })
})
