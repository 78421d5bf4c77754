import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AUTHENTICATION_CARDS } from '../../src/three-d-secure/authentication-cards'
import { startTestSandbox, type TestSandbox } from '../support'
import { answerChallenge, authenticate, CHALLENGED, MERCHANT, resultOf, RETURN_URL } from './authentications'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const VALUE = /^[A-Za-z0-9+/]{27}=$/

test.each(AUTHENTICATION_CARDS)('a documented card: $outcome', async ({ plan, visa, mastercard, elo }) => {
  const expected = {
    CHALLENGE: 'CHALLENGE',
    CHALLENGE_FAILS: 'CHALLENGE',
    FRICTIONLESS: 'AUTHENTICATED',
    REJECTED: 'REJECTED',
    NOT_ENROLLED: 'UNAVAILABLE',
    SYSTEM_ERROR: 'UNAVAILABLE',
  }[plan]
  for (const number of [visa, mastercard, elo]) {
    const { status, body } = await authenticate(sandbox, number)
    expect([status, body.status]).toEqual([201, expected])
    expect(body.challengeUrl === null).toBe(expected !== 'CHALLENGE')
    if (expected !== 'AUTHENTICATED') expect(body.authenticationValue).toBeNull()
    expect(await resultOf(sandbox, body.id)).toEqual(body)
  }
})

test.each([
  ['4111111111111111', '05'],
  ['5555555555554444', '02'],
  ['6505510000000070', '05'],
  ['378282246310005', '05'],
])('any other card authenticates without a challenge: %s, ECI %s', async (number, eci) => {
  const { body } = await authenticate(sandbox, number)
  expect(body).toMatchObject({
    status: 'AUTHENTICATED',
    eci,
    version: '2.2.0',
    authenticationValue: expect.stringMatching(VALUE),
    dsTransactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    challengeUrl: null,
  })
})

test('a brand without 3-D Secure is unavailable', async () => {
  const { body } = await authenticate(sandbox, '30569309025904')
  expect(body).toMatchObject({ status: 'UNAVAILABLE', reason: 'NOT_ENROLLED', eci: '07' })
})

