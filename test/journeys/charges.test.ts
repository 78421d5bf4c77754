import { createPublicKey } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { Webhook } from 'standardwebhooks'
import { eventually } from '@cofre/testing/testing'
import {
  authorize,
  authorizeBody,
  cardEndingIn,
  cardFields,
  cardToken,
  customer,
  discard,
  startSystem,
  type System,
} from './system'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

const charge = (body: object) =>
  system.api('POST', `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/charge`, {
    body: { amount: 4_990, installments: 1, customer, ...body },
  })

test.each([
  [0, 'AUTHORIZED', null],
  [1, 'AUTHORIZED', null],
  [4, 'AUTHORIZED', null],
  [2, 'DENIED', { acquirerCode: '05', code: 'DO_NOT_HONOR', advice: 'TRY_LATER', retryable: true }],
  [3, 'DENIED', { acquirerCode: '57', code: 'TRANSACTION_NOT_ALLOWED', retryable: false }],
  [5, 'DENIED', { acquirerCode: '78', retryable: true }],
  [6, 'DENIED', { acquirerCode: '99' }],
  [7, 'DENIED', { acquirerCode: '77' }],
  [8, 'DENIED', { acquirerCode: '70' }],
])('a card that ends in %d is %s', async (digit, status, decline) => {
  const { status: http, body } = await authorize(system, digit)

  expect(http).toBe(201)
  expect(body.status).toBe(status)
  if (decline) {
    expect(body.payments[0].decline).toMatchObject({
      message: expect.any(String),
      advice: expect.stringMatching(/^(TRY_LATER|USE_ANOTHER_CARD|DO_NOT_RETRY|FIX_DATA)$/),
      ...decline,
    })
  } else expect(body.payments[0].decline).toBeNull()
})

test.each(['李小龍', 'Ελένη', '\u{1F600}', '12345', 'Łukasz Żółw'])(
  'a payer and holder named %s pays, and has the card verified',
  async (name) => {
    const card = { ...cardFields(cardEndingIn(1)), holder: { name }, cvv: '123' }
    for (const amount of [4_990, 0]) {
      const paid = await charge({ amount, customer: { ...customer, name }, card })
      expect([paid.status, paid.body.status]).toEqual([201, 'CAPTURED'])
    }
  },
)

test('a lost answer leaves PENDING, then AUTHORIZED by itself, with one payment at the acquirer', async () => {
  const { status, headers, body } = await authorize(system, 9)
  expect([status, body.status]).toEqual([201, 'PENDING'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)

  const read = await eventually(async () => {
    const answer = await system.api('GET', headers.get('location') ?? '')
    expect(answer.body.status).toBe('AUTHORIZED')
    return answer
  })
  // A charge that was PENDING has a way on, and leads to the request that made it.
  expect(body.links).toMatchObject({ capture: null, refund: null })
  const { body: settled, headers: links } = read
  expect(links.get('link')).toContain(`<${settled.links.capture}>; rel="capture"`)
  const asked = await eventually(async () => {
    const { body: page } = await system.api('GET', settled.links.request)
    expect(page.content).toHaveLength(1)
    return page.content[0]
  })
  expect(asked).toMatchObject({ method: 'POST', status: 201, requestId: settled.requestId })
  const order = settled.payments[0].acquirer.orderNumber
  const atAcquirer = await system.sandbox('GET', `/acquirer/payments?merchantOrderId=${order}`)
  expect(atAcquirer).toMatchObject([{ amount: 10_000, status: 1, capturedAmount: 0, voidedAmount: 0 }])
})

describe('a direct charge', () => {
  const number = cardEndingIn(1)

  test('takes a card in clear text', async () => {
    const { status, body } = await charge({ card: { ...cardFields(number), cvv: '123' } })
    expect([status, body.status, body.capturedAmount]).toEqual([201, 'CAPTURED', 4_990])
    expect(body.payments[0].card).toEqual({
      bin: '424242',
      lastFour: number.slice(-4),
      brand: 'VISA',
      source: 'CARD',
    })
  })

  test('takes a card token', async () => {
    const { status, body } = await charge({ cardToken: { token: await cardToken(system, 1) } })
    expect([status, body.status, body.payments[0].card.source]).toEqual([201, 'CAPTURED', 'CARD_TOKEN'])
  })

  test('takes a card that the client encrypted', async () => {
    const { body: jwk } = await system.api('GET', '/api/v2/cards/encryption-key', { token: null })
    const encryptedCard = await new CompactEncrypt(
      Buffer.from(JSON.stringify({ ...cardFields(number), cvv: '123' })),
    )
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid, iat: Date.now() / 1_000 })
      .encrypt(createPublicKey({ key: jwk, format: 'jwk' }))
    const { status, body } = await charge({ card: { encryptedCard } })
    expect([status, body.status]).toEqual([201, 'CAPTURED'])
  })

  test('without a source or with several sources gets 400', async () => {
    const token = { token: await cardToken(system, 1) }
    const none = await charge({})
    const several = await charge({ cardToken: token, card: cardFields(number) })

    for (const { status, body } of [none, several]) {
      expect([status, body.code]).toEqual([400, 'EXACTLY_ONE_SOURCE'])
    }
  })

  test('also works on paths without the seller and under /v2', async () => {
    const body = { amount: 100, installments: 1, customer, cardToken: { token: await cardToken(system, 1) } }
    for (const path of ['/api/v2/orders/credit-card/charge', '/v2/orders/credit-card/charge']) {
      expect(await system.api('POST', path, { body })).toMatchObject({
        status: 201,
        body: { status: 'CAPTURED' },
      })
    }
  })
})

