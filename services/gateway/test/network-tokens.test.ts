import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { GOOD_PUSH } from '@cofre/testing/stand-ins/network-tokens'
import { card } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const notificationUrl = 'https://shop.example/hooks'
const body = (over: Record<string, unknown> = {}) => ({ ...card, cvv: '123', notificationUrl, ...over })
const PATH = '/api/v2/cards/tokens/network'
const made = async () => (await gateway.call('POST', PATH, { body: body() })).body.token as string
const become = (token: string, status: NetworkTokenStatus, reason = '') =>
  Object.assign(gateway.networkTokens.tokens.get(token) ?? {}, { status, reason })

describe('a request', () => {
  test.each([
    PATH,
    '/api/v2/sellers/{own}/cards/tokens/network',
    '/v2/cards/tokens/network',
    '/v2/sellers/{own}/cards/tokens/network',
  ])('to %s is accepted, and can be read there', async (pattern) => {
    const path = pattern.replace('{own}', String(gateway.sellerId))
    const { status, headers, body: answer } = await gateway.call('POST', path, { body: body() })

    expect(status).toBe(202)
    expect(answer).toEqual({ token: expect.stringMatching(/^[0-9a-f]{64}$/), status: 'PENDING' })
    expect(headers.get('retry-after')).toBe('5')
    expect(headers.get('location')).toBe(`https://pay.example.com${PATH}/${answer.token}`)
    expect(gateway.networkTokens.asked.at(-1)).toMatchObject({
      sellerId: gateway.sellerId,
      card: { pointer: '#' },
      notificationUrl,
    })
    const read = await gateway.call('GET', `${path}/${answer.token}`)
    expect(read.body).toEqual({
      token: answer.token,
      status: 'PENDING',
      bin: '411111',
      lastFour: '1111',
      brand: 'VISA',
      expiration: { year: '2049', month: '12' },
      holder: { name: 'ANA SOUZA' },
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    })
  })

  test('takes a stored or an encrypted card in place of the number', async () => {
    const cardToken = { token: 'a'.repeat(64) }
    const kept = await gateway.call('POST', PATH, { body: { cardToken, notificationUrl } })
    expect(kept.status).toBe(202)
    expect(gateway.networkTokens.asked.at(-1)).toMatchObject({ card: { pointer: '#/cardToken' } })
    const sealed = await gateway.call('POST', PATH, { body: { encryptedCard: 'jwe', notificationUrl } })
    expect(sealed.status).toBe(202)
  })

  test.each([
    ['plain http', { notificationUrl: 'http://shop.example/hooks' }, 'NOTIFICATION_URL_NOT_HTTPS'],
    ['another scheme', { notificationUrl: 'ftp://shop.example/hooks' }, 'NOTIFICATION_URL_NOT_HTTPS'],
    ['http within the house', { notificationUrl: 'http://10.0.0.1/' }, 'NOTIFICATION_URL_NOT_HTTPS'],
    ['no scheme', { notificationUrl: '//shop.example/hooks' }, 'NOTIFICATION_URL_NOT_HTTPS'],
    ['a bare host', { notificationUrl: 'shop.example' }, 'NOTIFICATION_URL_NOT_HTTPS'],
    ['a host that is not public', { notificationUrl: 'https://10.0.0.1/' }, 'NOTIFICATION_URL_NOT_PUBLIC'],
    ['no URL', { notificationUrl: undefined }, 'VALIDATION_FAILED'],
    ['two cards', { cardToken: { token: 'a'.repeat(64) } }, 'EXACTLY_ONE_SOURCE'],
    ['no card', { cardNumber: undefined }, 'EXACTLY_ONE_SOURCE'],
    ['no holder', { holder: undefined }, 'VALIDATION_FAILED'],
    ['no expiration', { expiration: undefined }, 'VALIDATION_FAILED'],
    ['a number that is none', { cardNumber: '41' }, 'VALIDATION_FAILED'],
    ['what can’t be opened', { cardNumber: undefined, encryptedCard: 'undecryptable' }, 'VALIDATION_FAILED'],
  ])('with %s is 400', async (_, change, code) => {
    const before = gateway.networkTokens.asked.length
    const { status, body: answer } = await gateway.call('POST', PATH, { body: body(change) })
    expect([status, answer.code]).toEqual([400, code])
    expect(gateway.networkTokens.asked).toHaveLength(before)
  })

  test.each(['http://shop.example', 'ftp://shop.example', '//shop.example', 'shop.example'])(
    'the URL %s has one fault',
    async (url) => {
      const { body: answer } = await gateway.call('POST', PATH, { body: body({ notificationUrl: url }) })
      expect(answer.errors).toEqual([
        { pointer: '#/notificationUrl', code: 'NOT_HTTPS', detail: 'must begin with https://' },
      ])
    },
  )

  test('for another seller is 404; without the scope 403; without a token 401', async () => {
    const path = `/api/v2/sellers/${gateway.other.sellerId}/cards/tokens/network`
    expect((await gateway.call('POST', path, { body: body() })).status).toBe(404)
    const token = await gateway.tokenWith(['cards:read'])
    expect((await gateway.call('POST', PATH, { body: body(), token: token.accessToken })).status).toBe(403)
    expect((await gateway.call('POST', PATH, { body: body(), token: null })).status).toBe(401)
  })

  test('that repeats its key gets the first answer, and the key leads to the token', async () => {
    const headers = { 'idempotency-key': 'network-1' }
    const first = await gateway.call('POST', PATH, { body: body(), headers })
    const again = await gateway.call('POST', PATH, { body: body(), headers })
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const { body: kept } = await gateway.call('GET', '/api/v2/requests/network-1')
    expect(kept).toMatchObject({ state: 'DONE', status: 202, location: first.headers.get('location') })
  })
})