test.each([
  ['the code', 'code=123456', 'AUTHENTICATED', null],
  ['Approve', 'decision=APPROVE', 'AUTHENTICATED', null],
  ['Decline', 'decision=DECLINE', 'REJECTED', 'CARD_AUTHENTICATION_FAILED'],
  ['giving up', 'decision=GIVE_UP', 'REJECTED', 'CANCELLED_BY_PAYER'],
])('answering a challenge by %s ends it', async (_, form, status, reason) => {
  const { body } = await authenticate(sandbox, CHALLENGED)
  const page = await sandbox.call('GET', body.challengeUrl)
  for (const text of ['Loja Ana', '100,00', '1091']) expect(page.body).toContain(text)
  expect(page.body).not.toMatch(/<script|<link(?! rel="icon" href="data:)|<img|src=/)
  const back = await answerChallenge(sandbox, body.challengeUrl, form)
  expect([back.status, back.headers['location']]).toEqual([303, RETURN_URL])
  const result = await resultOf(sandbox, body.id)
  expect(result).toMatchObject({ status, reason, challengeUrl: null })
  expect(result.authenticationValue !== null).toBe(status === 'AUTHENTICATED')
})

test('a payer may try three codes in all', async () => {
  const { body } = await authenticate(sandbox, CHALLENGED)
  const wrong = () => answerChallenge(sandbox, body.challengeUrl, 'code=000000')
  for (const again of [await wrong(), await wrong()]) {
    expect(again.status).toBe(422)
    expect(again.body).toContain('role="alert"')
  }
  expect((await wrong()).status).toBe(303)
  expect(await resultOf(sandbox, body.id)).toMatchObject({ status: 'REJECTED' })
})

test('an answered challenge keeps its answer', async () => {
  const { body } = await authenticate(sandbox, CHALLENGED)
  await answerChallenge(sandbox, body.challengeUrl, 'decision=DECLINE')
  const again = await answerChallenge(sandbox, body.challengeUrl, 'decision=APPROVE')
  expect(again.status).toBe(410)
  expect(again.body).toContain(RETURN_URL)
  expect((await sandbox.call('GET', body.challengeUrl)).status).toBe(410)
  expect(await resultOf(sandbox, body.id)).toMatchObject({ status: 'REJECTED' })
})

test('a card whose challenge fails is rejected even with the right code', async () => {
  const { body } = await authenticate(sandbox, '5200000000001104')
  expect((await answerChallenge(sandbox, body.challengeUrl, 'code=123456')).status).toBe(303)
  expect(await resultOf(sandbox, body.id)).toMatchObject({ status: 'REJECTED', eci: '00' })
})

test('a payer who runs out of time is rejected', async () => {
  const { body } = await authenticate(sandbox, CHALLENGED)
  await sandbox.control('POST', `/three-d-secure/authentications/${body.id}/expire`)
  expect(await resultOf(sandbox, body.id)).toMatchObject({ status: 'REJECTED', reason: 'TIMED_OUT' })
  expect((await answerChallenge(sandbox, body.challengeUrl, 'code=123456')).status).toBe(410)
  expect((await sandbox.control('POST', '/three-d-secure/authentications/none/expire')).status).toBe(404)
})

test.each([
  ['no credentials', {}],
  ['no key', { 'x-merchant-id': 'loja-ana' }],
  ['another key', { ...MERCHANT, 'x-api-key': 'another-key' }],
])('%s is answered with 401', async (_, headers) => {
  await authenticate(sandbox, CHALLENGED)
  expect((await authenticate(sandbox, CHALLENGED, {}, headers as Record<string, string>)).status).toBe(401)
})

test('another seller finds no authentication, and neither does a made-up id', async () => {
  const { body } = await authenticate(sandbox, CHALLENGED)
  const headers = { 'x-merchant-id': 'vizinha', 'x-api-key': 'key-of-vizinha' }
  const url = `${sandbox.threeDSecureUrl}/authentications/${body.id}`
  expect((await sandbox.call('GET', url, { headers })).status).toBe(404)
  expect((await sandbox.call('GET', `${sandbox.url}/acs/challenges/${body.id}`)).status).toBe(404)
  expect((await sandbox.call('POST', `${sandbox.url}/acs/challenges/x`)).status).toBe(404)
})

test('a refusal names the wrong fields', async () => {
  const { status, body } = await authenticate(sandbox, 'abc', { amount: 0, returnUrl: 'javascript:alert(1)' })
  expect([status, body.fields.sort()]).toEqual([400, ['amount', 'card.number', 'returnUrl']])
  const headers = { ...MERCHANT, 'Content-Type': 'application/json' }
  const url = `${sandbox.threeDSecureUrl}/authentications`
  expect((await sandbox.call('POST', url, { headers, body: '{' })).status).toBe(400)
  expect((await sandbox.call('PUT', url, { headers })).status).toBe(405)
  expect((await sandbox.call('GET', `${sandbox.threeDSecureUrl}/other`, { headers })).status).toBe(404)
})

test('authentications survive a restart, and no card number or key is on disk', async () => {
  const { body } = await authenticate(sandbox, CHALLENGED)
  sandbox = await sandbox.restart()
  expect(await resultOf(sandbox, body.id)).toMatchObject({ status: 'CHALLENGE' })
  const stored = readdirSync(sandbox.config.dataDir)
    .map((file) => readFileSync(join(sandbox.config.dataDir, file), 'utf8'))
    .join()
  expect(stored).not.toContain(CHALLENGED)
  expect(stored).not.toContain(MERCHANT['x-api-key'])
})

test('faults of the ACS lose an answer, skip the call, or refuse the connection', async () => {
  const fault = (kind: string, change = {}) =>
    sandbox.control('POST', '/faults', { partner: 'ACS', kind, ...change })
  await fault('ANSWER_LOST')
  await expect(authenticate(sandbox, CHALLENGED)).rejects.toThrow()
  await fault('HTTP_500')
  expect((await authenticate(sandbox, CHALLENGED)).status).toBe(500)
  await fault('NOT_REACHED', { times: 10_000, queries: true })
  await expect(authenticate(sandbox, CHALLENGED)).rejects.toThrow()
  await sandbox.control('DELETE', '/faults')
  expect((await authenticate(sandbox, CHALLENGED)).status).toBe(201)
})

test('the controls and the page show the authentications without their values', async () => {
  const { body } = await authenticate(sandbox, '4000000000001000')
  const list = (await sandbox.control('GET', '/three-d-secure/authentications')).body
  expect(list[0]).toMatchObject({ id: body.id, status: 'AUTHENTICATED', eci: '05', cardLastFour: '1000' })
  expect(JSON.stringify(list)).not.toContain(body.authenticationValue)
  const html = (await sandbox.control('GET', '/')).body
  for (const text of ['VISA 1000', '4000 0000 0000 1091', sandbox.threeDSecureUrl])
    expect(html).toContain(text)
})
