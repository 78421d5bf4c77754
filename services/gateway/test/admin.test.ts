import { callRpc } from '@cofre/platform/grpc/client'
import type { CreateTokenRequest, GatewayAdminClient } from '@cofre/proto/gateway/v1/gateway'
import { eventually } from '@cofre/testing/testing'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
let admin: GatewayAdminClient
beforeAll(async () => {
  gateway = await startGateway()
  admin = gateway.admin
})
afterAll(() => gateway.stop())

const createToken = (over: Partial<CreateTokenRequest> = {}) =>
  callRpc(admin, admin.createToken, {
    sellerId: gateway.sellerId,
    title: 'ERP',
    expiresOn: undefined,
    scopes: [],
    allScopes: over.scopes === undefined,
    ...over,
  })

test('a seller is created and listed', async () => {
  const seller = await callRpc(admin, admin.createSeller, { name: ' Padaria ' })
  expect(seller).toEqual({
    id: expect.any(Number),
    name: 'Padaria',
    createdAt: expect.any(Number),
    lenient: false,
  })
  const { sellers } = await callRpc(admin, admin.listSellers, {})
  expect(sellers.at(-1)).toEqual(seller)
})

test.each(['', '  ', 'x'.repeat(256)])('a seller named %j is refused', async (name) => {
  await expect(callRpc(admin, admin.createSeller, { name })).rejects.toMatchObject({
    kind: 'invalid_argument',
  })
})

test('a seller set to lenient handling has unknown members ignored, unless the request asks otherwise', async () => {
  const { sellerId } = gateway
  const set = (lenient: boolean | undefined) => callRpc(admin, admin.setSeller, { sellerId, lenient })
  const product = (headers = {}) =>
    gateway.call('POST', '/api/v2/products', {
      body: { name: 'Mug', value: 4_990, productType: 'ONETIME', colour: 'blue' },
      headers,
    })
  expect(await product()).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } })
  expect(await set(true)).toMatchObject({ id: sellerId, lenient: true })
  await eventually(async () => expect(await product()).toMatchObject({ status: 201 }))
  const strict = await product({ prefer: 'handling=strict' })
  expect([strict.status, strict.headers.get('preference-applied')]).toEqual([400, 'handling=strict'])
  expect(await gateway.call('GET', '/api/v2/charges?limit=3')).toMatchObject({ status: 400 })
  await set(false)
  await eventually(async () => expect(await product()).toMatchObject({ status: 400 }))
})

test.each<[string, object, string]>([
  ['names nobody', { sellerId: 987_654, lenient: true }, 'not_found'],
  ['sets nothing', {}, 'invalid_argument'],
])('a setting that %s is refused', async (_how, change, kind) => {
  const asked = { sellerId: gateway.sellerId, lenient: undefined, ...change }
  await expect(callRpc(admin, admin.setSeller, asked)).rejects.toMatchObject({ kind })
})

test('a token made by this RPC opens the API until it is revoked', async () => {
  const { accessToken, token } = await createToken({ scopes: ['orders:read'] })
  expect(token).toMatchObject({ title: 'ERP', scopes: ['orders:read'], expiresAt: undefined })
  expect(await gateway.call('GET', '/api/v2/charges', { token: accessToken })).toMatchObject({ status: 200 })
  const { tokens } = await callRpc(admin, admin.listTokens, { sellerId: gateway.sellerId, after: undefined })
  expect(tokens[0]).toEqual(token)
  const revoked = await callRpc(admin, admin.revokeToken, { id: token?.id ?? '' })
  expect(revoked.revokedAt).toEqual(expect.any(Number))
  expect(await callRpc(admin, admin.revokeToken, { id: token?.id ?? '' })).toEqual(revoked)
})

test.each([
  { scopes: ['cards:admin'] },
  { scopes: [] },
  { scopes: ['cards:read'], allScopes: true },
  { title: '' },
  { expiresOn: '2026-02-30' },
])('a token with %j is refused', async (over) => {
  await expect(createToken(over)).rejects.toMatchObject({
    kind: 'invalid_argument',
    reason: 'VALIDATION_FAILED',
  })
})

test('an unknown seller or token is not found', async () => {
  await expect(createToken({ sellerId: 987 })).rejects.toMatchObject({ kind: 'not_found' })
  for (const id of ['', 'abc', '00000000-0000-4000-8000-000000000000']) {
    await expect(callRpc(admin, admin.revokeToken, { id })).rejects.toMatchObject({ kind: 'not_found' })
  }
})

test('a rotated signing key signs new tokens, and older tokens stay valid', async () => {
  const before = await createToken()
  const { kid } = await callRpc(admin, admin.rotateSigningKey, {})
  const after = await createToken()
  expect(
    JSON.parse(Buffer.from(after.accessToken.split('.')[0] ?? '', 'base64url').toString()),
  ).toMatchObject({ kid })
  expect(await gateway.call('GET', '/api/v2/charges', { token: before.accessToken })).toMatchObject({
    status: 200,
  })
})

