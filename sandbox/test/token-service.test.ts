import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestSandbox, type TestSandbox } from './support'
import {
  activeToken,
  callTokens,
  cryptogramFor,
  OTHER_MERCHANT,
  requestBody,
  requestToken,
  settled,
  tokenOf,
  truthOf,
  until,
} from './tokens'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const setDelay = (delayMs: number) => sandbox.control('POST', '/token-service/settings', { delayMs })
afterEach(() => setDelay(0))

test('a request is accepted as PENDING; the token is ACTIVE after the delay, and only then has a number', async () => {
  await setDelay(600_000)
  await requestToken(sandbox, 'waits')
  const pending = await tokenOf(sandbox, 'waits')
  expect(pending).toMatchObject({ status: 'PENDING', network: 'VISA' })
  expect(pending.token).toBeUndefined()

  await setDelay(50)
  const taken = await requestToken(sandbox, 'works')
  expect([taken.status, taken.body]).toEqual([
    202,
    { reference: 'works', id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'PENDING' },
  ])
  const active = await settled(sandbox, 'works')
  expect(active).toEqual({
    reference: 'works',
    id: taken.body.id,
    status: 'ACTIVE',
    network: 'VISA',
    token: {
      number: expect.stringMatching(/^489537\d{10}$/),
      lastFour: active.token.number.slice(-4),
      expirationMonth: 12,
      expirationYear: new Date().getUTCFullYear() + 5,
    },
    card: { lastFour: '1111', expirationMonth: 12, expirationYear: 2049 },
    paymentAccountReference: expect.stringMatching(/^V001[0-9A-Z]{25}$/),
    updatedAt: expect.any(Number),
  })
  expect(active.updatedAt - (await truthOf(sandbox, 'works'))[0].createdAt).toBeGreaterThanOrEqual(49)
  expect((await callTokens(sandbox, 'GET', `/${active.id}`)).body).toEqual(active)
})

test('Mastercard tokens have their own number range', async () => {
  const { network, token, paymentAccountReference } = await activeToken(sandbox, 'master', {
    number: '5555555555554444',
  })
  expect(network).toBe('MASTERCARD')
  expect(token.number).toMatch(/^520473\d{10}$/)
  expect(paymentAccountReference).toMatch(/^5001[0-9A-Z]{25}$/)
})

test('a repeated reference creates nothing and never shows the number', async () => {
  const { id } = await activeToken(sandbox, 'again')
  const again = await requestToken(sandbox, 'again')
  expect([again.status, again.body]).toEqual([200, { reference: 'again', id, status: 'ACTIVE' }])
  expect(await truthOf(sandbox, 'again')).toHaveLength(1)
})

test('a hundred concurrent requests with one reference make one token', async () => {
  const replies = await Promise.all(Array.from({ length: 100 }, () => requestToken(sandbox, 'raced')))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(99)
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  expect(await truthOf(sandbox, 'raced')).toHaveLength(1)
})

test('a hundred tokens have a hundred numbers', async () => {
  const references = Array.from({ length: 100 }, (_, i) => `many-${i}`)
  const tokens = await Promise.all(references.map((reference) => activeToken(sandbox, reference)))
  expect(new Set(tokens.map(({ token }) => token.number)).size).toBe(100)
})

test('numbers may be sent as text, and unknown fields and a missing CVV are accepted', async () => {
  const { card } = requestBody('text')
  const asText = { ...card, expirationMonth: '08', expirationYear: '2049', securityCode: undefined, more: 1 }
  const { status } = await callTokens(sandbox, 'POST', '', { body: { reference: 'text', card: asText } })
  expect(status).toBe(202)
  expect((await tokenOf(sandbox, 'text')).card).toMatchObject({ expirationMonth: 8, expirationYear: 2049 })
})

const { card } = requestBody('bad')
test.each([
  ['nothing', undefined, 'reference, card'],
  ['no reference', { card }, 'reference'],
  [
    'a number that fails Luhn',
    { reference: 'bad', card: { ...card, number: '4111111111111112' } },
    'card.number',
  ],
  ['month 13', { reference: 'bad', card: { ...card, expirationMonth: 13 } }, 'card.expirationMonth'],
  ['no holder', { reference: 'bad', card: { ...card, holder: '' } }, 'card.holder'],
  ['a CVV of letters', { reference: 'bad', card: { ...card, securityCode: 'abc' } }, 'card.securityCode'],
  ['a callback that is no URL', { reference: 'bad', card, callbackUrl: 'shop' }, 'callbackUrl'],
])('%s is answered with 400, which names the field, and creates nothing', async (_name, body, fields) => {
  const answer = await callTokens(sandbox, 'POST', '', { body })
  expect([answer.status, answer.body]).toEqual([
    400,
    { code: 'INVALID_REQUEST', message: body ? `Invalid: ${fields}` : expect.any(String) },
  ])
  expect(await truthOf(sandbox, 'bad')).toEqual([])
})

