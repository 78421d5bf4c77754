import { startTestSandbox, type TestSandbox } from '../support'
import { age, ALELO_APPROVED, ALELO_SELLER, callAlelo, payAlelo, vouchersOf } from './card-vouchers'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const endingIn = (digit: string) => `506722900000000${digit}`

test.each(['0', '1', '4'])('a card that ends in %s is approved', async (digit) => {
  const { status, body } = await payAlelo(sandbox, `ok-${digit}`, { number: endingIn(digit) })
  expect(status).toBe(200)
  expect(body).toEqual({
    paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    orderId: `ok-${digit}`,
    status: 'APPROVED',
    responseCode: '00',
    authorizationCode: expect.stringMatching(/^\d{6}$/),
    amount: 3500,
  })
})

test.each([
  ['2', '05'],
  ['3', '57'],
  ['5', '78'],
  ['6', '99'],
  ['7', '77'],
  ['8', '70'],
])('a card that ends in %s is declined with %s, and answered normally', async (digit, responseCode) => {
  const { status, body } = await payAlelo(sandbox, `no-${digit}`, { number: endingIn(digit) })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'DECLINED', responseCode, authorizationCode: null })
  expect(await vouchersOf(sandbox, `no-${digit}`)).toMatchObject([{ status: 'DECLINED' }])
})

test('a card that ends in 9 is approved and its answer is lost: a query finds the payment', async () => {
  await expect(payAlelo(sandbox, 'lost', { number: endingIn('9') })).rejects.toThrow()
  const { status, body } = await callAlelo(sandbox, 'GET', '?orderId=lost')
  expect([status, body.status]).toEqual([200, 'APPROVED'])
})

test('the control lists every payment, newest first, with only four digits of the card', async () => {
  await payAlelo(sandbox, 'told', { body: { product: 'ALIMENTACAO', amount: 77 } })
  const [told] = (await sandbox.control('GET', '/vouchers/payments')).body
  expect(told).toEqual({
    brand: 'ALELO',
    paymentId: expect.any(String),
    orderNumber: 'told',
    amount: 77,
    status: 'APPROVED',
    product: 'FOOD',
    cardLastFour: ALELO_APPROVED.slice(-4),
  })
})

test('a known order number is refused and nothing is done', async () => {
  await payAlelo(sandbox, 'twice')
  const { status, body } = await payAlelo(sandbox, 'twice', { body: { amount: 1 } })
  expect([status, body]).toEqual([409, { error: 'DUPLICATE_ORDER' }])
  expect(await vouchersOf(sandbox, 'twice')).toMatchObject([{ amount: 3500 }])
})

const card = { number: ALELO_APPROVED, holder: 'ANA', expiration: '08/2049' }
test.each([
  ['orderId', { orderId: 'a_b' }],
  ['amount', { amount: 0 }],
  ['amount', { amount: '3500' }],
  ['amount', { amount: 35.5 }],
  ['product', { product: 'MEAL' }],
  ['customerDocument', { customerDocument: undefined }],
  ['card', { card: undefined }],
  ['card.number', { card: { ...card, number: '5067 2290' } }],
  ['card.holder', { card: { ...card, holder: '' } }],
  ['card.expiration', { card: { ...card, expiration: '204908' } }],
  ['card.securityCode', { card: { ...card, securityCode: '12' } }],
])('a refusal of a wrong %s names it: %j', async (field, body) => {
  const answer = await payAlelo(sandbox, 'wrong', { body })
  expect([answer.status, answer.body]).toEqual([400, { error: 'INVALID_REQUEST', field }])
  expect(await vouchersOf(sandbox, 'wrong')).toEqual([])
})

test('a CVV may be absent; an unreadable body is refused', async () => {
  expect((await payAlelo(sandbox, 'no-cvv', { body: { card } })).status).toBe(200)
  const url = `${sandbox.voucherIssuerUrl}/alelo/v1/payments`
  const { status, body } = await sandbox.call('POST', url, { body: '{"orderId', headers: ALELO_SELLER })
  expect([status, body]).toEqual([400, { error: 'INVALID_REQUEST', field: 'body' }])
})

test('a payment is canceled once; a repetition gets the same answer, even on a later day', async () => {
  const { paymentId } = (await payAlelo(sandbox, 'gone')).body
  const first = await callAlelo(sandbox, 'POST', `/${paymentId}/cancel`)
  expect([first.status, first.body.status]).toEqual([200, 'CANCELED'])
  await age(sandbox, 'gone', 1)
  expect((await callAlelo(sandbox, 'POST', `/${paymentId}/cancel`)).body).toEqual(first.body)
  expect((await callAlelo(sandbox, 'GET', '?orderId=gone')).body).toEqual(first.body)
})

test('a payment cannot be canceled from the next day on, and a declined one never', async () => {
  const { paymentId } = (await payAlelo(sandbox, 'late')).body
  await age(sandbox, 'late', 1)
  const late = await callAlelo(sandbox, 'POST', `/${paymentId}/cancel`)
  expect([late.status, late.body]).toEqual([422, { error: 'CANCEL_WINDOW_CLOSED' }])
  const denied = (await payAlelo(sandbox, 'denied', { number: endingIn('2') })).body.paymentId
  const answer = await callAlelo(sandbox, 'POST', `/${denied}/cancel`)
  expect([answer.status, answer.body]).toEqual([422, { error: 'PAYMENT_NOT_APPROVED' }])
})

test('an unknown payment is 404, a query without a number 400, a wrong method 405', async () => {
  const unknown = await callAlelo(sandbox, 'GET', '?orderId=never')
  expect([unknown.status, unknown.body]).toEqual([404, { error: 'NOT_FOUND' }])
  expect((await callAlelo(sandbox, 'POST', '/never/cancel')).status).toBe(404)
  expect((await callAlelo(sandbox, 'GET', '')).body).toEqual({ error: 'INVALID_REQUEST', field: 'orderId' })
  expect((await callAlelo(sandbox, 'DELETE', '')).status).toBe(405)
  expect((await sandbox.call('GET', `${sandbox.voucherIssuerUrl}/nobody`)).status).toBe(404)
})

test.each([
  ['no code', { 'x-api-key': ALELO_SELLER['x-api-key'] }],
  ['no key', { 'x-affiliation-code': ALELO_SELLER['x-affiliation-code'] }],
  ['another key', { ...ALELO_SELLER, 'x-api-key': 'another-key-0123456789' }],
  ['a short key', { 'x-affiliation-code': 'AF-78', 'x-api-key': 'short' }],
])('%s is refused, even on a query', async (_name, headers) => {
  await payAlelo(sandbox, 'first-key')
  const url = `${sandbox.voucherIssuerUrl}/alelo/v1/payments?orderId=first-key`
  for (const answer of [
    await payAlelo(sandbox, 'nobody', { headers }),
    await sandbox.call('GET', url, { headers }),
  ]) {
    expect([answer.status, answer.body]).toEqual([401, { error: 'UNAUTHORIZED' }])
  }
})

test("another seller's payment is 404, and may have the same order number", async () => {
  const other = { 'x-affiliation-code': 'AF-79', 'x-api-key': 'other-key-0123456789' }
  const { paymentId } = (await payAlelo(sandbox, 'mine')).body
  expect((await callAlelo(sandbox, 'GET', '?orderId=mine', other)).status).toBe(404)
  expect((await callAlelo(sandbox, 'POST', `/${paymentId}/cancel`, other)).status).toBe(404)
  expect((await payAlelo(sandbox, 'mine', { headers: other })).status).toBe(200)
  expect(await vouchersOf(sandbox, 'mine')).toHaveLength(2)
})
