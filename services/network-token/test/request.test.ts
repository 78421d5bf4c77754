import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import {
  eventsOf,
  get,
  newCard,
  request,
  startNetworkTokens,
  until,
  URL_OF_SELLER,
  withKey,
  type TestTokens,
} from './support/start-network-tokens'

let tokens: TestTokens
beforeAll(async () => {
  tokens = await startNetworkTokens()
})
afterAll(() => tokens.stop())

const { PENDING, ACTIVE, FAILED } = NetworkTokenStatus

describe('a request', () => {
  test('is answered PENDING before the token service is asked, and becomes ACTIVE when it confirms', async () => {
    const sellerId = tokens.newSeller()
    const card = newCard()
    tokens.service.fail('request', 'hang')
    const asked = await request(tokens, sellerId, card)
    expect(asked).toMatchObject({ status: PENDING, reason: '', card: { lastFour: card.lastFour } })
    expect(asked.token).toMatch(/^[0-9a-f]{64}$/)
    tokens.service.release()

    const issued = await eventually(() => tokens.service.tokenOf(card.lastFour))
    expect(issued).toMatchObject({
      merchantId: tokens.enabled.get(sellerId),
      card: { holder: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2049 },
    })
    expect(issued.card.callbackUrl).toBe('https://pay.example/partners/token-service/events')
    expect(await get(tokens, { sellerId, token: asked.token })).toMatchObject({ status: PENDING })

    issued.status = 'ACTIVE'
    const active = await until(tokens, { sellerId, token: asked.token }, ACTIVE)
    expect(active.card).toEqual(asked.card)
    expect(tokens.kept.get(asked.token)).toEqual({
      card: `411111000000${card.lastFour}`,
      number: issued.number,
    })
    const [event, ...more] = await eventsOf(tokens, asked.token)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'network_token.active',
      sequence: 1,
      notificationUrl: URL_OF_SELLER,
      token: { token: asked.token, status: 'NETWORK_TOKEN_STATUS_ACTIVE' },
    })
    expect(JSON.stringify(event)).not.toContain('ANA SOUZA')
  })

  test('brings the CVV to the token service, and stores it nowhere', async () => {
    const card = newCard()
    const { token } = await request(tokens, tokens.newSeller(), card)
    const issued = await eventually(() => tokens.service.tokenOf(card.lastFour))
    expect(issued.card.securityCode).toBe('987')
    const { rows } = await tokens.pool.query('SELECT * FROM network_tokens WHERE token = $1', [token])
    // Not looked for as a text: three digits also stand in a token by chance.
    expect(rows.flatMap((row) => Object.values(row as object)).filter((value) => value === '987')).toEqual([])
    expect(JSON.stringify(rows)).not.toContain('411111000000')
  })

  test.each([
    ['without an enabled establishment', 'NO_NETWORK_TOKEN_ESTABLISHMENT', () => 1, newCard()],
    [
      'of another brand',
      'CARD_BRAND_UNSUPPORTED',
      undefined,
      newCard({ card: { ...newCard().card!, brand: 'ELO' } }),
    ],
    ['of a stored card that is gone', 'CARD_TOKEN_UNUSABLE', undefined, newCard({ usable: false })],
    [
      'of a stored card that is unknown, or another seller’s',
      'CARD_TOKEN_UNUSABLE',
      undefined,
      newCard({ usable: false, handle: '', card: undefined, pointer: '#/cardToken' }),
    ],
    [
      'of a stored card that goes meanwhile',
      'CARD_TOKEN_UNUSABLE',
      undefined,
      newCard({ handle: 'deleted' }),
    ],
  ])('%s is refused, and nothing is kept', async (_, reason, seller, card) => {
    const before = tokens.kept.size
    const sellerId = (seller ?? tokens.newSeller)()
    await expect(request(tokens, sellerId, card)).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason,
    })
    const { rows } = await tokens.pool.query('SELECT FROM network_tokens WHERE seller_id = $1', [sellerId])
    expect([rows.length, tokens.kept.size]).toEqual([0, before])
  })

  test('with an unusable card token gets an error that points at it', async () => {
    const unknown = newCard({ usable: false, handle: '', card: undefined, pointer: '#/cardToken' })
    await expect(request(tokens, tokens.newSeller(), unknown)).rejects.toMatchObject({
      extra: { errors: [{ pointer: '#/cardToken/token', code: 'CARD_TOKEN_UNUSABLE' }] },
    })
  })

  test('with a URL that is not https is refused', async () => {
    const { client } = tokens
    const notificationUrl = 'http://shop.example'
    const asked = { sellerId: tokens.newSeller(), card: newCard(), notificationUrl, cardToken: '' }
    await expect(callRpc(client, client.requestToken, asked)).rejects.toMatchObject({
      kind: 'invalid_argument',
    })
  })

  test('is accepted from the gateway alone, and a cryptogram goes to orders alone', async () => {
    const sellerId = tokens.newSeller()
    await expect(request({ client: tokens.orders }, sellerId)).rejects.toMatchObject({ code: 7 })
    const asked = { sellerId, token: 'a'.repeat(64), reference: 'R', amount: 1 }
    const { client } = tokens
    await expect(callRpc(client, client.obtainCryptogram, asked)).rejects.toMatchObject({ code: 7 })
  })

  test('is not found by another seller, nor is an unknown token', async () => {
    const { token } = await request(tokens, tokens.newSeller())
    await expect(get(tokens, { sellerId: tokens.newSeller(), token })).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(get(tokens, { sellerId: 1, token: 'b'.repeat(64) })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})

describe('after many declines by the issuer', () => {
  test('requests of that seller and BIN are refused at once, until a minute has passed', async () => {
    const sellerId = tokens.newSeller()
    const keys = Array.from({ length: 10 }, () => ({ key: randomUUID(), card: newCard() }))
    const [first] = await Promise.all(
      keys.map(async ({ key, card }) => {
        const asked = await withKey(key, () => request(tokens, sellerId, card))
        const issued = await eventually(() => tokens.service.tokenOf(card.lastFour))
        Object.assign(issued, { status: 'FAILED', reason: 'ISSUER_DECLINED' })
        await until(tokens, { sellerId, token: asked.token }, FAILED)
        return asked
      }),
    )
    const another = newCard()
    const refusal = { kind: 'rate_limited', reason: 'RATE_LIMITED' }
    await expect(request(tokens, sellerId, another)).rejects.toMatchObject(refusal)
    const numbersOf = (lastFour: string) =>
      [...tokens.kept.values()].filter(({ card }) => card.endsWith(lastFour))
    await eventually(() => expect(numbersOf(another.lastFour)).toEqual([]))
    expect(await withKey(keys[0]!.key, () => request(tokens, sellerId, keys[0]!.card))).toEqual(first)

    const ofOtherBin = newCard()
    ofOtherBin.card = { ...ofOtherBin.card!, bin: '555555' }
    await expect(request(tokens, sellerId, ofOtherBin)).resolves.toMatchObject({ status: PENDING })
    await expect(request(tokens, tokens.newSeller())).resolves.toMatchObject({ status: PENDING })

    const minuteLater = `UPDATE network_tokens SET updated_at = updated_at - interval '1 minute' WHERE seller_id = $1`
    await tokens.pool.query(minuteLater, [sellerId])
    await expect(request(tokens, sellerId, another)).resolves.toMatchObject({ status: PENDING })
  })
})

describe('a repeated request', () => {
  test('gets the first answer and makes one token, even when its establishment is gone since', async () => {
    const sellerId = tokens.newSeller()
    const card = newCard()
    const key = randomUUID()
    const first = await withKey(key, () => request(tokens, sellerId, card))
    tokens.enabled.delete(sellerId)
    const again = await withKey(key, () => request(tokens, sellerId, card))

    expect(again).toEqual(first)
    await eventually(() => tokens.service.tokenOf(card.lastFour))
    const found = await callRpc(tokens.marks, tokens.marks.findRequest, { sellerId, key })
    expect(found.state).toBe('REQUEST_STATE_DONE')
  })

  test('with another body is refused', async () => {
    const sellerId = tokens.newSeller()
    const key = randomUUID()
    await withKey(key, () => request(tokens, sellerId))
    const other = withKey(key, () => request(tokens, sellerId), 'another body')
    await expect(other).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' })
  })

  test('sent twenty times at once makes one token and keeps one card', async () => {
    const sellerId = tokens.newSeller()
    const card = newCard()
    const key = randomUUID()
    const asked = Array.from({ length: 20 }, () => withKey(key, () => request(tokens, sellerId, card)))
    const outcomes = await Promise.allSettled(asked)
    const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []))

    expect(new Set(answers).size).toBe(1)
    await eventually(() => tokens.service.tokenOf(card.lastFour))
    await eventually(() => {
      const ofCard = [...tokens.kept.values()].filter((one) => one.card.endsWith(card.lastFour))
      expect(ofCard).toHaveLength(1)
    })
  })
})