describe('a list', () => {
  const list = async (query: string, token?: string) =>
    gateway.call('GET', `${PATH}?${query}`, token === undefined ? {} : { token })

  test('has the seller’s own tokens by status and last four digits, with links to its pages', async () => {
    const { accessToken: token } = await gateway.other.tokenWith(['cards:write', 'cards:read'])
    const makeOne = async (over = {}) =>
      (await gateway.call('POST', PATH, { body: body(over), token })).body.token as string
    const [first, second] = [await makeOne(), await makeOne()]
    become(second, NetworkTokenStatus.ACTIVE)
    const { status, body: all, headers } = await list('size=1', token)
    expect([status, all.totalElements, all.content]).toEqual([
      200,
      2,
      [expect.objectContaining({ token: first })],
    ])
    expect(headers.get('link')).toContain(
      `<https://pay.example.com${PATH}?page=1&size=1&after=${first}>; rel="next"`,
    )
    const tokensBy = async (query: string) =>
      (await list(query, token)).body.content.map((each: { token: string }) => each.token)
    expect(await tokensBy('status=ACTIVE')).toEqual([second])
    expect(await tokensBy('status=ACTIVE,PENDING&lastFour=1111')).toEqual([first, second])
    expect(await tokensBy('lastFour=9999')).toEqual([])
  })

  test.each(['lastFour=12', 'status=LOST', 'after=7', 'createdFrom=soon', 'size=101', 'brand=VISA'])(
    'by %s is refused',
    async (query) => {
      expect((await list(query)).status).toBe(400)
    },
  )
})

describe('reading', () => {
  test('shows a reason only for FAILED', async () => {
    const token = await made()
    become(token, NetworkTokenStatus.FAILED, 'ISSUER_DECLINED')
    const failed = await gateway.call('GET', `${PATH}/${token}`)
    expect(failed.body).toMatchObject({ status: 'FAILED', reason: 'ISSUER_DECLINED' })
    become(token, NetworkTokenStatus.ACTIVE, '')
    expect((await gateway.call('GET', `${PATH}/${token}`)).body).not.toHaveProperty('reason')
  })

  test('of an unknown token, another seller’s token or a malformed token is 404', async () => {
    const token = await made()
    const foreign = await gateway.call('GET', `${PATH}/${token}`, { token: gateway.other.token })
    const unknown = await gateway.call('GET', `${PATH}/${'b'.repeat(64)}`)
    const none = await gateway.call('GET', `${PATH}/nothing`)
    expect([foreign.status, unknown.status, none.status]).toEqual([404, 404, 404])
  })
})

test('deactivating answers with the INACTIVE token; a token that is not active is 422', async () => {
  const token = await made()
  const early = await gateway.call('POST', `${PATH}/${token}/deactivate`)
  expect([early.status, early.body.code]).toEqual([422, 'NETWORK_TOKEN_NOT_ACTIVE'])
  become(token, NetworkTokenStatus.ACTIVE)
  const { status, body: answer } = await gateway.call('POST', `/v2/cards/tokens/network/${token}/deactivate`)
  expect([status, answer.status]).toEqual([200, 'INACTIVE'])
})

describe('a push of the token service', () => {
  const seconds = () => String(Math.floor(Date.now() / 1_000))
  const FORGED = `v1,${Buffer.alloc(32, 2).toString('base64')}`
  const push = (signature: string, raw = '{"reference": "r"}') =>
    fetch(`${gateway.url}/partners/token-service/events`, {
      method: 'POST',
      headers: { 'webhook-id': 'm', 'webhook-timestamp': seconds(), 'webhook-signature': signature },
      body: raw,
    })

  test('is passed on unchanged, byte for byte', async () => {
    expect((await push(GOOD_PUSH)).status).toBe(204)
    const taken = gateway.networkTokens.pushes.at(-1)
    expect(taken?.body.toString()).toBe('{"reference": "r"}')
    expect(taken?.headers).toMatchObject({ 'webhook-id': 'm', 'webhook-signature': GOOD_PUSH })
  })

  test('with a signature of another form is 401 before the service is asked', async () => {
    const before = gateway.networkTokens.pushes.length
    expect((await push('v1,short')).status).toBe(401)
    expect(gateway.networkTokens.pushes).toHaveLength(before)
  })

  test('with a forged signature is 401, one too large is 413, and neither path is in the reference', async () => {
    expect((await push(FORGED)).status).toBe(401)
    expect((await push(GOOD_PUSH, 'x'.repeat(8_193))).status).toBe(413)
    const { body: document } = await gateway.call('GET', '/openapi.json', { token: null })
    expect(JSON.stringify(document)).not.toContain('/partners')
  })
})
