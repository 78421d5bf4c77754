import { randomBytes, scrypt } from 'node:crypto'
import { join } from 'node:path'
import { createLog } from '@cofre/platform/telemetry/log'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { issueToken } from '../src/sellers/api-tokens/issue-token'
import { keepLastUses } from '../src/sellers/api-tokens/last-uses'
import { hashPassword, isPassword } from '../src/sellers/password'
import { insertSeller } from '../src/sellers/seller-store'
import { createTurns } from '../src/sellers/turns'
import { openSigningKeys } from '../src/sellers/api-tokens/signing-keys'
import { createTokenVerifier } from '../src/sellers/api-tokens/token-verifier'
import { checkTokenRequest, firstInstantOf, mayUse, tokenStatus } from '../src/sellers/api-tokens/token'
import { listTokens, revokeToken, saveLastUses } from '../src/sellers/api-tokens/token-store'

const sealingKey = Buffer.alloc(32, 7)
const baseUrl = 'https://pay.example.com'
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
})
afterAll(() => database.drop())

describe('rules', () => {
  test('an expiry date means its first instant in Sao Paulo', () => {
    expect(firstInstantOf('2030-05-01')).toBe(Date.parse('2030-05-01T00:00:00-03:00'))
    // Daylight saving time began at midnight of that day, so its first instant was 01:00.
    expect(firstInstantOf('2018-11-04')).toBe(Date.parse('2018-11-04T01:00:00-02:00'))
    expect(firstInstantOf('2019-01-10')).toBe(Date.parse('2019-01-10T00:00:00-02:00'))
  })

  test.each(['2030-02-30', '2030-13-01', '01/05/2030', '2030-5-1', ''])('%p is not a date', (day) => {
    expect(firstInstantOf(day)).toBeUndefined()
  })

  test('a token ends at its expiry, and a revoked token is revoked regardless of its expiry', () => {
    expect(tokenStatus({ expiresAt: 10, revokedAt: null }, 9)).toBe('ACTIVE')
    expect(tokenStatus({ expiresAt: 10, revokedAt: null }, 10)).toBe('EXPIRED')
    expect(tokenStatus({ expiresAt: 10, revokedAt: 5 }, 20)).toBe('REVOKED')
  })

  test('no scope means all; the right to write does not include the right to read', () => {
    expect(mayUse({ scopes: [] }, 'invoices:read')).toBe(true)
    expect(mayUse({ scopes: ['orders:write'] }, 'orders:read')).toBe(false)
  })

  test('all scopes must be requested: a token with no scopes is refused, and so is one with both', () => {
    const request = { sellerId: 1, title: 'ERP' }
    const refusal = (code: string) =>
      expect.objectContaining({
        extra: { errors: [expect.objectContaining({ pointer: '#/scopes', code })] },
      })
    expect(() => checkTokenRequest({ ...request, scopes: [] })).toThrow(refusal('REQUIRED'))
    expect(() => checkTokenRequest({ ...request, scopes: ['cards:read'], allScopes: true })).toThrow(
      refusal('CONFLICT'),
    )
    expect(checkTokenRequest({ ...request, scopes: [], allScopes: true })).toMatchObject({ scopes: [] })
    expect(checkTokenRequest({ ...request, scopes: ['cards:read'] })).toMatchObject({
      scopes: ['cards:read'],
    })
  })

  test('every fault of a token request is listed', () => {
    const request = { sellerId: 1, title: ' ', expiresOn: '01/02', scopes: ['cards:admin'] }
    expect(() => checkTokenRequest(request)).toThrow(
      expect.objectContaining({
        reason: 'VALIDATION_FAILED',
        extra: {
          errors: [
            expect.objectContaining({ pointer: '#/title', code: 'REQUIRED' }),
            expect.objectContaining({ pointer: '#/expiresOn', code: 'FORMAT' }),
            expect.objectContaining({ pointer: '#/scopes', code: 'ENUM' }),
          ],
        },
      }),
    )
  })
})

test('a password is stored as a salted scrypt hash', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).not.toBe(two)
  expect(one).toMatch(/^scrypt\$\d+\$8\$3\$/)
  await expect(isPassword('correct horse', one)).resolves.toBe(true)
  await expect(isPassword('correct horsf', one)).resolves.toBe(false)
})

