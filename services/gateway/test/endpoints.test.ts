import { EndpointStatus } from '@cofre/proto/notifier/v1/notifier'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.notifier.endpoints.length = 0
})

const PATH = '/api/v2/webhooks/endpoints'
const NOTHING_MORE = { description: null, headerNames: [], rateLimit: null }
const url = 'https://shop.example.com/hooks'
const create = (body: unknown = { url }, ask: object = {}) => gateway.call('POST', PATH, { body, ...ask })
const made = async (body?: unknown) => (await create(body)).body.id as number

test('the answer to a new endpoint contains its secret, which no other answer shows', async () => {
  const { status, headers, body } = await create({ url, events: ['charge.captured', 'charge.captured'] })
  const shown = {
    id: body.id,
    url,
    events: ['charge.captured'],
    ...NOTHING_MORE,
    status: 'ENABLED',
    createdAt: expect.any(Number),
  }
  expect([status, body]).toEqual([201, { ...shown, secret: expect.stringMatching(/^whsec_/) }])
  expect(headers.get('location')).toBe(`https://pay.example.com${PATH}/${body.id}`)
  const health = { delivered: 0, failed: 0, pending: 0, medianMs: null, isLowerBound: false }
  expect((await gateway.call('GET', `${PATH}/${body.id}`)).body).toEqual({ ...shown, health })
  const page = await gateway.call('GET', PATH)
  expect(page.body).toMatchObject({ content: [shown], totalElements: 1 })
  expect(page.text).not.toContain('whsec_')
})

test('an endpoint has a description, headers and a rate limit; no answer or log line has header values', async () => {
  const value = 'a-key-that-nobody-reads'
  const more = { description: 'the shop', headers: { 'X-Api-Key': value }, rateLimit: 5 }
  const { body, text } = await create({ url, events: ['charge.*', 'invoice.paid'], ...more })
  const shown = { description: 'the shop', headerNames: ['x-api-key'], rateLimit: 5 }
  expect(body).toMatchObject({ events: ['charge.*', 'invoice.paid'], ...shown })
  const read = await gateway.call('GET', `${PATH}/${body.id}`)
  expect(read.body).toMatchObject(shown)
  const kept = await gateway.call('PUT', `${PATH}/${body.id}`, { body: { url } })
  expect(kept.body).toMatchObject({ description: null, headerNames: ['x-api-key'], rateLimit: null })
  const removed = await gateway.call('PUT', `${PATH}/${body.id}`, { body: { url, headers: {} } })
  expect(removed.body.headerNames).toEqual([])
  await create({ url, headers: { 'x-key': `${value}\u0001` } })
  expect([text, read.text, kept.text, ...gateway.lines].join('\n')).not.toContain(value)
})

test('an endpoint without events gets all of them', async () => {
  expect((await create()).body.events).toBeNull()
})

test('creating is repeatable by its Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'new-endpoint' }
  const first = await create({ url }, { headers })
  const again = await create({ url }, { headers })
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  expect(await create({ url: `${url}/2` }, { headers })).toMatchObject({ status: 422 })
})

