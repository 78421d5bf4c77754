import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { callRpc, CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import { OrdersAdminClient } from '../../packages/proto/src/orders/v1/orders'
import { cardEndingIn, cardFields, cardToken, customer, discard, startSystem, type System } from './system'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

const PATH = '/api/v2/cards/tokens/network'
const ASKED = 180_000
/** The delay of a slow token service; requests for tokens are answered before it is over. */
const SLOW_MS = 10_000

let inboxes = 0
/** Requests a token; its notifications go to an inbox of its own. */
async function request(body: object, path = PATH) {
  const inbox = `tokens-${(inboxes += 1)}`
  const notificationUrl = `${system.ready.sandboxInboxUrl}/${inbox}`
  const startedAt = performance.now()
  const answer = await system.api('POST', path, { body: { ...body, notificationUrl } })
  return { ...answer, inbox, ms: performance.now() - startedAt }
}

const visa = (digit: number, year = 2049) => ({
  ...cardFields(cardEndingIn(digit)),
  expiration: { year, month: 12 },
  cvv: '123',
})

const read = async (token: string) => (await system.api('GET', `${PATH}/${token}`)).body

const becomes = (token: string, status: string) =>
  eventually(async () => {
    const body = await read(token)
    expect(body.status).toBe(status)
    return body
  }, ASKED)

const received = (inbox: string, count: number) =>
  eventually(async () => {
    const posts = await system.sandbox('GET', `/inbox/${inbox}`)
    expect(posts).toHaveLength(count)
    return posts
  }, ASKED)

const charge = (token: string, amount = 4_990) =>
  system.api('POST', '/v2/orders/credit-card/charge', {
    body: { amount, installments: 1, customer, networkToken: { token } },
  })

const authorize = (token: string) =>
  system.api('POST', '/api/v2/orders/credit-card/authorize', {
    body: {
      amount: 1_000,
      customer,
      payments: [{ amount: 1_000, installments: 1, networkToken: { token } }],
    },
  })

/** The newest token that the sandbox's token service holds for a card with these last digits. */
async function issuedFor(lastFour: string) {
  const tokens = await system.sandbox('GET', '/token-service/tokens')
  return tokens.find((one: { cardLastFour: string }) => one.cardLastFour === lastFour)
}

async function active(digit = 1) {
  const { body, inbox } = await request(visa(digit))
  await becomes(body.token, 'ACTIVE')
  return { token: body.token as string, inbox }
}

test('the story: a token is requested, notified, charged twice with a cryptogram each, and deactivated', async () => {
  const { status, headers, body, inbox, ms } = await request(
    visa(1),
    `/api/v2/sellers/${system.ready.sellerId}/cards/tokens/network`,
  )
  console.info(`202 after ${Math.round(ms)} ms`)
  expect([status, body.status, headers.get('retry-after')]).toEqual([202, 'PENDING', '5'])
  expect(body.token).toMatch(/^[0-9a-f]{64}$/)
  expect(headers.get('location')).toBe(`${system.ready.baseUrl}${PATH}/${body.token}`)
  expect((await charge(body.token)).body.code).toBe('NETWORK_TOKEN_NOT_ACTIVE')

  const [post] = await received(inbox, 1)
  const { lastFour } = { lastFour: cardEndingIn(1).slice(-4) }
  const told = {
    token: body.token,
    status: 'ACTIVE',
    bin: cardEndingIn(1).slice(0, 6),
    lastFour,
    brand: 'VISA',
    expiration: { year: '2049', month: '12' },
  }
  expect(JSON.parse(post.body)).toEqual(told)
  const secret = (await system.api('GET', '/api/v2/webhooks/secret')).body.secret
  expect(new Webhook(secret).verify(post.body, post.headers)).toEqual(told)
  expect(post.headers).toMatchObject({ 'webhook-event': 'network_token.active' })
  expect(post.headers['webhook-resource']).toBe(headers.get('location'))
  expect(await read(body.token)).toEqual({
    ...told,
    holder: { name: 'ANA SOUZA' },
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  })

  const first = await charge(body.token)
  expect([first.status, first.body.status, first.body.payments[0].card.source]).toEqual([
    201,
    'CAPTURED',
    'NETWORK_TOKEN',
  ])
  const second = await authorize(body.token)
  expect([second.status, second.body.status]).toEqual([201, 'AUTHORIZED'])
  const orders = [first, second].map((one) => one.body.payments[0].acquirer.orderNumber)
  const { cryptograms, id } = await issuedFor(lastFour)
  expect(cryptograms.map((one: any) => one.merchantOrderId)).toEqual(expect.arrayContaining(orders))
  expect(cryptograms.every((one: any) => one.usedAt !== null)).toBe(true)
  expect(new Set(cryptograms.map((one: any) => one.lastFour)).size).toBe(2)

  const everything = 'network-tokens-inactive'
  const endpoint = {
    url: `${system.ready.sandboxInboxUrl}/${everything}`,
    events: ['network_token.inactive'],
  }
  expect((await system.api('POST', '/api/v2/webhooks/endpoints', { body: endpoint })).status).toBe(201)
  const ended = await system.api('POST', `${PATH}/${body.token}/deactivate`)
  expect([ended.status, ended.body.status]).toEqual([200, 'INACTIVE'])
  for (const refused of [await charge(body.token), await authorize(body.token)]) {
    expect([refused.status, refused.body.code]).toEqual([422, 'NETWORK_TOKEN_NOT_ACTIVE'])
  }
  const there = await system.sandbox('GET', '/token-service/tokens')
  expect(there.find((one: any) => one.id === id).status).toBe('DELETED')
  const [envelope] = await received(everything, 1)
  const { type, data } = JSON.parse(envelope.body)
  expect([type, data]).toEqual(['network_token.inactive', { ...told, status: 'INACTIVE' }])
  expect(await received(inbox, 1)).toHaveLength(1)
})

test('a stored card and a Mastercard each get a token that pays', async () => {
  const token = await cardToken(system, 4)
  const kept = await request({ cardToken: { token } }, '/v2/cards/tokens/network')
  const master = await request({ ...visa(1), cardNumber: '5555555555554444' })
  for (const { body } of [kept, master]) await becomes(body.token, 'ACTIVE')

  expect((await charge(kept.body.token)).body.status).toBe('CAPTURED')
  expect((await charge(master.body.token)).body.status).toBe('CAPTURED')
})

test.each([
  ['ISSUER_DECLINED', () => visa(9)],
  ['ISSUER_DECLINED', () => ({ ...visa(1), cardNumber: '4111110148486405' })],
  ['ISSUER_DECLINED', () => visa(1, 2038)],
  ['CARD_NOT_ELIGIBLE', () => visa(1, 2032)],
  ['CARD_NOT_ELIGIBLE', () => ({ ...visa(1), cardNumber: '5555550130659057' })],
  ['ACQUIRER_REJECTED', () => visa(1, 2036)],
  ['CARD_EXPIRED', () => visa(1, 2037)],
  ['NETWORK_UNAVAILABLE', () => ({ ...visa(1), cardNumber: '4111116028998260' })],
])('the notification of a refusal has its reason: %s', async (reason, card) => {
  const { body, inbox } = await request(card())
  expect(await becomes(body.token, 'FAILED')).toMatchObject({ reason, holder: { name: 'ANA SOUZA' } })

  const [post] = await received(inbox, 1)
  expect(JSON.parse(post.body)).toMatchObject({ status: 'FAILED', reason })
  expect(post.body).not.toContain('ANA')
  expect((await charge(body.token)).body.code).toBe('NETWORK_TOKEN_NOT_ACTIVE')
})

test('a request is refused for an unsupported brand, a plain HTTP URL or a missing establishment', async () => {
  const elo = await request({ ...visa(1), cardNumber: '6362970000457013' })
  expect([elo.status, elo.body.code]).toEqual([422, 'CARD_BRAND_UNSUPPORTED'])
  const notificationUrl = 'http://shop.example/hooks'
  const plain = await system.api('POST', PATH, { body: { ...visa(1), notificationUrl } })
  expect([plain.status, plain.body.code]).toEqual([400, 'NOTIFICATION_URL_NOT_HTTPS'])
  const { sellerId, token } = system.ready.secondSeller
  const body = { ...visa(1), notificationUrl: `${system.ready.sandboxInboxUrl}/second` }
  for (const path of [PATH, `/v2/sellers/${sellerId}/cards/tokens/network`]) {
    const second = await system.api('POST', path, { token, body })
    expect([second.status, second.body.code]).toEqual([422, 'NO_NETWORK_TOKEN_ESTABLISHMENT'])
  }
})

test('a token follows the network: suspended, restored, deleted', async () => {
  const { token, inbox } = await active(0)
  const { id } = await issuedFor(cardEndingIn(0).slice(-4))
  const set = (status: string) => system.sandbox('POST', `/token-service/tokens/${id}/status`, { status })
  await set('SUSPENDED')
  await becomes(token, 'INACTIVE')
  expect((await charge(token)).status).toBe(422)
  await set('ACTIVE')
  await becomes(token, 'ACTIVE')
  expect((await charge(token)).body.status).toBe('CAPTURED')
  await set('DELETED')
  await becomes(token, 'INACTIVE')
  const posts = await received(inbox, 2)
  expect(posts.map((post: any) => JSON.parse(post.body).status)).toEqual(['ACTIVE', 'ACTIVE'])
})

test('the token of a replaced card stays ACTIVE, and its expiration stays as it was sent', async () => {
  const { body } = await request(visa(1, 2035))
  await becomes(body.token, 'ACTIVE')
  await eventually(async () => {
    expect((await read(body.token)).lastFour).not.toBe(cardEndingIn(1).slice(-4))
  }, ASKED)
  expect(await read(body.token)).toMatchObject({
    status: 'ACTIVE',
    expiration: { year: '2035', month: '12' },
  })
})

test.each([
  ['is down', { kind: 'NOT_REACHED', times: 4, queries: true }],
  ['loses its answer', { kind: 'ANSWER_LOST', times: 1 }],
  ['does it and fails', { kind: 'DONE_500', times: 1 }],
  ['fails', { kind: 'HTTP_500', times: 1 }],
  ['is slow', { kind: 'SLOW', times: 1, delayMs: SLOW_MS }],
])('when the token service %s, the token becomes ACTIVE, and exactly one exists', async (_, fault) => {
  const before = (await system.sandbox('GET', '/token-service/tokens')).length
  await system.sandbox('POST', '/faults', { partner: 'TOKEN_SERVICE', ...fault })
  const { status, body, ms } = await request(visa(1))
  expect(status).toBe(202)
  expect(ms).toBeLessThan(SLOW_MS)

  await becomes(body.token, 'ACTIVE')
  expect(await system.sandbox('GET', '/token-service/tokens')).toHaveLength(before + 1)
  await system.sandbox('DELETE', '/faults')
})

test('a charge of zero verifies a token, and no money moves', async () => {
  const { token } = await active(1)
  const { status, body } = await charge(token, 0)
  expect([status, body.status, body.capturedAmount]).toEqual([201, 'CAPTURED', 0])
})

test('a charge that gets no cryptogram is not made: it gets 503, and may be repeated', async () => {
  const { token } = await active(4)
  await system.sandbox('POST', '/faults', { partner: 'TOKEN_SERVICE', kind: 'HTTP_500', times: 1 })
  const refused = await charge(token)
  expect([refused.status, refused.body.retryable]).toEqual([503, true])
  expect((await charge(token)).body.status).toBe('CAPTURED')
})

test('a payment declined because of its token is retried once with the card, if the seller wants retries', async () => {
  const { token } = await active(4)
  await system.sandbox('POST', '/acquirer/next', { returnCode: '57' })
  const plain = await charge(token)
  expect(plain.body).toMatchObject({ status: 'DENIED', payments: [{ decline: { acquirerCode: '57' } }] })

  await wantRetries()
  await system.sandbox('POST', '/acquirer/next', { returnCode: '57' })
  const { body } = await charge(token)
  expect(body).toMatchObject({ status: 'CAPTURED', payments: [{ card: { source: 'CARD' }, decline: null }] })
  expect(body.transactions).toMatchObject([
    { type: 'AUTHORIZATION', status: 'FAILED', attempt: { source: 'NETWORK_TOKEN', returnCode: '57' } },
    { type: 'AUTHORIZATION', status: 'SUCCEEDED', attempt: { source: 'CARD' } },
    { type: 'CAPTURE', status: 'SUCCEEDED' },
  ])
  const [first, second] = body.transactions.map((one: any) => one.attempt?.orderNumber)
  const { payments } = { payments: await system.sandbox('GET', '/acquirer/payments') }
  const made = payments.filter((one: any) => [first, second].includes(one.merchantOrderId))
  expect(made.map((one: any) => one.networkToken === null).sort()).toEqual([false, true])
})

/** Creates the demo seller's establishment again, with retries by card. */
async function wantRetries(): Promise<void> {
  const state = JSON.parse(readFileSync(join(system.runDir, 'state.json'), 'utf8'))
  const file = (name: string) => readFileSync(join(system.runDir, 'certs', name), 'utf8')
  const tls = { ca: file('authority.crt'), cert: file('cofrectl.crt'), key: file('cofrectl.key') }
  const address = `127.0.0.1:${state.ports.orders}`
  const admin = new OrdersAdminClient(address, clientCredentials(tls), CLIENT_OPTIONS)
  const { sellerId, merchantId } = state.demo
  const account = { sellerId, merchantId, affiliateId: undefined }
  await callRpc(admin, admin.createEstablishment, { ...account, networkTokens: true, retryWithCard: true })
  admin.close()
}
