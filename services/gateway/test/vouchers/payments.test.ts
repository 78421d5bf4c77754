import { VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import { voucherPaymentRequestSchema } from '../../src/api/vouchers/voucher-request'
import { voucherPayment } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
let token: string
beforeAll(async () => {
  gateway = await startGateway()
  const { sellerId } = gateway
  const card = { cardType: VoucherCardType.MEAL, cardBrand: 'VR', lastFour: '1234' }
  token = gateway.vouchers.addToken({ sellerId, ...card }).token
})
afterEach(() => void (gateway.vault.time.faults = []))
afterAll(() => gateway.stop())

const pathFor = (sellerId = gateway.sellerId) => `/api/v2/sellers/${sellerId}/vouchers/payments`
const pay = (over: Record<string, unknown> = {}, headers = {}) =>
  gateway.call('POST', pathFor(), { body: voucherPayment(token, over), headers })
const named = (over: object) => ({ card: { cardType: 'MEAL', cardBrand: 'VR', token, ...over } })
const urlOf = (id: number) => `https://pay.example.com${pathFor()}/${id}`

test('a payment answers 201 with its URL and a link to cancel it', async () => {
  const { status, headers, body } = await pay()
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.id,
    referenceId: 'R-1',
    status: 'PAID',
    amount: 3_500,
    installments: 1,
    card: { cardType: 'MEAL', cardBrand: 'VR', token, lastFour: '1234' },
    authorizationCode: '123456',
    decline: null,
    cancellationPending: false,
    cancelFailedAt: null,
    canceledByIssuer: false,
    orderNumber: `V${body.id}`,
    createdAt: 1_767_225_600_000 + body.id,
    updatedAt: 1_767_225_600_000 + body.id,
  })
  expect(headers.get('location')).toBe(urlOf(body.id))
  expect(headers.get('link')).toBe(`<${urlOf(body.id)}/cancel>; rel="cancel"`)
  expect(headers.get('retry-after')).toBeNull()
  const read = await gateway.call('GET', `${pathFor()}/${body.id}`)
  expect([read.status, read.body, read.headers.get('link')]).toEqual([200, body, headers.get('link')])
})

test('a decline is an answer, with nothing to cancel', async () => {
  const { status, headers, body } = await pay({ amount: 3_551 })
  expect([status, body.status, headers.get('link')]).toEqual([201, 'DENIED', null])
  expect(body.decline).toEqual({
    code: 'INSUFFICIENT_FUNDS',
    issuerCode: '119',
    message: 'The card has not enough balance.',
    retryable: true,
    advice: 'TRY_LATER',
  })
})

test('a payment that the issuer did not answer is PENDING, and says when to ask again', async () => {
  const { status, headers, body } = await pay({ amount: 3_599 })
  expect([status, body.status, headers.get('retry-after')]).toEqual([201, 'PENDING', '2'])
  expect([headers.get('link'), body.authorizationCode]).toEqual([null, null])
  expect((await gateway.call('GET', `${pathFor()}/${body.id}`)).headers.get('retry-after')).toBe('2')
})

test('omitted fields have their defaults, and the example of the reference is accepted', async () => {
  const customer = { document: '123.456.789-09' }
  const { status, body } = await pay({ installments: undefined, referenceId: undefined, customer })
  expect([status, body.installments, body.referenceId]).toEqual([201, 1, null])
  expect(gateway.vouchers.asked.payments.at(-1)?.customer).toEqual({ document: '12345678909', name: '' })
  const [example] = (voucherPaymentRequestSchema.meta()?.examples ?? []) as { card: object }[]
  expect(await pay({ ...example, card: { ...example?.card, token } })).toMatchObject({ status: 201 })
})

test('a CVV goes to the service as the vault sealed it; a token alone skips the vault', async () => {
  await pay({ referenceId: 'with a CVV', ...named({ cvv: '123' }) })
  await pay({ referenceId: 'with a sealed CVV', ...named({ encryptedCvv: 'e.n.c' }) })
  // From here on, bodies that pass the vault are refused.
  const pointer = '#/card/encryptedCvv'
  gateway.vault.time.faults = [{ pointer, code: 'UNDECRYPTABLE', detail: 'could not be opened' }]
  await pay({ referenceId: 'alone' })
  const refused = await pay(named({ encryptedCvv: 'e.n.c' }))
  expect([refused.status, refused.body.errors]).toEqual([400, [expect.objectContaining({ pointer })]])
  const asked = gateway.vouchers.asked.payments.slice(-3)
  expect(asked.map((each) => [each.referenceId, each.token, each.card?.hasCvv])).toEqual([
    ['with a CVV', token, true],
    ['with a sealed CVV', token, true],
    ['alone', token, undefined],
  ])
})

