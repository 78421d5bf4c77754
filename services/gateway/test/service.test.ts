import { calledBy } from '@cofre/platform/service/services'
import { statementsIn } from '@cofre/testing/statements'
import { eventually } from '@cofre/testing/testing'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.stop())

test('healthz answers while the process lives', async () => {
  expect(await gateway.call('GET', '/healthz', { token: null })).toMatchObject({
    status: 200,
    body: { status: 'UP' },
  })
})

test('readyz names the dependency that does not answer', async () => {
  const ready = () => gateway.call('GET', '/readyz', { token: null })
  const UP = Object.fromEntries(['database', ...calledBy('gateway')].map((name) => [name, 'UP']))
  await eventually(async () => expect((await ready()).body).toEqual({ status: 'UP', dependencies: UP }))
  await gateway.servers.orders.close()
  await eventually(async () => {
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'DOWN', dependencies: { ...UP, orders: 'DOWN' } },
    })
  })
  await gateway.cutDatabase()
  await eventually(async () => {
    expect((await ready()).body.dependencies).toEqual({ ...UP, orders: 'DOWN', database: 'DOWN' })
  })
})

test('the dependencies are asked once a second, however often readyz is asked', async () => {
  const began = performance.now()
  const { length: asked } = await statementsIn(async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => gateway.call('GET', '/readyz', { token: null })),
    )
    expect(answers.filter(({ status }) => status === 429)).toEqual([])
  }, 'SELECT current_setting')
  const seconds = (performance.now() - began) / 1_000
  expect(asked).toBeGreaterThanOrEqual(1)
  expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds))
})

test('strangers’ requests to readyz are counted; those to healthz are not', async () => {
  const own = await startGateway({ ANONYMOUS_BURST: '3', ANONYMOUS_PER_SECOND: '1' })
  const ask = async (path: string) => (await own.call('GET', path, { token: null })).status
  await eventually(async () => expect(await ask('/readyz')).toBe(429))
  expect(await ask('/healthz')).toBe(200)
  await own.stop()
})

test('a service that is down is 503 with Retry-After; requests that do not need it are answered', async () => {
  await gateway.servers.orders.close()
  const { status, headers, body } = await gateway.call('GET', '/api/v2/charges')
  expect([status, body.code, body.retryable, headers.get('retry-after')]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    true,
    '1',
  ])
  expect(await gateway.call('GET', '/api/v2/webhooks/secret')).toMatchObject({ status: 200 })
  expect(await gateway.call('GET', '/api/v2/requests/any')).toMatchObject({ status: 503 })
})

test('the JWKS verifies tokens', async () => {
  const { body } = await gateway.call('GET', '/.well-known/jwks.json', { token: null })
  const { payload } = await jwtVerify(gateway.token, createLocalJWKSet(body))
  expect(payload).toMatchObject({ iss: 'https://pay.example.com', sub: String(gateway.sellerId) })
  expect(JSON.stringify(body)).not.toMatch(/"d":/)
})

test('a stop lets the running request finish, and soon accepts no other', async () => {
  let finish = () => {}
  const running = new Promise<void>((resolve) => (finish = resolve))
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  gateway.orders.hooks.before = () => (begun(), running)
  const asked = gateway.call('POST', '/api/v2/orders/credit-card/authorize', { body: order() })
  await hasBegun
  const stopped = gateway.http.close()
  await eventually(() => expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow())
  finish()
  const { status, headers } = await asked
  expect([status, headers.get('connection')]).toEqual([201, 'close'])
  await stopped
  gateway.http.close = async () => {}
})
