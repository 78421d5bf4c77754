import { card, directCharge, order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const authorize = (key: string, body: unknown = order(), token = gateway.token) =>
  gateway.call('POST', AUTHORIZE, { body, token, headers: { 'idempotency-key': key } })
const find = (key: string, token = gateway.token) => gateway.call('GET', `/api/v2/requests/${key}`, { token })

test('the same key and body give the first answer again: status, headers and body', async () => {
  const first = await authorize('same')
  const again = await authorize('same')
  expect(again.body).toEqual(first.body)
  expect(again.status).toBe(first.status)
  for (const name of ['location', 'link']) expect(again.headers.get(name)).toBe(first.headers.get(name))
  expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
})

test('a key in quotes is the same key', async () => {
  const first = await authorize('quoted')
  const again = await authorize('"quoted"')
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
})

test('the same key with another body is 422', async () => {
  await authorize('other-body')
  const { status, body } = await authorize('other-body', order({ orderReference: 'A-2' }))
  expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('bodies that differ only in spelling are the same request', async () => {
  const { body: made } = await authorize('for-capture')
  const capture = (raw: string) =>
    gateway.call('POST', `/api/v2/charges/${made.id}/refund`, {
      raw,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'spelling' },
    })
  await capture('{"amount":100,"reason":"a"}')
  expect((await capture('{ "reason": "\\u0061", "amount": 1e2 }')).headers.get('idempotency-replayed')).toBe(
    'true',
  )
  expect(await capture('{"amount":101,"reason":"a"}')).toMatchObject({ status: 422 })
})

test.each([
  ['here', (text: string) => text, escaped],
  ['in the vault', escaped, (text: string) => text],
])(
  'an order that names a stored card is the same in either spelling, with the first read %s',
  async (where, one, other) => {
    const text = JSON.stringify(order({ orderReference: `spelled ${where}` }))
    const send = (raw: string) =>
      gateway.call('POST', AUTHORIZE, {
        raw,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': `spelled-${where.replaceAll(' ', '-')}`,
        },
      })
    const first = await send(one(text))
    expect(first.status).toBe(201)
    const again = await send(other(text))
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const further = JSON.stringify(order({ orderReference: 'further' }))
    for (const raw of [further, escaped(further)]) {
      expect((await send(raw)).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    }
  },
)

function escaped(text: string): string {
  return text.replace('"orderReference"', '"order\\u0052eference"')
}

test('while the first request runs, a second is 409 with Retry-After, and the key is found in flight', async () => {
  let finish = () => {}
  const running = new Promise<void>((resolve) => (finish = resolve))
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  gateway.orders.hooks.before = () => (begun(), running)
  const first = authorize('running')
  await hasBegun
  gateway.orders.hooks.before = async () => {}
  const second = await authorize('running')
  expect([second.status, second.body.code, second.body.retryable]).toEqual([
    409,
    'IDEMPOTENCY_KEY_IN_USE',
    true,
  ])
  expect(second.headers.get('retry-after')).toBe('1')
  expect((await find('running')).body).toMatchObject({ state: 'IN_FLIGHT', status: null, location: null })
  finish()
  expect((await first).status).toBe(201)
  expect((await authorize('running')).headers.get('idempotency-replayed')).toBe('true')
})

test('a refusal before anything is stored is not kept', async () => {
  expect(await authorize('refused', order({ amount: 1 }))).toMatchObject({ status: 400 })
  expect(await find('refused')).toMatchObject({ status: 404 })
  expect(await authorize('refused')).toMatchObject({ status: 201 })
})

test('a key belongs to a seller, a method and a path', async () => {
  const first = await authorize('scoped')
  const other = await authorize('scoped', order(), gateway.other.token)
  const elsewhere = await gateway.call('POST', '/api/v2/orders/credit-card/charge', {
    body: directCharge(),
    headers: { 'idempotency-key': 'scoped' },
  })
  expect(new Set([first, other, elsewhere].map(({ body }) => body.id)).size).toBe(3)
})

const PREFIXES = ['/api/v2', '/v2', '/api/v2/sellers/{sellerId}', '/v2/sellers/{sellerId}']
test.each([
  [
    'an order',
    PREFIXES.filter((prefix) => prefix.startsWith('/api')),
    '/orders/credit-card/authorize',
    order(),
  ],
  ['a direct charge', PREFIXES, '/orders/credit-card/charge', directCharge()],
  [
    'a network token',
    PREFIXES,
    '/cards/tokens/network',
    { ...card, notificationUrl: 'https://shop.example.com/hook' },
  ],
])('%s is one request under each spelling of its path', async (name, prefixes, rest, body) => {
  const key = name.replaceAll(' ', '-')
  const paths = prefixes.map((prefix) => `${prefix}${rest}`.replace('{sellerId}', String(gateway.sellerId)))
  const answers = []
  for (const path of paths) {
    answers.push(await gateway.call('POST', path, { body, headers: { 'idempotency-key': key } }))
  }
  const [first, ...repeats] = answers
  for (const repeat of repeats) {
    expect([repeat.status, repeat.body]).toEqual([first?.status, first?.body])
    expect(repeat.headers.get('idempotency-replayed')).toBe('true')
  }
  expect((await find(key)).body.path).toBe(`/api/v2/sellers/${gateway.sellerId}${rest}`)
})

test('a look-up of a key finds its newest use, in any service', async () => {
  const { body: made, headers } = await authorize('found')
  expect((await find('found')).body).toEqual({
    method: 'POST',
    path: `/api/v2/sellers/${gateway.sellerId}/orders/credit-card/authorize`,
    state: 'DONE',
    status: 201,
    location: headers.get('location'),
    completedAt: expect.any(Number),
  })
  const stored = await gateway.call('POST', '/api/v2/cards/tokens', {
    body: card,
    headers: { 'idempotency-key': 'found' },
  })
  expect((await find('found')).body).toMatchObject({
    path: '/api/v2/cards/tokens',
    location: stored.headers.get('location'),
  })
  await gateway.call('PUT', `/api/v2/charges/${made.id}/metadata/`, {
    body: { a: 1 },
    headers: { 'idempotency-key': 'found' },
  })
  expect((await find('found')).body).toMatchObject({
    method: 'PUT',
    path: `/api/v2/charges/${made.id}/metadata`,
    status: 200,
    location: null,
  })
  expect(await find('found', gateway.other.token)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await find('never-used')).toMatchObject({ status: 404 })
})

test('a rotation of the signing secret is repeatable too', async () => {
  const rotate = () =>
    gateway.call('POST', '/api/v2/webhooks/secret/rotate', { headers: { 'idempotency-key': 'rotate' } })
  const before = (await gateway.call('GET', '/api/v2/webhooks/secret')).body.secret
  const first = await rotate()
  expect(first.body.secret).not.toBe(before)
  expect((await rotate()).body).toEqual(first.body)
  expect((await gateway.call('GET', '/api/v2/webhooks/secret')).body).toEqual(first.body)
})

test.each(['', ' ', 'a b', 'é', 'x'.repeat(256), 'tab\there'])('the key %j is refused', async (key) => {
  // No client of ours sends an empty header for none, so it is refused like any other bad key.
  const ask = gateway.call('POST', AUTHORIZE, { body: order(), headers: { 'idempotency-key': key } })
  expect(await ask).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
})

test('a key of 255 characters is accepted', async () => {
  expect(await authorize('!'.repeat(255))).toMatchObject({ status: 201 })
})
