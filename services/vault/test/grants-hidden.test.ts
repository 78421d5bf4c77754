import { Outcome } from '@cofre/proto/vault/v1/vault'
import { startWorld, type Vault, type World } from './support/vault'
import {
  answerWith,
  bodyOf,
  CLIENT_SECRET,
  given,
  lastCall,
  newToken,
  putClient,
  voucherCalls,
  type VoucherCalls,
} from './support/vouchers'

const CODE = 'code/with+what=forms&escape'

let world: World
let vault: Vault
let vouchers: VoucherCalls
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  vouchers = await voucherCalls(vault)
  await putClient(vault)
})
afterAll(() => world.stop())
beforeEach(() => world.partner.forget())

/** A voucher token with an access token and a refresh token. */
async function granted(accessToken: string, refreshToken: string) {
  const token = newToken()
  await vouchers.keepCode(token, CODE)
  answerWith(world, given(accessToken, refreshToken))
  expect(await vouchers.exchange(token)).toMatchObject({ grantKept: true })
  return token
}

describe('an answer', () => {
  test.each([
    ['in a text', { error_description: `code ${CODE} is expired` }, { error_description: '***' }],
    ['as a name', { [CODE]: 1 }, { '***': 1 }],
    ['as a form has it', { got: `code=${encodeURIComponent(CODE)}&x=1` }, { got: '***' }],
    ['where the partner’s own numbers stand', { id_token: CODE }, { id_token: '***' }],
    ['beside the secret', { client: `shop:${CLIENT_SECRET}` }, { client: '***' }],
  ])('that echoes the code %s hides it', async (_, body, shown) => {
    const token = newToken()
    await vouchers.keepCode(token, CODE)
    answerWith(world, body, 400)
    expect(bodyOf(await vouchers.exchange(token))).toEqual(shown)
  })

  test('that echoes the refresh token, in JSON, in other text or in a header, hides it', async () => {
    const token = await granted('access-1', 'refresh-of-ana')
    answerWith(world, { error: 'refresh-of-ana is spent' }, 400)
    expect(bodyOf(await vouchers.refresh(token))).toEqual({ error: '***' })
    world.partner.respond = (response) =>
      void response.writeHead(500, { requestid: 'refresh-of-ana' }).end('<p>refresh-of-ana</p>')
    const { answer } = await vouchers.refresh(token)
    expect(answer?.body.toString()).toBe('***')
    expect(answer?.headers).toEqual({ requestid: '***' })
  })

  test('that holds a new token twice hides both', async () => {
    const token = await granted('access-1', 'refresh-1')
    answerWith(world, { ...given('access-new'), debug: 'gave access-new' })
    expect(bodyOf(await vouchers.refresh(token))).toEqual({ ...given('***'), debug: '***' })
  })

  test('with the provider’s keys or settings comes back as it is, when no voucher token is named', async () => {
    const keys = { keys: [{ kty: 'RSA', n: '4111111111111111AQAB', e: 'AQAB' }] }
    answerWith(world, keys)
    const get = { partner: 'identity', method: 'GET', body: Buffer.alloc(0) }
    expect(bodyOf(await vouchers.pay('', { ...get, path: '/connect/jwks' }))).toEqual(keys)
    expect(lastCall(world).body).toBe('')
    const path = '/.well-known/openid-configuration'
    expect(await vouchers.pay('', { ...get, path })).toMatchObject({ outcome: Outcome.ANSWERED })
    await expect(
      vouchers.pay('', { ...get, path: '/xwell-known/openid-configuration' }),
    ).rejects.toMatchObject({ kind: 'permission_denied' })
  })
})

test('no code, token or secret is in a log line or a table', async () => {
  await granted('access-canary', 'refresh-canary')
  await vouchers.keepCode(newToken(), 'code-canary')
  await expect(vouchers.keepCode('abc', 'code-canary')).rejects.toThrow()
  await expect(vouchers.keepCode(newToken(), 'code-canary\n')).rejects.not.toThrow(/canary/)
  const { rows } = await world.database.pool.query(
    `SELECT g::text AS row, encode(sealed, 'escape') AS sealed FROM grants g`,
  )
  expect(JSON.stringify(rows)).not.toMatch(/canary|client-secret/)
  expect(world.logged.join('\n')).not.toMatch(/canary|client-secret|code\/with/)
  expect(world.logged.join('\n')).toContain('authorization code kept')
})