describe('a refusal', () => {
  test.each([
    'CARD_NOT_ELIGIBLE',
    'ISSUER_DECLINED',
    'CARD_EXPIRED',
    'ACQUIRER_REJECTED',
    'NETWORK_UNAVAILABLE',
  ])(
    'that comes later with %s makes the token FAILED for that reason, and its numbers are destroyed',
    async (reason) => {
      const sellerId = tokens.newSeller()
      const card = newCard()
      const { token } = await request(tokens, sellerId, card)
      Object.assign(await eventually(() => tokens.service.tokenOf(card.lastFour)), {
        status: 'FAILED',
        reason,
      })

      expect(await until(tokens, { sellerId, token }, FAILED)).toMatchObject({ reason })
      await eventually(() => expect(tokens.kept.has(token)).toBe(false))
      expect(await eventsOf(tokens, token)).toMatchObject([
        { type: 'network_token.failed', token: { reason } },
      ])
    },
  )

  test.each([
    ['ISSUER_DECLINED', { status: 422, body: { code: 'ISSUER_DECLINED' } }],
    ['CARD_EXPIRED', { status: 422, body: { code: 'CARD_EXPIRED' } }],
    ['ACQUIRER_REJECTED', { status: 400, body: { code: 'INVALID_REQUEST' } }],
  ])('in the first answer makes the token FAILED: %s', async (reason, answer) => {
    const sellerId = tokens.newSeller()
    const card = newCard()
    tokens.service.refusals.set(card.lastFour, answer)
    const { token } = await request(tokens, sellerId, card)

    expect(await until(tokens, { sellerId, token }, FAILED)).toMatchObject({ reason })
    await eventually(() => expect(tokens.kept.has(token)).toBe(false))
  })
})