test.each([
  [{}, 'VALIDATION_FAILED', '#/url'],
  [{ url: 7 }, 'VALIDATION_FAILED', '#/url'],
  [{ url: 'no url' }, 'VALIDATION_FAILED', '#/url'],
  [{ url: 'https://127.0.0.1/' }, 'NOTIFICATION_URL_NOT_PUBLIC', '#/url'],
  [{ url, events: ['charge.lost'] }, 'VALIDATION_FAILED', '#/events/0'],
  [{ url, events: ['charge.'] }, 'VALIDATION_FAILED', '#/events/0'],
  [{ url, events: ['*'] }, 'VALIDATION_FAILED', '#/events/0'],
  [{ url, description: ' ' }, 'VALIDATION_FAILED', '#/description'],
  [{ url, rateLimit: 0 }, 'VALIDATION_FAILED', '#/rateLimit'],
  [{ url, rateLimit: 1.5 }, 'VALIDATION_FAILED', '#/rateLimit'],
  [{ url, headers: { 'Webhook-Id': 'x' } }, 'VALIDATION_FAILED', '#/headers/Webhook-Id'],
  [{ url, headers: { HOST: 'x' } }, 'VALIDATION_FAILED', '#/headers/HOST'],
  [{ url, headers: { 'a b': 'x' } }, 'VALIDATION_FAILED', '#/headers/a b'],
  [{ url, headers: { 'x-key': 'a\r\nhost: b' } }, 'VALIDATION_FAILED', '#/headers/x-key'],
  [{ url, headers: { 'x-key': 'a', 'X-Key': 'b' } }, 'VALIDATION_FAILED', '#/headers/X-Key'],
  [{ url, headers: { 'x-key': 7 } }, 'VALIDATION_FAILED', '#/headers/x-key'],
])('%j is refused', async (body, code, pointer) => {
  expect(await create(body)).toMatchObject({ status: 400, body: { code, errors: [{ pointer }] } })
  const id = await made()
  expect(await gateway.call('PUT', `${PATH}/${id}`, { body })).toMatchObject({ status: 400, body: { code } })
})

test('an endpoint is replaced as a whole, enabled, and removed', async () => {
  const id = await made({ url, events: ['charge.denied'] })
  const kept = gateway.notifier.endpoints[0]
  if (kept) kept.status = EndpointStatus.DISABLED
  const replaced = await gateway.call('PUT', `${PATH}/${id}`, { body: { url: `${url}/2` } })
  expect([replaced.status, replaced.body]).toEqual([
    200,
    { id, url: `${url}/2`, events: null, ...NOTHING_MORE, status: 'DISABLED', createdAt: expect.any(Number) },
  ])
  const enabled = await gateway.call('POST', `${PATH}/${id}/enable`)
  expect([enabled.status, enabled.body.status]).toEqual([200, 'ENABLED'])
  expect((await gateway.call('DELETE', `${PATH}/${id}`)).status).toBe(204)
  expect(await gateway.call('GET', `${PATH}/${id}`)).toMatchObject({ status: 404 })
})

test('an endpoint gets a new secret, is pinged, and is recovered', async () => {
  const id = await made()
  const post = (what: string, body?: unknown) => gateway.call('POST', `${PATH}/${id}/${what}`, { body })
  expect(await post('rotate-secret')).toMatchObject({ status: 200, body: { secret: `whsec_new_${id}` } })
  expect(await post('ping')).toMatchObject({
    status: 202,
    body: { eventType: 'test.ping', resource: { kind: 'endpoint', id } },
  })
  expect(await post('recover', { since: 0 })).toMatchObject({ status: 202, body: { deliveries: 3 } })
  expect(await post('recover', {})).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
})

test('an endpoint beyond the limit is 422', async () => {
  const statuses: number[] = []
  for (let times = 0; times < 6; times++) statuses.push((await create()).status)
  expect(statuses).toEqual([201, 201, 201, 201, 201, 422])
})

test('another seller’s endpoint is 404; reading and writing need their scopes', async () => {
  const id = await made()
  const { accessToken: reader } = await gateway.tokenWith(['webhooks:read'])
  const asked = (token: string) =>
    Promise.all(
      [
        gateway.call('GET', `${PATH}/${id}`, { token }),
        gateway.call('PUT', `${PATH}/${id}`, { token, body: { url } }),
        gateway.call('POST', `${PATH}/${id}/enable`, { token }),
        gateway.call('POST', `${PATH}/${id}/ping`, { token }),
        gateway.call('POST', `${PATH}/${id}/rotate-secret`, { token }),
        gateway.call('POST', `${PATH}/${id}/recover`, { token, body: { since: 0 } }),
        gateway.call('DELETE', `${PATH}/${id}`, { token }),
      ].map(async (answer) => (await answer).status),
    )
  expect(await asked(gateway.other.token)).toEqual(Array.from({ length: 7 }, () => 404))
  expect(await asked(reader)).toEqual([200, 403, 403, 403, 403, 403, 403])
})
