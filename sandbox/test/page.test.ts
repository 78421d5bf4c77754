import { cardOutcome } from '../src/acquirer/card-outcome'
import { TEST_CARDS } from '../src/test-cards'
import { sell } from './sales'
import { issuanceOutcome } from '../src/token-service/issuance-outcome'
import { TOKEN_CARDS, TOKEN_YEARS } from '../src/token-service/token-cards'
import { VOUCHER_CARDS, VR_WITHOUT_CHECK_DIGIT } from '../src/vouchers/voucher-cards'
import { grantsOf, tokensOf } from './identity/browser'
import { payAlelo } from './vouchers/card-vouchers'
import { activeToken, requestToken } from './tokens'
import { startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const page = async (): Promise<string> => (await sandbox.control('GET', '/')).body
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

function passesLuhn(number: string): boolean {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, i) => {
      const value = Number(digit) * (i % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

test('each last digit has a Visa card; every card passes Luhn and has the outcome that the page shows', () => {
  const visa = TEST_CARDS.filter(({ brand }) => brand === 'Visa')
  expect(visa.map(({ number }) => number.slice(-1)).join('')).toBe('0123456789')
  for (const { number, outcome } of TEST_CARDS) {
    const real = cardOutcome(number)
    expect(passesLuhn(number)).toBe(true)
    expect(outcome.startsWith('approved')).toBe(real.approved)
    if (real.approved) expect(outcome.includes('lost')).toBe(real.answerLost)
    else expect(outcome).toContain(` ${real.returnCode}:`)
  }
})

test('the page shows cards, payments, inboxes and all addresses, and loads nothing', async () => {
  await sell(sandbox, { orderId: 'Shown77', amount: 123_456 })
  await sandbox.control('POST', '/inbox/shown-box', 'x')
  const html = await page()
  for (const text of [
    '4111 1111 1111 112<b>9</b>',
    'Shown77',
    '1.234,56',
    'shown-box',
    sandbox.acquirerQueryUrl,
  ]) {
    expect(html).toContain(text)
  }
  expect(html).not.toMatch(/<script|<link(?! rel="icon" href="data:)|<img|@import|src=/)
})

test('forms set and clear a fault and return to the page', async () => {
  const body = 'partner=ACQUIRER&kind=SLOW&times=3&delayMs=250&queries=on'
  const set = await sandbox.call('POST', `${sandbox.url}/faults`, { body, headers: form })
  expect([set.status, set.headers['location']]).toEqual([303, '/'])
  const slow = { partner: 'ACQUIRER', kind: 'SLOW', times: 3, delayMs: 250, changes: true, queries: true }
  expect((await sandbox.control('GET', '/faults')).body).toEqual([slow])
  expect(await page()).toContain('Clear all faults')
  await sandbox.call('POST', `${sandbox.url}/faults/clear`, { headers: form })
  expect((await sandbox.control('GET', '/faults')).body).toEqual([])
})

test('forms set and clear the next declines, for a card or for any', async () => {
  const send = (body: string) => sandbox.call('POST', `${sandbox.url}/acquirer/next`, { body, headers: form })
  const any = await send('returnCode=51&cardLastFour=&merchantAdviceCode=&times=2')
  expect([any.status, any.headers['location']]).toEqual([303, '/'])
  await send('returnCode=61&cardLastFour=4444&merchantAdviceCode=24&times=1')
  expect((await sandbox.control('GET', '/acquirer/next')).body).toEqual([
    { returnCode: '51', cardLastFour: null, merchantAdviceCode: null, times: 2, isReplaced: false },
    { returnCode: '61', cardLastFour: '4444', merchantAdviceCode: '24', times: 1, isReplaced: false },
  ])
  expect(await page()).toContain('ends in <code>4444</code>')
  const wrong = await send('returnCode=51&cardLastFour=44&merchantAdviceCode=&times=1')
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '#/cardLastFour'])
  const cleared = await sandbox.call('POST', `${sandbox.url}/acquirer/next/clear`, { headers: form })
  expect([cleared.status, cleared.headers['location']]).toEqual([303, '/'])
  expect((await sandbox.control('GET', '/acquirer/next')).body).toEqual([])
})

test('the page shows the token service: its tokens, its cards and the delay, which a form sets', async () => {
  await activeToken(sandbox, 'shown-token')
  await requestToken(sandbox, 'shown-failed', { year: 2036 })
  const body = 'delayMs=1234'
  const set = await sandbox.call('POST', `${sandbox.url}/token-service/settings`, { body, headers: form })
  expect([set.status, set.headers['location']]).toEqual([303, '/'])
  const html = await page()
  const expected = [
    'shown-token',
    'active',
    '4111 1117 3897 3695',
    'NETWORK_UNAVAILABLE',
    '2034',
    'value="1234"',
  ]
  for (const text of [...expected, sandbox.tokenServiceUrl]) expect(html).toContain(text)
})

test('each card of the token service has the outcome that the page shows', () => {
  const now = new Date('2026-06-01')
  const end = (number: string, expirationYear: number) => {
    const outcome = issuanceOutcome({ number, expirationMonth: 12, expirationYear }, now)
    if ('refused' in outcome) return `refused at once, ${outcome.refused}`
    const [first] = outcome.steps
    if (!first) return 'stays pending'
    return 'reason' in first ? `failed, ${first.reason}` : 'active'
  }
  for (const { number, outcome } of TOKEN_CARDS) {
    expect(passesLuhn(number)).toBe(true)
    expect(outcome.startsWith(end(number, 2049))).toBe(true)
  }
  for (const { years, outcome } of TOKEN_YEARS) {
    for (const year of years.match(/\d{4}/g) ?? ['2020']) {
      expect(outcome.startsWith(end('4111111111111111', Number(year)))).toBe(true)
    }
  }
})

test('the page shows the voucher issuers, the authorizations, and a form that revokes them', async () => {
  await tokensOf(sandbox, 'meal-4321')
  await payAlelo(sandbox, 'shown-voucher')
  const html = await page()
  const expected = ['shown-voucher', '5067 2290 0000 006<b>1</b>', 'ana@example.com', 'meal 4321']
  for (const text of [...expected, sandbox.voucherIssuerUrl]) expect(html).toContain(text)
  const body = 'email=ana%40example.com'
  const sent = await sandbox.call('POST', `${sandbox.url}/identity/revoke`, { body, headers: form })
  expect([sent.status, sent.headers['location']]).toEqual([303, '/'])
  expect(await grantsOf(sandbox)).toMatchObject([{ cardLastFour: '4321', revoked: true }])
})

test('each card of the voucher issuers has the outcome that the page shows', () => {
  for (const { alelo, vr, outcome } of VOUCHER_CARDS) {
    const real = cardOutcome(alelo)
    expect([alelo.slice(0, 4), vr.slice(0, 6), alelo.length, vr.length]).toEqual(['5067', '637036', 16, 16])
    expect([passesLuhn(alelo), passesLuhn(vr)]).toEqual([true, vr !== VR_WITHOUT_CHECK_DIGIT])
    expect(cardOutcome(vr)).toEqual(real)
    expect(outcome.startsWith('approved')).toBe(real.approved)
    if (real.approved) expect(outcome.includes('lost')).toBe(real.answerLost)
    else expect(outcome).toContain(` ${real.returnCode} or `)
  }
})

test('healthz answers', async () => {
  expect((await sandbox.control('GET', '/healthz')).body).toEqual({ status: 'ok' })
})
