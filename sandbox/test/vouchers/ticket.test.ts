import { cardsOf, tokensOf } from '../identity/browser'
import { startTestSandbox, type TestSandbox } from '../support'
import { age, vouchersOf } from './card-vouchers'

const SELLER = { 'x-merchant-id': 'EC-1234', 'x-api-key': 'ticket-key-0123456789' }

let sandbox: TestSandbox
let anas: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
  anas = (await tokensOf(sandbox, 'meal-1234')).access_token
})
afterAll(() => sandbox.end())

const pay = (orderRef: string, change = {}, accessToken = anas, headers: object = SELLER) =>
  sandbox.call('POST', `${sandbox.voucherIssuerUrl}/ticket/v2/transactions`, {
    body: { order_ref: orderRef, card_id: 'meal-1234', amount: 3500, capture_mode: 'auto', ...change },
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
  })
const call = (method: string, path: string, headers: Record<string, string> = SELLER) =>
  sandbox.call(method, `${sandbox.voucherIssuerUrl}/ticket/v2/transactions${path}`, { headers })

test('a payment charges the card of the access token', async () => {
  const { status, body } = await pay('ok')
  expect(status).toBe(201)
  expect(body.data).toEqual({
    transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    order_ref: 'ok',
    status: 'captured',
    reason: null,
    authorization_code: expect.stringMatching(/^\d{6}$/),
    amount: 3500,
  })
  expect(await vouchersOf(sandbox, 'ok')).toMatchObject([
    { brand: 'TICKET', product: 'MEAL', status: 'APPROVED', cardLastFour: '1234' },
  ])
})

test.each([
  ['5552', 'refused'],
  ['5553', 'not_allowed'],
  ['5555', 'card_blocked'],
  ['5556', 'timeout'],
  ['5557', 'card_cancelled'],
  ['5558', 'card_problem'],
  ['5550', 'insufficient_balance'],
])('a card that ends in %s is declined with %s', async (lastFour, reason) => {
  const { access_token: token } = await tokensOf(sandbox, `meal-${lastFour}`)
  const { status, body } = await pay(`no-${lastFour}`, { card_id: `meal-${lastFour}` }, token)
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ status: 'declined', reason, authorization_code: null })
})

test('a card that ends in 9 is approved and its answer is lost: a query finds the payment', async () => {
  const { access_token: token } = await tokensOf(sandbox, 'meal-5559')
  await expect(pay('lost', { card_id: 'meal-5559' }, token)).rejects.toThrow()
  expect((await call('GET', '?order_ref=lost')).body.data.status).toBe('captured')
})

test('a payment with a food card has the product FOOD', async () => {
  const { access_token: token } = await tokensOf(sandbox, 'food-1110')
  expect((await cardsOf(sandbox, token)).body.data).toMatchObject([{ product: 'food', holder: 'Bruno Lima' }])
  await pay('food', { card_id: 'food-1110' }, token)
  expect(await vouchersOf(sandbox, 'food')).toMatchObject([{ product: 'FOOD' }])
})

test('a known order number is refused and nothing is done', async () => {
  await pay('twice')
  const { status, body } = await pay('twice', { amount: 1 })
  expect([status, body]).toEqual([409, { errors: [{ code: 'duplicate_order_ref' }] }])
  expect(await vouchersOf(sandbox, 'twice')).toMatchObject([{ amount: 3500 }])
})

test.each([
  ['card_id', { card_id: 'meal-4321' }],
  ['amount', { amount: 0 }],
  ['amount', { amount: '35.00' }],
  ['capture_mode', { capture_mode: 'manual' }],
  ['order_ref', { order_ref: 'a b' }],
])('a refusal of a wrong %s names it: %j', async (field, change) => {
  const { status, body } = await pay('wrong', change)
  expect([status, body]).toEqual([400, { errors: [{ code: 'invalid_request', field }] }])
})

test('an unknown or absent token, and a call without a seller, are 401', async () => {
  const url = `${sandbox.voucherIssuerUrl}/ticket/v2/cards`
  const INVALID = { errors: [{ code: 'invalid_token' }] }
  expect(await pay('nobody', {}, 'unknown')).toMatchObject({ status: 401, body: INVALID })
  expect(await sandbox.call('GET', url, { headers: SELLER })).toMatchObject({ status: 401, body: INVALID })
  expect((await pay('nobody', {}, anas, {})).body).toEqual({ errors: [{ code: 'unauthorized' }] })
  expect(await vouchersOf(sandbox, 'nobody')).toEqual([])
})

test("a query and a cancellation need the seller's key", async () => {
  const { transaction_id: id } = (await pay('keyed')).body.data
  const UNAUTHORIZED = { status: 401, body: { errors: [{ code: 'unauthorized' }] } }
  expect((await call('GET', '?order_ref=keyed')).status).toBe(200)
  for (const headers of [
    { 'x-merchant-id': 'EC-1234' },
    { ...SELLER, 'x-api-key': 'another-key-0123456789' },
  ]) {
    expect(await call('GET', '?order_ref=keyed', headers)).toMatchObject(UNAUTHORIZED)
    expect(await call('POST', `/${id}/cancel`, headers)).toMatchObject(UNAUTHORIZED)
  }
  const other = { 'x-merchant-id': 'EC-9', 'x-api-key': 'other-key-0123456789' }
  expect(await call('GET', '?order_ref=keyed', other)).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'not_found' }] },
  })
})

test('a payment is canceled on its day, repeatedly; a late or declined one is refused', async () => {
  const { transaction_id: id } = (await pay('gone')).body.data
  const first = await call('POST', `/${id}/cancel`)
  expect([first.status, first.body.data.status]).toEqual([200, 'cancelled'])
  await age(sandbox, 'gone', 1)
  expect((await call('POST', `/${id}/cancel`)).body).toEqual(first.body)
  const late = (await pay('late')).body.data.transaction_id
  await age(sandbox, 'late', 1)
  expect(await call('POST', `/${late}/cancel`)).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'cancellation_window_closed' }] },
  })
})

test('payments survive a restart', async () => {
  await pay('kept')
  sandbox = await sandbox.restart()
  expect((await call('GET', '?order_ref=kept')).body.data.status).toBe('captured')
})
