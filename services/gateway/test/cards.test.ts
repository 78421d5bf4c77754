import { card } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const TOKENS = '/api/v2/cards/tokens'
const create = (body: unknown = card, headers = {}) => gateway.call('POST', TOKENS, { body, headers })

test('a card becomes a token, which is read at its Location, by id and by token, and is deleted', async () => {
  const { status, headers, body } = await create()
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`https://pay.example.com/api/v2/cards/tokens/${body.id}`)
  expect(body).toEqual({
    id: body.id,
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    bin: '411111',
    lastFour: '1111',
    brand: 'VISA',
    expiration: { year: 2049, month: 12 },
    holder: { name: 'ANA SOUZA' },
    createdAt: 1_767_225_600_000,
  })
  for (const name of [body.id, body.token]) {
    expect((await gateway.call('GET', `${TOKENS}/${name}`)).body).toEqual(body)
  }
  expect(await gateway.call('DELETE', `${TOKENS}/${body.token}`)).toMatchObject({ status: 204, text: '' })
  expect(await gateway.call('GET', `${TOKENS}/${body.id}`)).toMatchObject({ status: 404 })
  expect(await gateway.call('DELETE', `${TOKENS}/${body.id}`)).toMatchObject({ status: 404 })
})

test('a month and a year are taken as text, as the read of a network token writes them', async () => {
  const { status, body } = await create({ ...card, expiration: { year: '2049', month: '12' } })
  expect([status, body.expiration]).toEqual([201, card.expiration])
  const faulty = await create({ ...card, expiration: { year: 'soon', month: '13' } })
  expect(faulty.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '#/expiration/year',
    '#/expiration/month',
  ])
})

test("another seller's card is 404", async () => {
  const { body } = await create()
  for (const name of [body.id, body.token]) {
    const answer = await gateway.call('GET', `${TOKENS}/${name}`, { token: gateway.other.token })
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  }
})

test('the faults of the card and of the rest are listed together, one for each place', async () => {
  const { status, body } = await create({ ...card, cardNumber: '123', holder: { document: '1' } })
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(body.errors).toEqual([
    expect.objectContaining({ pointer: '#/cardNumber', code: 'LENGTH' }),
    expect.objectContaining({ pointer: '#/holder/name', code: 'REQUIRED' }),
    expect.objectContaining({ pointer: '#/holder/document', code: 'FORMAT' }),
  ])
})

test('a card that cannot be decrypted is one fault, not four', async () => {
  const { body } = await create({ encryptedCard: 'undecryptable' })
  expect(body.errors).toEqual([
    expect.objectContaining({ pointer: '#/encryptedCard', code: 'UNDECRYPTABLE' }),
  ])
})

test('without a card number, the answer names the missing fields', async () => {
  const { body } = await create({ holder: { name: 'ANA' } })
  expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
    '#/cardNumber',
    '#/expiration',
  ])
})

test('the key with which browsers encrypt cards is public on any origin', async () => {
  const { status, headers, body } = await gateway.call('GET', '/api/v2/cards/encryption-key', { token: null })
  expect([status, body.kty, headers.get('access-control-allow-origin')]).toEqual([200, 'RSA', '*'])
})

test('the key comes with the time of the answer, so no cache keeps it', async () => {
  const before = Date.now()
  const { headers, body } = await gateway.call('GET', '/api/v2/cards/encryption-key', { token: null })
  expect(body.serverTime).toBeGreaterThanOrEqual(before)
  expect(body.serverTime).toBeLessThanOrEqual(Date.now())
  expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
})

test('a repeated request stores one card, and no card number reaches a log line or an answer', async () => {
  const canary = '4929000000000006'
  const first = await create({ ...card, cardNumber: canary }, { 'idempotency-key': 'store-1' })
  const again = await create({ ...card, cardNumber: canary }, { 'idempotency-key': 'store-1' })
  expect(again.body).toEqual(first.body)
  await create({ ...card, cardNumber: `${canary}x`, holder: { name: 3 } })
  await gateway.call('GET', `${TOKENS}/${canary}`)
  const path = await gateway.call('GET', `/api/v2/elsewhere/${canary}?card=${canary}`)
  expect(path.body.instance).toBe('/api/v2/_/_')
  expect([...gateway.lines, first.text, again.text, path.text].join('')).not.toContain(canary)
})
