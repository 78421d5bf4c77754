import { eventually } from '@cofre/testing/testing'
import { createRateLimit } from '../src/http/rate-limit'
import { startGateway } from './support/gateway'

test('a bucket lets a burst through at once, then as many as it is refilled with', () => {
  let now = 0
  const limit = createRateLimit({ perSecond: 100, burst: 200 }, () => now)
  const taken = (times: number) =>
    Array.from({ length: times }, () => limit.take('t')).filter((it) => it.allowed)
  expect(taken(250)).toHaveLength(200)
  now += 500
  expect(taken(100)).toHaveLength(50)
  expect(limit.take('t')).toMatchObject({
    allowed: false,
    remaining: 0,
    retryAfterSeconds: 1,
    fullInSeconds: 2,
  })
  expect(limit.take('other').remaining).toBe(199)
  now += 60_000
  expect(taken(300)).toHaveLength(200)
  expect(limit.policy).toEqual({ quota: 200, windowSeconds: 2 })
})

test('a request that is given back can be taken again, up to the burst, and a bucket can be filled', () => {
  let now = 0
  const limit = createRateLimit({ perSecond: 1, burst: 3 }, () => now)
  const taken = () => Array.from({ length: 5 }, () => limit.take('t')).filter((it) => it.allowed).length
  expect(taken()).toBe(3)
  limit.giveBack('t')
  expect(taken()).toBe(1)
  limit.fill('t')
  limit.giveBack('t')
  expect(taken()).toBe(3)
  now += 1_000
  expect(taken()).toBe(1)
})

test('looking takes nothing', () => {
  const limit = createRateLimit({ perSecond: 1, burst: 1 })
  expect([limit.look('t'), limit.look('t')].map((it) => it.allowed)).toEqual([true, true])
})

test('a token over its limit gets 429 with Retry-After; another token is not affected', async () => {
  const gateway = await startGateway({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '3' })
  const first = await gateway.call('GET', '/api/v2/charges')
  expect(first.headers.get('ratelimit')).toBe('"token";r=2;t=1')
  const refused = await eventually(async () => {
    const answer = await gateway.call('GET', '/api/v2/charges')
    expect(answer.status).toBe(429)
    return answer
  })
  expect(refused.headers.get('ratelimit-policy')).toBe('"token";q=3;w=3')
  expect(refused.headers.get('ratelimit')).toBe('"token";r=0;t=3')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
  expect(await gateway.call('GET', '/api/v2/charges', { token: gateway.other.token })).toMatchObject({
    status: 200,
  })
  await gateway.stop()
})

test('guesses of tokens are limited by address; a token known to be good is not', async () => {
  const gateway = await startGateway({ ANONYMOUS_PER_SECOND: '1', ANONYMOUS_BURST: '3' })
  const refusedSoon = (path: string, token: string | null) =>
    eventually(async () => expect(await gateway.call('GET', path, { token })).toMatchObject({ status: 429 }))
  expect(await gateway.call('GET', '/api/v2/charges')).toMatchObject({ status: 200 })
  await refusedSoon('/api/v2/charges', 'e30.e30.AAAA')
  await refusedSoon('/api/v2/cards/encryption-key', null)
  expect(await gateway.call('GET', '/healthz', { token: null })).toMatchObject({ status: 200 })
  expect(await gateway.call('GET', '/api/v2/charges')).toMatchObject({ status: 200 })
  await gateway.stop()
})