test('the second of three payments is denied: the first is voided at the acquirer, the third never sent', async () => {
  const tokens = await Promise.all([1, 2, 1].map((digit) => cardToken(system, digit)))
  const { status, headers, body } = await system.api('POST', '/api/v2/orders/credit-card/authorize', {
    body: authorizeBody(tokens, 1_000),
  })
  expect([status, body.status]).toEqual([201, 'DENIED'])

  await eventually(async () => {
    const read = await system.api('GET', headers.get('location') ?? '')
    expect(read.body.payments[0].status).toBe('VOIDED')
    const found = await Promise.all(
      read.body.payments.map((payment: any) =>
        system.sandbox('GET', `/acquirer/payments?merchantOrderId=${payment.acquirer.orderNumber}`),
      ),
    )
    expect(found[0]).toMatchObject([{ status: 10, voidedAmount: 1_000 }])
    expect(found[2]).toEqual([])
  })
})

test('every event of a charge arrives in order, and the public library accepts its signature', async () => {
  const { body: made } = await charge({
    cardToken: { token: await cardToken(system, 1) },
    notificationUrl: `${system.ready.sandboxInboxUrl}/signed`,
  })
  await system.api('POST', `/api/v2/charges/${made.id}/refund`, { body: { amount: 990 } })
  await system.api('POST', `/api/v2/charges/${made.id}/refund`)

  const posts = await eventually(async () => {
    const all: { headers: Record<string, string>; body: string }[] = await system.sandbox(
      'GET',
      '/inbox/signed',
    )
    expect(all).toHaveLength(3)
    return all
  })
  const { body: secret } = await system.api('GET', '/api/v2/webhooks/secret')
  const events = posts.map((post) => new Webhook(secret.secret).verify(post.body, post.headers) as any)
  expect(events.map((event) => [event.type, event.sequence, event.data.status])).toEqual([
    ['charge.captured', 1, 'CAPTURED'],
    ['charge.refunded', 2, 'PARTIALLY_REFUNDED'],
    ['charge.refunded', 3, 'REFUNDED'],
  ])
  const read = await system.api('GET', `/api/v2/charges/${made.id}`)
  expect(events[2].data).toEqual(read.body)
  expect(read.body.links).toMatchObject({ capture: null, refund: null, self: events[2].resource.url })
  expect(() => new Webhook(secret.secret).verify(`${posts[0]?.body} `, posts[0]?.headers ?? {})).toThrow()
})

test('a repeated key gets the first answer, can be looked up, and makes one charge', async () => {
  const token = await cardToken(system, 1)
  const ask = () =>
    system.api('POST', '/api/v2/orders/credit-card/authorize', {
      body: authorizeBody([token], 700),
      headers: { 'idempotency-key': 'journey-1' },
    })
  const first = await ask()
  const again = await ask()

  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  const { body } = await system.api('GET', '/api/v2/requests/journey-1')
  expect(body).toMatchObject({
    method: 'POST',
    path: `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/authorize`,
    state: 'DONE',
    status: 201,
    location: first.headers.get('location'),
  })
})

test('a card number in a field that takes none is refused and not stored', async () => {
  const { body: made } = await charge({ cardToken: { token: await cardToken(system, 1) } })
  const reason = `card ${cardEndingIn(4)} returned`
  const refund = await system.api('POST', `/api/v2/charges/${made.id}/refund`, { body: { reason } })
  const metadata = await system.api('PUT', `/api/v2/charges/${made.id}/metadata`, { body: { note: reason } })

  for (const { status, body } of [refund, metadata]) {
    expect([status, body.code, body.errors[0].code]).toEqual([
      400,
      'VALIDATION_FAILED',
      'CARD_DATA_MISPLACED',
    ])
  }
  expect((await system.api('GET', `/api/v2/charges/${made.id}`)).body).toEqual(made)
})
