import { eventually } from '@cofre/testing/testing'
import { card, directCharge, order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const HISTORY = '/api/v2/history/requests'
const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
let asked = 0
/** Makes a request that can be found by its id. */
async function ask(method: string, path: string, options: Parameters<Gateway['call']>[2] = {}) {
  const requestId = `ask-${(asked += 1)}`
  const answer = await gateway.call(method, path, {
    ...options,
    headers: { ...options.headers, 'x-request-id': requestId },
  })
  return { requestId, answer }
}
const list = (query: string, token = gateway.token) => gateway.call('GET', `${HISTORY}?${query}`, { token })
/** Returns the record of a request, once it is written. */
const recordOf = (requestId: string, token = gateway.token) =>
  eventually(async () => {
    const { body } = await list(`requestId=${requestId}`, token)
    expect(body.content).toHaveLength(1)
    return (await gateway.call('GET', `${HISTORY}/${body.content[0].id}`, { token })).body
  })
const rowOf = (requestId: string) =>
  eventually(async () => {
    const { rows } = await gateway.deps.pool.query('SELECT * FROM history WHERE subject = $1', [requestId])
    expect(rows).toHaveLength(1)
    return rows[0]
  })

test('a record of a write has its caller, its operation, its outcome, and the charge that it made', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const { requestId, answer } = await ask('POST', AUTHORIZE, {
    body: order({ metadata: { secret: 'of the seller' } }),
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  const record = await recordOf(requestId)
  expect(record).toEqual({
    id: expect.stringMatching(/^[\da-f]{32}$/),
    requestId,
    traceId,
    method: 'POST',
    route: '/api/v2/sellers/{sellerId}/orders/credit-card/authorize',
    path: AUTHORIZE,
    status: 201,
    code: null,
    durationMs: expect.any(Number),
    tokenId: expect.stringMatching(/^[\da-f-]{36}$/),
    address: '127.0.0.1',
    createdAt: expect.any(Number),
    body: {
      orderReference: 'A-1',
      amount: 10_000,
      payments: [{ paymentMethod: 'CREDIT_CARD', amount: 10_000, installments: 3 }],
    },
    answer: { id: answer.body.id, status: 'AUTHORIZED' },
  })
  expect(Date.now() - record.createdAt).toBeLessThan(60_000)
})

test('a record of a refusal has its code and its faults, and nothing of the body', async () => {
  const { requestId } = await ask('POST', AUTHORIZE, { body: order({ amount: 'a lot' }) })
  expect(await recordOf(requestId)).toMatchObject({
    status: 400,
    code: 'VALIDATION_FAILED',
    body: null,
    answer: { errors: [{ pointer: '#/amount', code: 'TYPE' }] },
  })
  const reused = { 'idempotency-key': 'history' }
  await ask('POST', AUTHORIZE, { body: order(), headers: reused })
  const { requestId: second } = await ask('POST', AUTHORIZE, {
    body: order({ orderReference: 'B' }),
    headers: reused,
  })
  expect(await recordOf(second)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
})

test('a 404 of a resource is recorded for its seller', async () => {
  const { requestId } = await ask('GET', '/api/v2/charges/987654321')
  expect(await recordOf(requestId)).toMatchObject({
    method: 'GET',
    route: '/api/v2/charges/{id}',
    path: '/api/v2/charges/987654321',
    status: 404,
    code: 'NOT_FOUND',
  })
})

test('requests of unknown callers are not recorded: anyone could fill the history of all', async () => {
  const strangers = [
    await ask('GET', '/api/v2/secrets/of/nobody'),
    await ask('GET', '/api/v2/charges', { token: null }),
    await ask('GET', '/api/v2/charges', { token: 'a.b.c' }),
    await ask('POST', '/partners/token-service/events', { token: null, body: {} }),
  ]
  const { requestId } = await ask('GET', '/api/v2/charges')
  await rowOf(requestId)
  const { rows } = await gateway.deps.pool.query('SELECT FROM history WHERE subject = ANY($1)', [
    strangers.map((stranger) => stranger.requestId),
  ])
  expect(rows).toEqual([])
})

test('a request beyond the scopes of its token is recorded for its seller', async () => {
  const { accessToken: token } = await gateway.tokenWith(['cards:read'])
  const { requestId } = await ask('GET', '/api/v2/charges', { token })
  expect(await recordOf(requestId)).toMatchObject({ status: 403, code: 'SCOPE_MISSING' })
})

test('requests beyond the limit of a token are not recorded', async () => {
  const limited = await startGateway({
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: '2',
    ANONYMOUS_PER_SECOND: '1',
    ANONYMOUS_BURST: '2',
  })
  const statuses: number[] = []
  for (let times = 0; times < 6; times++) {
    for (const token of [limited.token, null])
      statuses.push((await limited.call('GET', '/api/v2/charges', { token })).status)
  }
  await limited.deps.recorder.stop()
  const { rows } = await limited.deps.pool.query("SELECT facts ->> 'status' AS status FROM history")
  expect(statuses).toContain(429)
  expect(rows.map(({ status }) => Number(status)).sort((one, other) => one - other)).toEqual(
    statuses.filter((each) => each === 200),
  )
  await limited.stop()
})

test('health checks are not recorded', async () => {
  const { requestId } = await ask('GET', '/healthz', { token: null })
  const { requestId: after } = await ask('GET', '/api/v2/charges')
  await rowOf(after)
  const { rows } = await gateway.deps.pool.query('SELECT FROM history WHERE subject = $1', [requestId])
  expect(rows).toEqual([])
})

test('no card data is kept, in any part of a request', async () => {
  const number = '4111111111111111'
  const open = { ...card, cvv: '737' }
  const last = [
    await ask('POST', '/api/v2/cards/tokens', { body: card }),
    await ask('POST', '/api/v2/cards/tokens', { body: { ...card, cardNumber: number.slice(1) } }),
    await ask('POST', '/api/v2/cards/tokens', {
      raw: `{"cardNumber":"${number}"`,
      headers: { 'content-type': 'application/json' },
    }),
    await ask('POST', '/api/v2/orders/credit-card/charge', {
      body: { ...directCharge(), cardToken: undefined, card: open },
    }),
    await ask('POST', AUTHORIZE, { body: order({ orderReference: number }) }),
    await ask('POST', '/api/v2/orders/credit-card/charge', {
      body: directCharge({ externalReference: Number(number) }),
    }),
    await ask('POST', AUTHORIZE, { body: order({ [number]: number }) }),
    await ask('GET', `/api/v2/cards/tokens/${number}`),
    await ask('GET', `/api/v2/charges?orderReference=${number}`),
    await ask('GET', `/api/v2/${number}`),
    await ask('GET', `/api/v2/requests/${number}`),
  ]
  await gateway.call('GET', '/api/v2/charges', { headers: { 'x-request-id': number } })
  await rowOf(last.findLast(({ answer }) => answer.status === 404)?.requestId ?? '')
  const { rows } = await gateway.deps.pool.query('SELECT * FROM history')
  // Without numbers: a request may take as many milliseconds as a CVV says.
  const all = JSON.stringify(rows, (_name, value) => (typeof value === 'number' ? 0 : value))
  expect(all).not.toContain(number)
  expect(all).not.toContain(number.slice(1))
  expect(all).not.toMatch(/\b737\b/)
  expect(all).not.toContain('SOUZA')
  expect(all).not.toContain('12345678909')
})

test('the list filters by status, method, route and time, and its pages have links', async () => {
  const { accessToken: token } = await gateway.other.tokenWith([])
  const from = Date.now()
  const made = [
    await ask('GET', '/api/v2/charges', { token }),
    await ask('GET', '/api/v2/charges/1', { token }),
    await ask('POST', AUTHORIZE, { token, body: order() }),
    await ask('POST', AUTHORIZE, { token, body: {} }),
  ].map(({ requestId }) => requestId)
  for (const requestId of made) await rowOf(requestId)
  const found = async (query: string) => {
    const { body } = await list(`${query}&size=100`, token)
    return body.content
      .map((each: { requestId: string }) => made.indexOf(each.requestId))
      .filter((at: number) => at >= 0)
  }
  expect(await found('status=200,404')).toEqual([1, 0])
  expect(await found('status=400&status=201')).toEqual([3, 2])
  expect(await found('method=POST')).toEqual([3, 2])
  expect(await found(`route=${encodeURIComponent('/api/v2/charges/{id}')}`)).toEqual([1])
  expect(await found(`path=${encodeURIComponent('/api/v2/charges/{id}')}`)).toEqual([1])
  expect(await found('path=/api/v2/charges/1')).toEqual([1])
  expect(await found('path=/api/v2/charges')).toEqual([0])
  expect(await found('path=/api/v2/charges/2')).toEqual([])
  expect(await found(`path=${AUTHORIZE}&status=400`)).toEqual([3])
  for (const [since, until] of [
    ['createdFrom', 'createdTo'],
    ['from', 'to'],
  ]) {
    expect(await found(`${since}=${from}`)).toEqual([3, 2, 1, 0])
    expect(await found(`${until}=${from - 1}`)).toEqual([])
  }
  // The new names count beside the former ones.
  expect(
    await found(`createdFrom=${from}&from=${Date.now() + 60_000}&path=/api/v2/charges&route=/none`),
  ).toEqual([0])
  const first = await list('method=POST&size=1', token)
  expect(first.body).toMatchObject({ totalElements: 2, totalPages: 2, numberOfElements: 1 })
  expect(first.headers.get('link')).toContain(
    `<https://pay.example.com${HISTORY}?method=POST&page=1&size=1&after=${first.body.content[0].id}&place=${first.body.content[0].createdAt}000>; rel="next"`,
  )
  // What `after` names may have been forgotten since.
  const [gone, place] = [`after=${'f'.repeat(32)}`, `place=${first.body.content[0].createdAt}000`]
  expect((await list(`${gone}&${place}`, token)).body).toMatchObject({ first: false, last: true })
  for (const wrong of [place, `${gone}&place=soon`, gone]) expect((await list(wrong, token)).status).toBe(400)
  expect((await list('method=POST&page=1000000', token)).body).toMatchObject({
    content: [],
    totalElements: 2,
  })
})

test('the document names the filters of the history as those of all lists, and the former names deprecated', async () => {
  const { body } = await gateway.call('GET', '/openapi.json', { token: null })
  type Parameter = { name: string; deprecated?: true; $ref?: string }
  const shared: Readonly<Record<string, Parameter>> = body.components.parameters
  const named = (body.paths[HISTORY].get.parameters as Parameter[])
    .map((each) => shared[each.$ref?.split('/').pop() ?? ''] ?? each)
    .filter(({ name }) => /^(path|route|from|to|created.*)$/.test(name))
  expect(named.map(({ name, deprecated = false }) => [name, deprecated])).toEqual([
    ['path', false],
    ['createdFrom', false],
    ['createdTo', false],
    ['route', true],
    ['from', true],
    ['to', true],
  ])
})

test.each([
  'status=99',
  'status=x',
  'method=TRACE',
  'from=-1',
  'createdFrom=-1',
  'createdTo=x',
  'route=',
  'route=charges',
  'path=charges',
  'path=/a%20b',
  'page=-1',
])('%s is 400', async (query) => {
  expect(await list(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
})

test("another seller's request is 404", async () => {
  const { requestId } = await ask('GET', '/api/v2/charges')
  const record = await recordOf(requestId)
  const { token } = gateway.other
  expect((await list(`requestId=${requestId}`, token)).body.content).toEqual([])
  expect(await gateway.call('GET', `${HISTORY}/${record.id}`, { token })).toMatchObject({ status: 404 })
  for (const id of ['x', '0'.repeat(32), record.id.toUpperCase()]) {
    expect(await gateway.call('GET', `${HISTORY}/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  }
})

test('a token sees the requests to resources that it may read, and those that need no scope', async () => {
  const ofOrders = await recordOf((await ask('POST', AUTHORIZE, { body: order() })).requestId)
  const ofCards = await recordOf((await ask('POST', '/api/v2/cards/tokens', { body: card })).requestId)
  const ofNone = await recordOf((await ask('GET', '/api/v2/requests/never')).requestId)
  const seenBy = async (scopes: string[]) => {
    const { accessToken: token } = await gateway.tokenWith(scopes)
    const { body } = await list('size=100', token)
    const ids = body.content.map(({ id }: { id: string }) => id)
    const seen = [ofOrders, ofCards, ofNone].map(({ id }) => ids.includes(id))
    for (const [at, { id }] of [ofOrders, ofCards, ofNone].entries()) {
      const { status } = await gateway.call('GET', `${HISTORY}/${id}`, { token })
      expect(status).toBe(seen[at] ? 200 : 404)
    }
    return seen
  }
  expect(await seenBy(['orders:read', 'cards:read'])).toEqual([true, true, true])
  expect(await seenBy(['orders:read'])).toEqual([true, false, true])
  expect(await seenBy(['orders:write', 'cards:read'])).toEqual([false, true, true])
  expect(await seenBy(['products:read'])).toEqual([false, false, true])
})
