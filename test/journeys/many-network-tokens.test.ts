import { eventually } from '../../packages/platform/src/testing'
import { cardEndingIn, cardFields, forget, startSystem, type System } from './system'

/** The long form: TOKENS_AT_ONCE=1000. */
const COUNT = Number(process.env.TOKENS_AT_ONCE ?? 200)
const PATH = '/api/v2/cards/tokens/network'
// The limits are another test's.
const UNLIMITED = {
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  ANONYMOUS_PER_SECOND: '1000000',
  ANONYMOUS_BURST: '1000000',
  HTTP_MAX_IN_FLIGHT: '2000',
  HTTP_MAX_LAG_MS: '30000',
}

let system: System
beforeAll(async () => {
  system = await startSystem(undefined, { adapt: (_name, settings) => ({ ...settings, ...UNLIMITED }) })
}, 120_000)
afterAll(async () => {
  await system.stop()
  forget(system.runDir)
})

async function request() {
  const body = {
    ...cardFields(cardEndingIn(1)),
    notificationUrl: `${system.ready.sandboxInboxUrl}/many`,
  }
  const startedAt = performance.now()
  const answer = await system.api('POST', PATH, { body })
  return { status: answer.status, token: answer.body.token as string, ms: performance.now() - startedAt }
}

test('one request after another is answered at once, before the token service is asked', async () => {
  await request()
  const times: number[] = []
  for (let nth = 0; nth < 50; nth++) times.push((await request()).ms)
  times.sort((one, other) => one - other)
  console.info(`202: p50 ${Math.round(times[25] ?? 0)} ms, p95 ${Math.round(times[47] ?? 0)} ms`)
  // A busy machine must not fail for it; what it took is printed.
  expect(times[25]).toBeLessThan(1_000)
}, 60_000)

test('many requests at once all become ACTIVE, and each is one token at the token service', async () => {
  const startedAt = Date.now()
  const asked = await Promise.all(Array.from({ length: COUNT }, request))
  const answeredMs = Date.now() - startedAt
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([202]))

  const waiting = new Set(asked.map(({ token }) => token))
  await eventually(async () => {
    for (const token of waiting) {
      if ((await system.api('GET', `${PATH}/${token}`)).body.status !== 'ACTIVE') break
      waiting.delete(token)
    }
    expect(waiting.size).toBe(0)
  }, 90_000)
  console.info(`${COUNT} at once: answered in ${answeredMs} ms, settled in ${Date.now() - startedAt} ms`)
  const issued = await system.sandbox('GET', '/token-service/tokens')
  const references = issued.map((one: { reference: string }) => one.reference)
  expect(new Set(references).size).toBe(references.length)
  expect(references.length).toBeGreaterThanOrEqual(COUNT)
}, 120_000)
