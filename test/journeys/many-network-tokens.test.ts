import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@cofre/testing/testing'
import { cardEndingIn, cardFields, discard, startSystem, type System } from './system'

/** How many tokens are requested at once. TOKENS_AT_ONCE=1000 is the long form. */
const COUNT = Number(process.env.TOKENS_AT_ONCE ?? 200)
const PATH = '/api/v2/cards/tokens/network'
// Other tests check the limits.
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
})
afterAll(async () => {
  await discard(system)
})

/** Requests a token until it is accepted: with one key, a 409, 503 or 504 of a busy machine is safe to repeat. */
async function request() {
  const body = {
    ...cardFields(cardEndingIn(1)),
    notificationUrl: `${system.ready.sandboxInboxUrl}/many`,
  }
  const headers = { 'idempotency-key': randomUUID() }
  const startedAt = performance.now()
  for (let tries = 1; ; tries++) {
    const answer = await system.api('POST', PATH, { body, headers })
    const token = answer.body.token as string
    if (answer.status === 202) return { token, tries, ms: performance.now() - startedAt }
    if (![409, 503, 504].includes(answer.status) || tries === 20) throw new Error(`answered ${answer.status}`)
    await pause(1_000)
  }
}

let made = 0

test('requests that come one after another are accepted', async () => {
  await request()
  made += 51
  const times: number[] = []
  for (let nth = 0; nth < 50; nth++) times.push((await request()).ms)
  times.sort((one, other) => one - other)
  console.info(`202: p50 ${Math.round(times[25] ?? 0)} ms, p95 ${Math.round(times[47] ?? 0)} ms`)
})

test('many requests at once all become ACTIVE, and each is one token at the token service', async () => {
  const startedAt = Date.now()
  const asked = await Promise.all(Array.from({ length: COUNT }, request))
  const answeredMs = Date.now() - startedAt
  const repeated = asked.filter(({ tries }) => tries > 1).length
  const waiting = new Set(asked.map(({ token }) => token))
  await eventually(async () => {
    for (const token of waiting) {
      if ((await system.api('GET', `${PATH}/${token}`)).body.status !== 'ACTIVE') break
      waiting.delete(token)
    }
    expect(waiting.size).toBe(0)
  })
  console.info(
    `${COUNT} at once: answered in ${answeredMs} ms (${repeated} repeated), settled in ${Date.now() - startedAt} ms`,
  )
  const issued = await system.sandbox('GET', '/token-service/tokens')
  const references = issued.map((one: { reference: string }) => one.reference)
  expect(new Set(references).size).toBe(references.length)
  expect(references).toHaveLength(COUNT + made)
  expect(waiting.size).toBe(0)
  expect(new Set(asked.map(({ token }) => token)).size).toBe(COUNT)
})
