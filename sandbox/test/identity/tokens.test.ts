import { Agent } from 'node:https'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestSandbox, type TestSandbox } from '../support'
import { authorized, call, cardsOf, exchange, grantsOf, refresh, tokensOf } from './browser'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } }
const INVALID_TOKEN = { status: 401, body: { errors: [{ code: 'invalid_token' }] } }
const fault = (kind: string, change = {}) =>
  sandbox.control('POST', '/faults', { partner: 'IDENTITY_PROVIDER', kind, ...change })

test('a refresh gives a new access token and a new refresh token for the same card', async () => {
  const first = await tokensOf(sandbox, 'meal-1234')
  const second = (await refresh(sandbox, first.refresh_token)).body
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect((await cardsOf(sandbox, second.access_token)).body.data).toMatchObject([{ last4: '1234' }])
  expect((await refresh(sandbox, second.refresh_token)).status).toBe(200)
})

test('a reused refresh token revokes every token of its authorization', async () => {
  const first = await tokensOf(sandbox, 'meal-1234')
  const second = (await refresh(sandbox, first.refresh_token)).body
  expect(await refresh(sandbox, first.refresh_token)).toMatchObject(INVALID_GRANT)
  expect(await refresh(sandbox, second.refresh_token)).toMatchObject(INVALID_GRANT)
  expect(await cardsOf(sandbox, second.access_token)).toMatchObject(INVALID_TOKEN)
  expect(await grantsOf(sandbox)).toMatchObject([{ revoked: true }])
})

test('a person may revoke their own authorizations and nobody else’s', async () => {
  const [ana, bruno] = [await tokensOf(sandbox, 'meal-1234'), await tokensOf(sandbox, 'food-1110')]
  const revoked = await sandbox.control('POST', '/identity/revoke', { email: 'ana@example.com' })
  expect(revoked.body).toEqual({ revoked: 1 })
  expect(await cardsOf(sandbox, ana.access_token)).toMatchObject(INVALID_TOKEN)
  expect(await refresh(sandbox, ana.refresh_token)).toMatchObject(INVALID_GRANT)
  expect((await cardsOf(sandbox, bruno.access_token)).status).toBe(200)
})

test('a client may revoke an authorization with its refresh token', async () => {
  const tokens = await tokensOf(sandbox, 'food-1110')
  expect((await call(sandbox, 'revocation', { token: tokens.refresh_token })).status).toBe(200)
  expect(await cardsOf(sandbox, tokens.access_token)).toMatchObject(INVALID_TOKEN)
  expect(await grantsOf(sandbox)).toMatchObject([{ revoked: true }])
})

test('an access token is valid for the configured number of seconds', async () => {
  await sandbox.end()
  sandbox = await startTestSandbox({ identity: { ...sandbox.config.identity, accessTokenSeconds: 1 } })
  const { expires_in: seconds, ...tokens } = await tokensOf(sandbox, 'food-1110')
  expect(seconds).toBe(1)
  while ((await cardsOf(sandbox, tokens.access_token)).status === 200);
  expect(await cardsOf(sandbox, tokens.access_token)).toMatchObject(INVALID_TOKEN)
  expect((await refresh(sandbox, tokens.refresh_token)).status).toBe(200)
})

test('authorizations and keys survive a restart, and no code or token is on disk', async () => {
  const code = (await authorized(sandbox, 'meal-4321')).get('code') ?? ''
  const tokens = (await exchange(sandbox, code)).body
  const { dataDir } = sandbox.config
  const disk = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'utf8'))
  for (const secret of [code, tokens.access_token, tokens.refresh_token]) {
    expect(disk.filter((text) => text.includes(secret))).toEqual([])
  }
  const keys = () => sandbox.call('GET', `${sandbox.voucherIssuerUrl}/identity/connect/jwks`)
  const before = (await keys()).body
  sandbox = await sandbox.restart()
  expect((await keys()).body).toEqual(before)
  expect((await cardsOf(sandbox, tokens.access_token)).body.data).toMatchObject([{ last4: '4321' }])
  expect((await refresh(sandbox, tokens.refresh_token)).status).toBe(200)
  expect(await refresh(sandbox, tokens.refresh_token)).toMatchObject(INVALID_GRANT)
  sandbox = await sandbox.restart()
  expect(await grantsOf(sandbox)).toMatchObject([{ revoked: true }])
})

