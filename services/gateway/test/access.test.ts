import { eventually } from '@cofre/testing/testing'
import { generateKeyPair, SignJWT } from 'jose'
import { listTokens, revokeToken } from '../src/sellers/api-tokens/token-store'
import { order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const CHARGES = '/api/v2/charges'
const read = (token: string | null, headers = {}) => gateway.call('GET', CHARGES, { token, headers })

test('a request without a token gets 401 with the scheme to use, and no error code', async () => {
  const { status, headers, body } = await read(null)
  expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 'TOKEN_INVALID', 'Bearer'])
})

test.each(['Basic YTpi', 'Bearer', 'Bearer  two.spa.ces', 'Bearer abc', 'Bearer a.b.c d', 'bearer'])(
  'Authorization: %s is 401',
  async (authorization) => {
    expect(await read(null, { authorization })).toMatchObject({
      status: 401,
      body: { code: 'TOKEN_INVALID' },
    })
  },
)

test('each 401 is logged with the address of its caller, and with nothing that the caller sent', async () => {
  const before = gateway.lines.length
  await read('e30.c2VjcmV0.AAAA')
  const lines = gateway.lines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.filter(({ msg }) => msg === 'not authenticated')).toEqual([
    expect.objectContaining({ address: '127.0.0.1', operation: 'listCharges', reason: 'TOKEN_INVALID' }),
  ])
  expect(gateway.lines.join('')).not.toContain('c2VjcmV0')
})

describe('a forged token is 401', () => {
  const claims = async (over: Record<string, unknown> = {}) => {
    const { keys, pool } = gateway.deps
    const [token] = (await listTokens(pool, gateway.sellerId)).tokens
    const { kid, key } = await keys.current()
    return {
      jti: token?.id,
      sub: String(gateway.sellerId),
      iss: 'https://pay.example.com',
      kid,
      key,
      ...over,
    }
  }
  const sign = async (over: Record<string, unknown> = {}) => {
    const { jti, sub, iss, kid, key } = await claims(over)
    return new SignJWT({ jti, sub, iss }).setProtectedHeader({ alg: 'EdDSA', kid }).setIssuedAt().sign(key)
  }
  const refused = async (token: string) => {
    const { status, headers, body } = await read(token)
    expect([status, body.code]).toEqual([401, 'TOKEN_INVALID'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
  }

  test('while the same claims under the right key are 200', async () => {
    expect(await read(await sign())).toMatchObject({ status: 200 })
  })
  test('signed by another key', async () => {
    const { privateKey } = await generateKeyPair('EdDSA')
    await refused(await sign({ key: privateKey }))
  })
  test('of another issuer', async () => refused(await sign({ iss: 'https://evil.example.com' })))
  test('of another seller than its own', async () => {
    await refused(await sign({ sub: String(gateway.other.sellerId) }))
  })
  test('with an unknown or malformed id', async () => {
    await refused(await sign({ jti: '00000000-0000-4000-8000-000000000000' }))
    await refused(await sign({ jti: "' OR 1=1" }))
  })
  test('under an unknown key id', async () => refused(await sign({ kid: 'unknown' })))
  test('with alg none, or an HMAC under the public key', async () => {
    const [header, payload] = [{ alg: 'none' }, { sub: '1', jti: 'x', iss: 'https://pay.example.com' }].map(
      (part) => Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    await refused(`${header}.${payload}.AAAA`)
    const { kid } = await claims()
    const hmac = new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: kid })
    await refused(await hmac.sign(Buffer.from(JSON.stringify(await gateway.deps.keys.jwks()))))
  })
  test('with a signature changed by one character', async () => {
    const jwt = await sign()
    await refused(jwt.slice(0, -10) + (jwt.at(-10) === 'A' ? 'B' : 'A') + jwt.slice(-9))
  })
})

test('a token expires at the first instant of its day', async () => {
  const { accessToken } = await gateway.other.tokenWith([], '2024-01-01')
  expect(await read(accessToken)).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
  const later = await gateway.other.tokenWith([], '2090-01-01')
  expect(await read(later.accessToken)).toMatchObject({ status: 200 })
})

test('a revoked token is soon refused, however often it was used', async () => {
  const { accessToken, token } = await gateway.other.tokenWith([])
  expect(await read(accessToken)).toMatchObject({ status: 200 })
  await revokeToken(gateway.deps.pool, token.id)
  const refusal = await eventually(async () => {
    const answer = await read(accessToken)
    expect(answer.status).toBe(401)
    return answer
  })
  expect(refusal.body.code).toBe('TOKEN_REVOKED')
})

test('tokens keep working when the signing key rotates', async () => {
  await gateway.deps.keys.rotate()
  const { accessToken } = await gateway.other.tokenWith([])
  expect(await read(gateway.token)).toMatchObject({ status: 200 })
  expect(await read(accessToken)).toMatchObject({ status: 200 })
})

test('a token without the scope of a route gets 403, which names the scope', async () => {
  const { accessToken } = await gateway.other.tokenWith(['orders:read'])
  expect(await read(accessToken)).toMatchObject({ status: 200 })
  const { status, headers, body } = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
    token: accessToken,
    body: order(),
  })
  expect([status, body.code]).toEqual([403, 'SCOPE_MISSING'])
  expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="orders:write"')
})

test("another seller's charge is 404, as if absent", async () => {
  const { body: made } = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', { body: order() })
  const { token } = gateway.other
  for (const path of [`${CHARGES}/${made.id}`, `${CHARGES}/${made.id}/metadata`, `${CHARGES}/987654`]) {
    expect(await gateway.call('GET', path, { token })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  }
  for (const path of [`${CHARGES}/${made.id}/capture`, `${CHARGES}/${made.id}/refund`]) {
    expect(await gateway.call('POST', path, { token })).toMatchObject({ status: 404 })
  }
})

test('the last use of a token is saved after the request, in the background', async () => {
  await read(gateway.token)
  await gateway.deps.lastUses.stop()
  const tokens = (await listTokens(gateway.deps.pool, gateway.sellerId)).tokens
  expect(tokens.at(-1)?.lastUsedAt).toBeGreaterThan(Date.now() - 60_000)
})

test('without the database, requests get 503 and are never let through', async () => {
  const own = await startGateway()
  expect(await own.call('GET', CHARGES)).toMatchObject({ status: 200 })
  await own.cutDatabase()
  const { status, headers, body } = await eventually(async () => {
    const answer = await own.call('GET', CHARGES)
    expect(answer.status).toBe(503)
    return answer
  })
  expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    true,
    '1',
  ])
  await own.stop()
})