test('a rotation replaces a signing key that is sealed under a lost token key', async () => {
  await gateway.deps.pool.query("UPDATE signing_keys SET private_jwk = 'unreadable' WHERE retired_at IS NULL")
  await expect(createToken()).rejects.toMatchObject({ code: 13 })
  await callRpc(admin, admin.rotateSigningKey, {})
  expect(await createToken()).toMatchObject({ accessToken: expect.any(String) })
})

describe('a signing key that was stolen', () => {
  const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid ?? ''
  const statusOf = async (token: string) => {
    const { status, body } = await gateway.call('GET', '/api/v2/charges', { token })
    return [status, body.code]
  }
  const revoke = (kid: string, given = {}) =>
    callRpc(admin, admin.revokeSigningKey, { kid, reason: 'leaked', revokedBy: 'ana', ...given })

  test("can't forge a token of its successor, even with the right claims", async () => {
    const { kid, key } = await gateway.deps.keys.current()
    await callRpc(admin, admin.rotateSigningKey, {})
    const { accessToken, token } = await createToken()
    const forged = await new SignJWT({
      jti: token?.id,
      sub: String(gateway.sellerId),
      iss: gateway.deps.baseUrl,
    })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuedAt()
      .sign(key)
    expect(await statusOf(forged)).toEqual([401, 'TOKEN_INVALID'])
    expect(await statusOf(accessToken)).toEqual([200, undefined])
  })

  test('is revoked with its tokens: other tokens stay valid, and a new key makes new ones', async () => {
    const other = await createToken()
    await callRpc(admin, admin.rotateSigningKey, {})
    const stolen = await createToken()
    expect(await statusOf(stolen.accessToken)).toEqual([200, undefined])
    const kid = kidOf(stolen.accessToken)

    const answer = await revoke(kid)
    expect(answer).toEqual({ kid, tokensRevoked: 1, currentKid: expect.not.stringMatching(kid) })
    await eventually(async () => expect(await statusOf(stolen.accessToken)).toEqual([401, 'TOKEN_REVOKED']))
    expect(await statusOf(other.accessToken)).toEqual([200, undefined])
    const made = await createToken()
    expect([kidOf(made.accessToken), await statusOf(made.accessToken)]).toEqual([
      answer.currentKid,
      [200, undefined],
    ])
    const { keys } = await gateway.deps.keys.jwks()
    expect(keys.map((key) => key.kid)).not.toContain(kid)
    const { rows } = await gateway.deps.pool.query(
      'SELECT revoked_by, revocation_reason, private_jwk FROM signing_keys WHERE kid = $1',
      [kid],
    )
    expect(rows).toEqual([{ revoked_by: 'ana', revocation_reason: 'leaked', private_jwk: null }])
  })

  test('changes nothing when it is revoked again; an unknown key or an empty reason is refused', async () => {
    const { accessToken } = await createToken()
    const first = await revoke(kidOf(accessToken))
    const again = await revoke(kidOf(accessToken), { reason: 'another' })
    expect(again).toEqual({ ...first, tokensRevoked: 0 })
    const { rows } = await gateway.deps.pool.query(
      'SELECT revocation_reason FROM signing_keys WHERE kid = $1',
      [first.kid],
    )
    expect(rows).toEqual([{ revocation_reason: 'leaked' }])
    await expect(revoke('unknown')).rejects.toMatchObject({ kind: 'not_found' })
    await expect(revoke(first.kid, { reason: ' ' })).rejects.toMatchObject({
      kind: 'invalid_argument',
      extra: { errors: [{ pointer: '#/reason' }] },
    })
  })

  test('can be revoked while tokens are made: each token has another key, or is revoked', async () => {
    const { kid } = await gateway.deps.keys.current()
    const making = Array.from({ length: 12 }, () => createToken())
    await revoke(kid)
    const made = await Promise.all(making)
    const { rows } = await gateway.deps.pool.query<{ kid: string; revoked: boolean }>(
      'SELECT kid, revoked_at IS NOT NULL AS revoked FROM api_tokens WHERE id = ANY($1)',
      [made.map(({ token }) => token?.id)],
    )
    expect(rows).toHaveLength(12)
    expect(rows.filter((row) => (row.kid === kid) !== row.revoked)).toEqual([])
  })
})

test('concurrent calls create one user, and leave one key that signs', async () => {
  const user = { sellerId: gateway.sellerId, email: 'race@example.com', password: 'correct horse battery' }
  const made = await Promise.allSettled([1, 2, 3].map(() => callRpc(admin, admin.createPortalUser, user)))
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  const rotated = await Promise.all([1, 2, 3, 4].map(() => callRpc(admin, admin.rotateSigningKey, {})))
  const { rows } = await gateway.deps.pool.query('SELECT kid FROM signing_keys WHERE retired_at IS NULL')
  expect(rows).toHaveLength(1)
  expect(rotated.map(({ kid }) => kid)).toContain(rows[0].kid)
})

test('only cofrectl may call', async () => {
  const stranger = await gateway.adminAs('orders')
  await expect(callRpc(stranger, stranger.createSeller, { name: 'x' })).rejects.toMatchObject({ code: 7 })
  stranger.close()
})

test('no log line contains a password or a token', async () => {
  const { accessToken } = await createToken()
  const log = gateway.lines.join('')
  expect(log).not.toContain('correct horse')
  expect(log).not.toContain(accessToken.split('.')[2])
})