test('several processes that start at once agree on one signing key', async () => {
  const opened = await Promise.all([1, 2, 3].map(() => openSigningKeys(database.pool, sealingKey)))
  const kids = await Promise.all(opened.map(async (keys) => (await keys.current()).kid))
  expect(new Set(kids).size).toBe(1)
})

test('a token verifies against the JWKS, also after its key was rotated, and is stored nowhere', async () => {
  const keys = await openSigningKeys(database.pool, sealingKey)
  const seller = await insertSeller(database.pool, 'Loja')
  const deps = { pool: database.pool, keys, baseUrl }
  const { accessToken, token } = await issueToken(deps, {
    sellerId: seller.id,
    title: 'ERP',
    expiresOn: '2090-01-01',
    scopes: ['orders:write', 'cards:read'],
  })
  const kid = await keys.rotate()
  const { payload, protectedHeader } = await jwtVerify(accessToken, createLocalJWKSet(await keys.jwks()), {
    issuer: baseUrl,
  })
  expect(protectedHeader).toMatchObject({ alg: 'EdDSA' })
  expect(protectedHeader.kid).not.toBe(kid)
  expect(payload).toMatchObject({ sub: String(seller.id), jti: token.id, scope: 'cards:read orders:write' })
  expect(payload.exp).toBe(Date.parse('2090-01-01T00:00:00-03:00') / 1000)
  const { rows } = await database.pool.query('SELECT to_jsonb(t)::text AS text FROM api_tokens t')
  expect(rows.map((row) => row.text).join()).not.toContain(accessToken.split('.')[2])
})

test('the private part of a retired key is destroyed, and that of the current key is sealed', async () => {
  const keys = await openSigningKeys(database.pool, sealingKey)
  await keys.rotate()
  const { rows } = await database.pool.query('SELECT private_jwk, retired_at FROM signing_keys')
  for (const row of rows) expect(row.private_jwk === null).toBe(row.retired_at !== null)
  const [current] = rows.filter((row) => row.retired_at === null)
  expect(current.private_jwk.toString('latin1')).not.toContain('OKP')
  await expect(
    openSigningKeys(database.pool, Buffer.alloc(32, 8)).then((other) => other.current()),
  ).rejects.toThrow()
})

test('tokens are listed newest first, revoked once, and their last use only moves forward', async () => {
  const keys = await openSigningKeys(database.pool, sealingKey)
  const seller = await insertSeller(database.pool, 'Outra')
  const deps = { pool: database.pool, keys, baseUrl }
  const first = await issueToken(deps, { sellerId: seller.id, title: 'one', scopes: [], allScopes: true })
  await issueToken(deps, { sellerId: seller.id, title: 'two', scopes: [], allScopes: true })
  await saveLastUses(database.pool, new Map([[first.token.id, 2_000]]))
  await saveLastUses(database.pool, new Map([[first.token.id, 1_000]]))
  await expect(revokeToken(database.pool, first.token.id, seller.id + 1)).resolves.toBeUndefined()
  const revoked = await revokeToken(database.pool, first.token.id, seller.id)
  await expect(revokeToken(database.pool, first.token.id)).resolves.toEqual(revoked)
  expect((await listTokens(database.pool, seller.id)).tokens).toEqual([
    expect.objectContaining({ title: 'two', revokedAt: null, lastUsedAt: null, scopes: [] }),
    expect.objectContaining({ title: 'one', revokedAt: revoked?.revokedAt, lastUsedAt: 2_000 }),
  ])
})

