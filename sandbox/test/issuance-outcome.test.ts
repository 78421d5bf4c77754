import { issuanceOutcome } from '../src/token-service/issuance-outcome'
import { passesLuhn, tokenNumber } from '../src/token-service/token-number'
import { startTestSandbox, type TestSandbox } from './support'
import { activeToken, requestToken, settled, tokenOf, truthOf, until } from './tokens'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

test.each([
  ['4111110116638870', 2049, 'CARD_NOT_ELIGIBLE'],
  ['5555550130659057', 2049, 'CARD_NOT_ELIGIBLE'],
  ['2223001850064564', 2049, 'CARD_NOT_ELIGIBLE'],
  ['4111110148486405', 2049, 'ISSUER_DECLINED'],
  ['5555558824815604', 2049, 'ISSUER_DECLINED'],
  ['5204731940398145', 2049, 'ISSUER_DECLINED'],
  ['4111111738973695', 2049, 'ACQUIRER_REJECTED'],
  ['5555550487847545', 2049, 'ACQUIRER_REJECTED'],
  ['5204731601950473', 2049, 'ACQUIRER_REJECTED'],
  ['4111116028998260', 2049, 'NETWORK_UNAVAILABLE'],
  ['5555558122432110', 2049, 'NETWORK_UNAVAILABLE'],
  ['4111111111111129', 2049, 'ISSUER_DECLINED'],
  ['4111111111111111', 2032, 'CARD_NOT_ELIGIBLE'],
  ['4111111111111111', 2033, 'CARD_NOT_ELIGIBLE'],
  ['4111111111111111', 2036, 'ACQUIRER_REJECTED'],
  ['4111111111111111', 2037, 'CARD_EXPIRED'],
])('%s of %d fails for good: FAILED, %s', async (number, year, reason) => {
  const reference = `${number.slice(-4)}-${number.slice(6, 10)}-${year}`
  const token = await activeToken(sandbox, reference, { number, year })
  expect(token).toMatchObject({ status: 'FAILED', reason })
  expect(token.token).toBeUndefined()
  expect((await truthOf(sandbox, reference))[0].tokenLastFour).toBeNull()
  const path = `/token-service/tokens/${token.id}/status`
  expect((await sandbox.control('POST', path, { status: 'ACTIVE' })).status).toBe(422)
})

test.each([
  ['a past expiry date', { year: 2020 }, 'CARD_EXPIRED'],
  ['the year 2038', { year: 2038 }, 'ISSUER_DECLINED'],
  ['American Express', { number: '378282246310005' }, 'CARD_NOT_ELIGIBLE'],
  ['Elo', { number: '5067766783888311' }, 'CARD_NOT_ELIGIBLE'],
  ['Elo among the numbers of Visa', { number: '4011780000000006' }, 'CARD_NOT_ELIGIBLE'],
])('%s is refused at once and creates nothing', async (name, change, code) => {
  const reference = name.replaceAll(' ', '-')
  for (const attempt of [
    await requestToken(sandbox, reference, change),
    await requestToken(sandbox, reference, change),
  ]) {
    expect([attempt.status, attempt.body]).toEqual([422, { code, message: expect.any(String) }])
  }
  expect(await tokenOf(sandbox, reference)).toMatchObject({ code: 'NOT_FOUND' })
  expect(await truthOf(sandbox, reference)).toEqual([])
})

test('a card is valid until the end of its month', () => {
  const card = { number: '4111111111111111', expirationMonth: 11, expirationYear: 2026 }
  expect(issuanceOutcome(card, new Date('2026-11-30T23:59:59Z'))).toHaveProperty('steps')
  expect(issuanceOutcome(card, new Date('2026-12-01T00:00:00Z'))).toEqual({ refused: 'CARD_EXPIRED' })
})

test('a card that ends in 8 stays PENDING until a control sets its status', async () => {
  const { id } = (await requestToken(sandbox, 'eight', { number: '4111111111111178' })).body
  await activeToken(sandbox, 'after-eight')
  expect((await tokenOf(sandbox, 'eight')).status).toBe('PENDING')
  await sandbox.control('POST', `/token-service/tokens/${id}/status`, { status: 'ACTIVE' })
  expect((await settled(sandbox, 'eight')).status).toBe('ACTIVE')
})

test('2034: ACTIVE, SUSPENDED, ACTIVE, DELETED', async () => {
  await sandbox.control('POST', '/token-service/settings', { delayMs: 60 })
  await requestToken(sandbox, 'story', { year: 2034 })
  const seen: string[] = []
  await until(
    () => tokenOf(sandbox, 'story'),
    ({ status }) => {
      if (seen.at(-1) !== status) seen.push(status)
      return status === 'DELETED'
    },
  )
  expect(seen).toEqual(['PENDING', 'ACTIVE', 'SUSPENDED', 'ACTIVE', 'DELETED'])
})

test('2035: another card replaces the one behind the token', async () => {
  await sandbox.control('POST', '/token-service/settings', { delayMs: 60 })
  const before = await activeToken(sandbox, 'replaced', { year: 2035 })
  const after = await until(
    () => tokenOf(sandbox, 'replaced'),
    (token) => token.card.lastFour !== before.card.lastFour,
  )
  expect(after).toMatchObject({
    status: 'ACTIVE',
    token: before.token,
    card: { lastFour: '1121', expirationMonth: 12, expirationYear: 2039 },
  })
})

test('token numbers pass Luhn and are all different', () => {
  const numbers = Array.from({ length: 20_000 }, (_, i) => tokenNumber('VISA', i + 1))
  expect(new Set(numbers).size).toBe(20_000)
  expect(numbers.every((number) => /^489537\d{10}$/.test(number) && passesLuhn(number))).toBe(true)
})