test('HTTP_500 leaves the code valid, ANSWER_LOST and DONE_500 burn it', async () => {
  const code = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  await fault('HTTP_500')
  expect((await exchange(sandbox, code)).status).toBe(500)
  await fault('DONE_500')
  expect(await exchange(sandbox, code)).toMatchObject({ status: 500, body: '' })
  expect(await exchange(sandbox, code)).toMatchObject(INVALID_GRANT)
  const other = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  await fault('ANSWER_LOST')
  await expect(exchange(sandbox, other)).rejects.toThrow()
  expect(await exchange(sandbox, other)).toMatchObject(INVALID_GRANT)
})

test('NOT_REACHED cuts the call, which does nothing, and spares the issuers', async () => {
  const code = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  await fault('NOT_REACHED')
  expect(await cardsOf(sandbox, 'unknown')).toMatchObject(INVALID_TOKEN)
  await expect(exchange(sandbox, code)).rejects.toThrow()
  expect((await exchange(sandbox, code)).status).toBe(200)
})

test('fetching the keys is a query, which faults spare unless asked otherwise', async () => {
  const keys = () => sandbox.call('GET', `${sandbox.voucherIssuerUrl}/identity/connect/jwks`)
  await fault('HTTP_500')
  expect((await keys()).status).toBe(200)
  await sandbox.control('DELETE', '/faults')
  await fault('HTTP_500', { queries: true })
  expect((await keys()).status).toBe(500)
  expect((await keys()).status).toBe(200)
})

test('over https, under any name, services find their endpoints, and there is no page', async () => {
  const url = `${sandbox.voucherIssuerUrl}/identity`
  const agent = new Agent({ ca: sandbox.config.tls.cert, servername: 'localhost' })
  const named = { headers: { Host: 'sandbox:9446' }, agent }
  expect((await sandbox.call('GET', `${url}/connect/jwks`, named)).body.keys).toHaveLength(1)
  expect((await sandbox.call('GET', `${url}/connect/authorize`)).status).toBe(404)
  expect((await sandbox.call('GET', `${url}/interaction/a`)).status).toBe(404)
})

describe('the discovery document', () => {
  const documentOf = (of: TestSandbox) =>
    of.call('GET', `${of.voucherIssuerUrl}/identity/.well-known/openid-configuration`)

  test('names every endpoint below the issuer, also where services ask for it', async () => {
    const issuer = `${sandbox.url}/identity`
    expect((await documentOf(sandbox)).body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/connect/authorize`,
      token_endpoint: `${issuer}/connect/token`,
      jwks_uri: `${issuer}/connect/jwks`,
      revocation_endpoint: `${issuer}/connect/revocation`,
    })
  })

  test('names the paths of the settings, and these are served', async () => {
    const paths = { authorization: '/auth', token: '/token', jwks: '/keys', revocation: null }
    const { identity } = sandbox.config
    const other = await startTestSandbox({ identity: { ...identity, paths } })
    const { body } = await documentOf(other)
    const issuer = `${other.url}/identity`
    expect(body).toMatchObject({ authorization_endpoint: `${issuer}/auth`, jwks_uri: `${issuer}/keys` })
    expect(body).not.toHaveProperty('revocation_endpoint')
    expect((await other.call('GET', `${other.voucherIssuerUrl}/identity/keys`)).body.keys).toHaveLength(1)
    expect((await other.call('POST', `${other.voucherIssuerUrl}/identity/token`)).status).toBe(400)
    expect((await other.call('GET', `${other.voucherIssuerUrl}/identity/connect/jwks`)).status).toBe(404)
    await other.end()
  })
})

test('each issued code and token is listed with its kind and is not on disk', async () => {
  const code = (await authorized(sandbox, 'food-1110')).get('code') ?? ''
  const { access_token: access, refresh_token: first } = (await exchange(sandbox, code)).body
  const { refresh_token: second } = (await refresh(sandbox, first)).body
  const issued = (await sandbox.control('GET', '/identity/issued')).body as { kind: string; value: string }[]
  const given = Object.fromEntries(issued.map(({ kind, value }) => [value, kind]))
  expect([code, access, first, second].map((value) => given[value])).toEqual([
    'AuthorizationCode',
    'AccessToken',
    'RefreshToken',
    'RefreshToken',
  ])
  const { dataDir } = sandbox.config
  const kept = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'utf8'))
  expect(kept.filter((text) => issued.some(({ value }) => text.includes(value)))).toEqual([])
})
