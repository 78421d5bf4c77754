import { eventually } from '@cofre/testing/testing'
import { authorize, discard, runCofrectl, startSystem, type System } from './system'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

const cofrectl = (...args: string[]) => runCofrectl(system, ...args)

test('a token made by cofrectl works, and fails once revoked', async () => {
  const seller = String(system.ready.sellerId)
  const created = ['--seller', seller, '--title', 'to be revoked', '--all-scopes']
  const made = await cofrectl('token', 'create', ...created)
  const read = () => system.api('GET', '/api/v2/charges', { token: made.accessToken })
  expect((await read()).status).toBe(200)

  await cofrectl('token', 'revoke', made.token.id)
  const { status, headers, body } = await eventually(async () => {
    const answer = await read()
    expect(answer.status).toBe(401)
    return answer
  })
  expect([status, body.code, headers.get('www-authenticate')]).toEqual([
    401,
    'TOKEN_REVOKED',
    expect.stringMatching(/^Bearer/),
  ])
})

test('an expired token gets 401, a token without the scope 403, a request without a token 401', async () => {
  const seller = String(system.ready.sellerId)
  const expired = await cofrectl(
    'token',
    'create',
    '--seller',
    seller,
    '--title',
    'old',
    '--expires-on',
    '2026-01-01',
    '--all-scopes',
  )
  const narrow = await cofrectl(
    'token',
    'create',
    '--seller',
    seller,
    '--title',
    'cards',
    '--scope',
    'cards:read',
  )
  const read = (token: string | null) => system.api('GET', '/api/v2/charges', { token })

  expect(await read(expired.accessToken)).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
  expect(await read(narrow.accessToken)).toMatchObject({ status: 403, body: { code: 'SCOPE_MISSING' } })
  expect(await read(null)).toMatchObject({ status: 401, body: { code: 'TOKEN_INVALID' } })
})

test("another seller's charge, card and path answer 404, as if absent", async () => {
  const { headers, body } = await authorize(system, 1)
  const { token, sellerId } = system.ready.secondSeller
  const paths = [
    headers.get('location') ?? '',
    `/api/v2/charges/${body.id}/metadata`,
    `/api/v2/cards/tokens/1`,
  ]
  for (const path of paths) {
    expect(await system.api('GET', path, { token })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  }
  const foreign = `/api/v2/sellers/${sellerId}/orders/credit-card/authorize`
  expect(await system.api('POST', foreign, { body: {} })).toMatchObject({ status: 404 })
})

test('the vault rotates its keys and every card still charges', async () => {
  const before = await authorize(system, 1)
  await cofrectl('keys', 'rotate-data')
  await cofrectl('keys', 'rotate-kek')
  expect(before.body.status).toBe('AUTHORIZED')
  expect(await authorize(system, 4)).toMatchObject({ body: { status: 'AUTHORIZED' } })
})
