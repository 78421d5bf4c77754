import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import { listNoAnswers, whyNoAnswer } from '@cofre/api/webhooks/no-answer'
import { startSilentReceivers } from '@cofre/testing/silent-receivers'
import { createHttpSender } from '../../src/deliveries/http-sender'
import type { ResolveName } from '../../src/deliveries/resolve-name'

let receivers: Awaited<ReturnType<typeof startSilentReceivers>>
beforeAll(async () => {
  receivers = await startSilentReceivers()
})
afterAll(() => receivers.close())

const allowed = outboundSetting.parse('127.0.0.0/8')
const KNOWN_AUTHORITY = ['CERTIFICATE_EXPIRED', 'CERTIFICATE_WRONG_NAME']

async function reasonAt(url: string, more: { ca?: string; resolve?: ResolveName } = {}) {
  const sender = createHttpSender({
    allowed,
    timeoutMs: url === receivers.urls.TIMEOUT ? 200 : 5_000,
    ...more,
  })
  const outcome = await sender.send({ url, headers: {}, body: '{}' })
  return 'error' in outcome ? whyNoAnswer(outcome.error).errorCode : outcome.status
}

test.each([
  'CONNECTION_REFUSED',
  'CERTIFICATE_NOT_TRUSTED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_WRONG_NAME',
  'TLS_FAILED',
  'TIMEOUT',
  'ANSWER_CUT_OFF',
  'NOT_HTTP',
  'HEADERS_TOO_LONG',
] as const)('an attempt at a receiver without an answer says why: %s', async (code) => {
  const trust = KNOWN_AUTHORITY.includes(code) ? { ca: receivers.ca } : {}
  expect(await reasonAt(receivers.urls[code], trust)).toBe(code)
})

test.each([
  ['NAME_UNKNOWN', 'ENOTFOUND'],
  ['NAME_SERVER_FAILED', 'ESERVFAIL'],
])('a host whose name is not resolved says so: %s', async (reason, code) => {
  const resolve = async () => {
    throw Object.assign(new Error('no address'), { code })
  }
  expect(await reasonAt('https://shop.example/hooks', { resolve })).toBe(reason)
})

test('an address that is not public says so, and a code that nobody knows is another reason', async () => {
  expect(await reasonAt('http://10.0.0.1/hooks')).toBe('ADDRESS_REFUSED')
  expect(whyNoAnswer('E_NEVER_SEEN').errorCode).toBe('OTHER')
  expect(whyNoAnswer('__proto__').errorCode).toBe('OTHER')
})

test('every reason is a sentence of its own that names no code of a library', () => {
  const all = listNoAnswers()
  expect(new Set(all.map(({ words }) => words)).size).toBe(all.length)
  for (const { words } of all) {
    expect(words).toMatch(/^[A-Z].*\.$/)
    expect(words).not.toMatch(/[A-Z]{2,}_|undici|ENO|ECONN/)
  }
})