test.each<[Record<string, unknown>, string[]]>([
  [{ amount: 0 }, ['#/amount MIN']],
  [{ amount: 100_000_000_000 }, ['#/amount MAX']],
  [{ amount: 10.5 }, ['#/amount TYPE']],
  [
    { amount: undefined, customer: undefined, card: undefined },
    ['#/amount REQUIRED', '#/card REQUIRED', '#/customer REQUIRED'],
  ],
  [{ installments: 13 }, ['#/installments MAX']],
  [{ installments: -1 }, ['#/installments MIN']],
  [{ referenceId: 'x'.repeat(256) }, ['#/referenceId LENGTH']],
  [{ referenceId: '' }, ['#/referenceId LENGTH']],
  [
    { card: { cardType: 'GIFT' } },
    ['#/card/cardType ENUM', '#/card/cardBrand REQUIRED', '#/card/token REQUIRED'],
  ],
  [{ card: { cardType: 'MEAL', cardBrand: 'VR', token: 'x' } }, ['#/card/token FORMAT']],
  [{ customer: {} }, ['#/customer/document REQUIRED']],
  [{ customer: { document: '12345678900' } }, ['#/customer/document FORMAT']],
  [{ customer: { document: '12345678909', name: ' ' } }, ['#/customer/name LENGTH']],
])('%j is refused: %j', async (over, faults) => {
  const before = gateway.vouchers.asked.payments.length
  const { status, body } = await pay(over)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  expect(
    body.errors.map((each: { pointer: string; code: string }) => `${each.pointer} ${each.code}`),
  ).toEqual(faults)
  expect(gateway.vouchers.asked.payments).toHaveLength(before)
})

test.each([
  ['instalments', { installments: 2 }, 'INSTALLMENTS_NOT_ALLOWED'],
  ['another brand', { card: { cardType: 'MEAL', cardBrand: 'ALELO' } }, 'VOUCHER_CARD_MISMATCH'],
  ['another type', { card: { cardType: 'FOOD', cardBrand: 'VR' } }, 'VOUCHER_CARD_MISMATCH'],
  ['an unknown brand', { card: { cardType: 'FOOD', cardBrand: 'NOBODY' } }, 'VOUCHER_BRAND_UNSUPPORTED'],
  [
    'an unknown token',
    { card: { cardType: 'MEAL', cardBrand: 'VR', token: 'b'.repeat(64) } },
    'CARD_TOKEN_UNUSABLE',
  ],
])('%s is 422', async (_name, over, code) => {
  const card = 'card' in over ? { card: { token, ...over.card } } : {}
  const { status, body } = await pay({ ...over, ...card })
  expect([status, body.code]).toEqual([422, code])
})

test('a payment is cancelled once, and a repeat with its key gets the first answer', async () => {
  const { body: paid } = await pay()
  const cancel = (headers = {}) => gateway.call('POST', `${pathFor()}/${paid.id}/cancel`, { headers })
  const first = await cancel({ 'idempotency-key': 'cancel-1' })
  expect([first.status, first.body.status, first.headers.get('link')]).toEqual([200, 'CANCELED', null])
  const again = await cancel({ 'idempotency-key': 'cancel-1' })
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  expect(await cancel()).toMatchObject({
    status: 422,
    body: { code: 'INVALID_VOUCHER_STATE', currentStatus: 'CANCELED', allowedActions: [] },
  })
})

test('a cancellation without an answer says so, and when to ask again', async () => {
  const { body: paid } = await pay({ amount: 1_098 })
  const { status, headers, body } = await gateway.call('POST', `${pathFor()}/${paid.id}/cancel`)
  expect([status, body.status, body.cancellationPending]).toEqual([200, 'PAID', true])
  expect([headers.get('retry-after'), headers.get('link')]).toEqual(['2', null])
})

test('a repeat makes one payment, and another body under its key is 422', async () => {
  const headers = { 'idempotency-key': 'pay-1' }
  const first = await pay({}, headers)
  const again = await pay({}, headers)
  expect([again.status, again.body, again.headers.get('link')]).toEqual([
    201,
    first.body,
    first.headers.get('link'),
  ])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await pay({ amount: 1 }, headers)).toMatchObject({ status: 422 })
  const { body: kept } = await gateway.call('GET', '/api/v2/requests/pay-1')
  expect(kept).toMatchObject({ status: 201, location: first.headers.get('location') })
})

test('a repeat in another spelling is the same payment, whether the gateway or the vault reads its body', async () => {
  const text = JSON.stringify(voucherPayment(token, { referenceId: 'spelled' }))
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'spelled' }
  const send = (raw: string) => gateway.call('POST', pathFor(), { raw, headers })
  const first = await send(text)
  const again = await send(text.replace('"referenceId"', '"reference\\u0049d"'))
  expect([again.status, again.body.id]).toEqual([201, first.body.id])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})
