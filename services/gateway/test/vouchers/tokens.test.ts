import { VoucherCardType, VoucherTokenStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { voucherTokenRequestSchema } from '../../src/api/vouchers/voucher-request'
import { voucherCard } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const pathFor = (sellerId = gateway.sellerId) => `/api/v2/sellers/${sellerId}/vouchers/tokens`
const create = (body: unknown = voucherCard, headers = {}) =>
  gateway.call('POST', pathFor(), { body, headers })
const changed = (over: object) => ({ ...voucherCard, ...over })

test('the brands are listed, and an announced brand has its day', async () => {
  const { status, body } = await gateway.call('GET', '/api/v2/vouchers/brands')
  expect(status).toBe(200)
  expect(body[0]).toEqual({
    brand: 'ALELO',
    flow: 'CARD_NUMBER',
    cardTypes: ['MEAL', 'FOOD'],
    capabilities: { cancel: true },
    availableFrom: null,
  })
  expect(body.at(-1)).toMatchObject({ brand: 'PLUXEE', availableFrom: '2027-01-31' })
})

test('a voucher card becomes a token, which is read and deleted at its Location', async () => {
  const { status, headers, body } = await create()
  expect(status).toBe(201)
  expect(body).toEqual({
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    cardType: 'MEAL',
    cardBrand: 'VR',
    lastFour: '7890',
    status: 'ACTIVE',
    createdAt: 1_767_225_600_000,
  })
  const path = `${pathFor()}/${body.token}`
  expect(headers.get('location')).toBe(`https://pay.example.com${path}`)
  expect(gateway.vouchers.asked.tokens.at(-1)).toMatchObject({
    sellerId: gateway.sellerId,
    cardType: VoucherCardType.MEAL,
    cardBrand: 'VR',
    card: { pointer: '#', handle: voucherCard.cardNumber },
    holderDocument: '12345678909',
  })
  expect((await gateway.call('GET', path)).body).toEqual(body)
  expect(await gateway.call('DELETE', path)).toMatchObject({ status: 204, text: '' })
  expect(await gateway.call('GET', path)).toMatchObject({ status: 404 })
  expect(await gateway.call('DELETE', path)).toMatchObject({ status: 404 })
})

test('the example of the reference and an encrypted card are accepted', async () => {
  const [example] = (voucherTokenRequestSchema.meta()?.examples ?? []) as unknown[]
  expect(await create(example)).toMatchObject({ status: 201 })
  const sealed = { cardType: 'FOOD', cardBrand: 'ALELO', encryptedCard: 'e.n.c' }
  expect(await create(sealed)).toMatchObject({ status: 201, body: { cardType: 'FOOD', cardBrand: 'ALELO' } })
})

test('a token of the redirect flow shows its reference and reason, and no digits until they are known', async () => {
  const { sellerId } = gateway
  const card = { cardType: VoucherCardType.MEAL, cardBrand: 'TICKET', cardReference: 'C-1' }
  const refused = { status: VoucherTokenStatus.DENIED, reason: 'ACCESS_DENIED' }
  const { token } = gateway.vouchers.addToken({ sellerId, ...card, ...refused })
  const { body } = await gateway.call('GET', `${pathFor()}/${token}`)
  expect(body).toMatchObject({
    status: 'DENIED',
    reason: 'ACCESS_DENIED',
    cardReference: 'C-1',
    lastFour: null,
  })
})

test.each<[object, string[]]>([
  [
    {},
    ['cardType', 'cardBrand', 'cardNumber', 'expires', 'holder'].map((name) => `#/${name} REQUIRED`).sort(),
  ],
  [changed({ cardType: 'CULTURE' }), ['#/cardType ENUM']],
  [changed({ cardType: 1 }), ['#/cardType ENUM']],
  [changed({ cardBrand: 'vr' }), ['#/cardBrand FORMAT']],
  [changed({ cardBrand: 'V'.repeat(33) }), ['#/cardBrand FORMAT']],
  [changed({ cardNumber: '41' }), ['#/cardNumber LENGTH']],
  [changed({ expires: { month: 13, year: 49 } }), ['#/expires/month MAX']],
  [changed({ expires: { month: 0, year: 2049 } }), ['#/expires/month MIN', '#/expires/year MAX']],
  [changed({ expires: { month: '12' } }), ['#/expires/month TYPE', '#/expires/year REQUIRED']],
  [changed({ holder: {} }), ['#/holder/name REQUIRED']],
  [changed({ holder: { name: 'ANA', document: '1' } }), ['#/holder/document FORMAT']],
  [{ cardType: 'MEAL', cardBrand: 'VR', encryptedCard: 'undecryptable' }, ['#/encryptedCard UNDECRYPTABLE']],
])('%j is refused: %j', async (body, faults) => {
  const answer = await create(body)
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const told = (answer.body.errors as { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  )
  expect(told.sort()).toEqual(faults)
})

test('a brand that is not set up is 422; the refusal of an announced brand has its day', async () => {
  const unknown = await create(changed({ cardBrand: 'NOBODY' }))
  expect([unknown.status, unknown.body.code]).toEqual([422, 'VOUCHER_BRAND_UNSUPPORTED'])
  const announced = await create(changed({ cardBrand: 'PLUXEE' }))
  expect(announced).toMatchObject({ status: 422, body: { availableFrom: '2027-01-31' } })
})

test('a repeat gets the first answer, and its key leads to the token', async () => {
  const headers = { 'idempotency-key': 'voucher-1' }
  const first = await create(voucherCard, headers)
  const again = await create(voucherCard, headers)
  expect([again.status, again.body]).toEqual([201, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await create(changed({ cardType: 'FOOD' }), headers)).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
  const { body: kept } = await gateway.call('GET', '/api/v2/requests/voucher-1')
  expect(kept).toMatchObject({ state: 'DONE', status: 201, location: first.headers.get('location') })
})

test('another seller, another seller’s token and a malformed token are 404', async () => {
  const { body } = await create()
  const foreign = { token: gateway.other.token }
  const answers = [
    await gateway.call('POST', pathFor(gateway.other.sellerId), { body: voucherCard }),
    await gateway.call('GET', `${pathFor()}/${body.token}`, foreign),
    await gateway.call('GET', `${pathFor(gateway.other.sellerId)}/${body.token}`, foreign),
    await gateway.call('DELETE', `${pathFor(gateway.other.sellerId)}/${body.token}`, foreign),
    await gateway.call('GET', `${pathFor()}/${'b'.repeat(64)}`),
    await gateway.call('GET', `${pathFor()}/none`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await gateway.call('GET', `${pathFor()}/${body.token}`)).status).toBe(200)
})

test('reading and writing need their scopes', async () => {
  const reader = { token: (await gateway.tokenWith(['vouchers:read'])).accessToken }
  const writer = { token: (await gateway.tokenWith(['vouchers:write'])).accessToken }
  const { body } = await create()
  const path = `${pathFor()}/${body.token}`
  const answers = [
    await gateway.call('POST', pathFor(), { ...reader, body: voucherCard }),
    await gateway.call('DELETE', path, reader),
    await gateway.call('GET', path, writer),
    await gateway.call('GET', '/api/v2/vouchers/brands', writer),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect((await gateway.call('GET', path, reader)).status).toBe(200)
})

test('no card number reaches a log line, an answer or the history', async () => {
  const canary = '6370364929000006'
  const first = await create(changed({ cardNumber: canary }))
  const refused = await create(changed({ cardNumber: canary, cardType: canary, holder: { name: 1 } }))
  expect([first.status, refused.status]).toEqual([201, 400])
  const { text } = await gateway.call('GET', '/api/v2/history/requests?size=100')
  expect([...gateway.lines, first.text, refused.text, text].join('')).not.toContain(canary)
})