test('a last use that cannot be saved is saved once the database is back', async () => {
  const { pool } = database
  const keys = await openSigningKeys(pool, sealingKey)
  const { id: sellerId } = await insertSeller(pool, 'Loja')
  const issue = () =>
    issueToken({ pool, keys, baseUrl }, { sellerId, title: 'x', scopes: [], allScopes: true })
  const [{ token: one }, { token: two }] = [await issue(), await issue()]
  const failures: unknown[] = []
  const log = createLog('gateway', 'warn', { write: (line) => void failures.push(line) })
  await pool.query('ALTER TABLE api_tokens RENAME TO hidden_tokens')
  const before = Date.now()
  const lastUses = keepLastUses(pool, log, 5)
  lastUses.note(one.id)
  await eventually(async () => expect(failures.length).toBeGreaterThan(0))
  lastUses.note(two.id)
  await pool.query('ALTER TABLE hidden_tokens RENAME TO api_tokens')
  await eventually(async () => {
    const tokens = (await listTokens(pool, sellerId)).tokens
    expect(tokens.map(({ lastUsedAt }) => (lastUsedAt ?? 0) >= before)).toEqual([true, true])
  })
  await lastUses.stop()
})

test('a token for an unknown seller is refused', async () => {
  const keys = await openSigningKeys(database.pool, sealingKey)
  const refused = issueToken(
    { pool: database.pool, keys, baseUrl },
    { sellerId: 99, title: 't', scopes: ['cards:read'] },
  )
  await expect(refused).rejects.toMatchObject({ kind: 'not_found' })
})

test('a new token is verified while every thread of Node is busy with passwords', async () => {
  const { pool } = database
  const keys = await openSigningKeys(pool, sealingKey)
  const { id: sellerId } = await insertSeller(pool, 'Loja')
  const { accessToken } = await issueToken(
    { pool, keys, baseUrl },
    { sellerId, title: 'x', scopes: [], allScopes: true },
  )
  const verifier = createTokenVerifier({ pool, keys, baseUrl })
  let hashed = 0
  const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 256 * 2 ** 20 }
  const hashing = Array.from(
    { length: 12 },
    () =>
      new Promise<void>((resolve) =>
        scrypt('password', randomBytes(16), 32, cost, () => ((hashed += 1), resolve())),
      ),
  )
  expect(await verifier.verify(accessToken)).toMatchObject({ sellerId })
  expect(hashed).toBeLessThan(8)
  await Promise.all(hashing)
})

test('a signature has one valid spelling', async () => {
  const { pool } = database
  const keys = await openSigningKeys(pool, sealingKey)
  const { id: sellerId } = await insertSeller(pool, 'Loja')
  const { accessToken } = await issueToken(
    { pool, keys, baseUrl },
    { sellerId, title: 'x', scopes: [], allScopes: true },
  )
  const verifier = createTokenVerifier({ pool, keys, baseUrl })
  // The last letter of 64 bytes has four unused bits.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(accessToken.at(-1) ?? '')
  const other = accessToken.slice(0, -1) + alphabet[last + 1]
  expect(Buffer.from(other.split('.')[2] ?? '', 'base64url')).toEqual(
    Buffer.from(accessToken.split('.')[2] ?? '', 'base64url'),
  )
  await expect(verifier.verify(other)).rejects.toMatchObject({ reason: 'TOKEN_INVALID' })
  expect(await verifier.verify(accessToken)).toMatchObject({ sellerId })
})

test('two turns run, some wait in order, and more are refused at once', async () => {
  const turns = createTurns({ atOnce: 2, maxWaiting: 3 })
  const ends: (() => void)[] = []
  const began: number[] = []
  const work = (nth: number) =>
    turns.take(() => {
      began.push(nth)
      return new Promise<number>((resolve, reject) => {
        ends.push(() => (nth === 1 ? reject(new Error('failed')) : resolve(nth)))
      })
    })
  const taken = [0, 1, 2, 3, 4].map(work)
  const outcomes = Promise.allSettled(taken)
  await expect(work(5)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(began).toEqual([0, 1])
  for (let ended = 0; ended < taken.length; ended++) {
    ends[ended]?.()
    await taken[ended]?.catch(() => {})
    expect(began.length - ended - 1).toBeLessThanOrEqual(2)
  }
  expect(began).toEqual([0, 1, 2, 3, 4])
  expect((await outcomes).map(({ status }) => status)).toEqual(
    [0, 1, 2, 3, 4].map((nth) => (nth === 1 ? 'rejected' : 'fulfilled')),
  )
  const last = work(6)
  ends.at(-1)?.()
  expect(await last).toBe(6)
})