test('an unreadable body is refused and not quoted', async () => {
  const answer = await callTokens(sandbox, 'POST', '', { body: '{"card":4111111111111111x' })
  expect([answer.status, answer.body]).toEqual([
    400,
    { code: 'INVALID_REQUEST', message: 'The body cannot be read' },
  ])
})

test('the acquirer’s credentials apply: wrong ones are refused, and another seller sees nothing', async () => {
  const { id } = await activeToken(sandbox, 'mine')
  const wrongKey = { ...OTHER_MERCHANT, MerchantKey: 'short' }
  const refused = await callTokens(sandbox, 'GET', `/${id}`, { headers: wrongKey })
  expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHORIZED'])
  for (const [method, path, body] of [
    ['GET', `/${id}`],
    ['GET', '?reference=mine'],
    ['POST', `/${id}/cryptograms`, { reference: 'r', amount: 1 }],
    ['POST', `/${id}/deactivate`],
  ] as const) {
    const answer = await callTokens(sandbox, method, path, { body, headers: OTHER_MERCHANT })
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND'])
  }
  const own = await callTokens(sandbox, 'POST', '', { body: requestBody('mine'), headers: OTHER_MERCHANT })
  expect([own.status, own.body.id === id]).toEqual([202, false])
})

test('deactivating is final: repeated, it gives the same answer, and no cryptogram or number is given', async () => {
  const { id } = await activeToken(sandbox, 'ended')
  const first = await callTokens(sandbox, 'POST', `/${id}/deactivate`)
  expect([first.status, first.body.status, first.body.token]).toEqual([200, 'DELETED', undefined])
  expect((await callTokens(sandbox, 'POST', `/${id}/deactivate`)).body).toEqual(first.body)
  const refused = await cryptogramFor(sandbox, id)
  expect([refused.status, refused.body.code]).toEqual([422, 'TOKEN_NOT_ACTIVE'])
  const revived = await sandbox.control('POST', `/token-service/tokens/${id}/status`, { status: 'ACTIVE' })
  expect(revived.status).toBe(422)
})

test('a token deactivated while PENDING does not become ACTIVE, and a FAILED one cannot be deactivated', async () => {
  await setDelay(60)
  const pending = (await requestToken(sandbox, 'early')).body
  await callTokens(sandbox, 'POST', `/${pending.id}/deactivate`)
  await setDelay(0)
  const failed = await activeToken(sandbox, 'failed', { year: 2036 })
  expect((await callTokens(sandbox, 'POST', `/${failed.id}/deactivate`)).body.code).toBe('TOKEN_NOT_ACTIVE')
  await until(
    () => Promise.resolve(Date.now()),
    (now) => now > pending.updatedAt + 120 || now > failed.updatedAt + 120,
  )
  expect((await tokenOf(sandbox, 'early')).status).toBe('DELETED')
})

test('an unknown path is 404 and a wrong method 405', async () => {
  expect((await callTokens(sandbox, 'GET', '/a/b/c')).status).toBe(404)
  const wrong = await callTokens(sandbox, 'DELETE', '/a')
  expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET'])
  expect((await callTokens(sandbox, 'GET', '')).body.code).toBe('INVALID_REQUEST')
})

test("no card number, token number or cryptogram is on disk or in the controls' answers", async () => {
  const number = '4929112233445561'
  const { id, token } = await activeToken(sandbox, 'hidden', { number })
  const { cryptogram } = (await cryptogramFor(sandbox, id)).body
  const truth = JSON.stringify(await truthOf(sandbox, 'hidden'))
  const { dataDir } = sandbox.config
  const texts = [truth, ...readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'utf8'))]
  for (const secret of [number, token.number, cryptogram]) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
  }
  expect(truth).toContain('"cardLastFour":"5561"')
})
