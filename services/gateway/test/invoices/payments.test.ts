import { cardToken, card as openCard, directCharge, newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const { token } = cardToken
const asked = () => gateway.invoices.asked.payments.at(-1)

/** Creates an invoice of this amount, in cents. */
async function invoiceOf(amount = 9_980): Promise<number> {
  const items = [{ productId: 1, quantity: 1, unitPriceInCents: amount }]
  const path = `/api/v2/sellers/${gateway.sellerId}/invoices`
  const { body } = await gateway.call('POST', path, { body: { ...newInvoice, items } })
  return body.id
}
const pathOf = (id: number) => `/api/v2/invoices/${id}/credit-card/pay`
const pay = (id: number, body: object, headers = {}) => gateway.call('POST', pathOf(id), { body, headers })

test('an invoice is paid with a card, and the answer is the charge with its URL', async () => {
  const id = await invoiceOf()
  const { status, headers, body } = await pay(id, { card: openCard, installments: 3 })
  expect([status, body]).toMatchObject([
    201,
    {
      invoiceId: id,
      status: 'PAID',
      method: 'CREDIT_CARD',
      amountInCents: 9_980,
      transactions: [{ type: 'CREDIT_CARD', status: 'SUCCEEDED', chargeId: 981, decline: null }],
    },
  ])
  const url = `https://pay.example.com/api/v2/invoices/${id}/charges/latest`
  expect([headers.get('location'), headers.get('link')]).toEqual([url, `<${url}>; rel="charge"`])
  expect(headers.get('retry-after')).toBeNull()
  expect(asked()).toMatchObject({
    sellerId: gateway.sellerId,
    invoiceId: id,
    installments: 3,
    card: { pointer: '#/card', handle: openCard.cardNumber },
    keepCard: false,
  })
  const read = await gateway.call('GET', `/api/v2/invoices/${id}`)
  expect(read.body).toMatchObject({ status: 'PAID', transactions: body.transactions })
})

test('a card sealed for an invoice pays that invoice, and nothing else', async () => {
  const [id, other] = [await invoiceOf(), await invoiceOf()]
  const card = { encryptedCard: `for-${id}` }
  const refused = {
    status: 400,
    body: { errors: [{ pointer: '#/card/encryptedCard', code: 'OTHER_INVOICE' }] },
  }
  expect(await pay(other, { card, installments: 1 })).toMatchObject(refused)
  const authenticated = { card, installments: 1, mode: 'CHALLENGE' }
  const path = `/api/v2/invoices/${other}/credit-card/three-d-secure/authorize`
  expect(await gateway.call('POST', path, { body: authenticated })).toMatchObject(refused)
  const kept = await gateway.call('POST', '/api/v2/cards/tokens', { body: card })
  expect([kept.status, kept.body.errors[0].code]).toEqual([400, 'OTHER_INVOICE'])
  const charge = directCharge({ cardToken: undefined, card })
  expect(await gateway.call('POST', '/api/v2/orders/credit-card/charge', { body: charge })).toMatchObject(
    refused,
  )
  expect((await gateway.call('GET', `/api/v2/invoices/${other}`)).body.status).toBe('OPEN')
  expect((await pay(id, { card, installments: 1 })).status).toBe(201)
})

test('a decline is an answer with its advice; a payment with an unknown outcome says when to ask again', async () => {
  const declined = await pay(await invoiceOf(10_051), { cardId: 41 })
  const decline = { code: 'INSUFFICIENT_FUNDS', retryable: true, advice: 'TRY_LATER' }
  expect([declined.status, declined.body]).toMatchObject([
    201,
    { status: 'PENDING', method: null, transactions: [{ status: 'FAILED', decline }] },
  ])
  const pending = await pay(await invoiceOf(10_099), { cardId: 41 })
  expect(pending.body).toMatchObject({ transactions: [{ status: 'PENDING' }] })
  expect([pending.status, pending.headers.get('retry-after')]).toEqual([201, '2'])
})

test('the card is named by id, by token with or without a CVV, by network token, or comes encrypted', async () => {
  await pay(await invoiceOf(), { cardId: 41, keepYourCardForAutomaticCharges: true })
  expect(asked()).toMatchObject({ cardId: 41, card: undefined, installments: 1, keepCard: true })
  await pay(await invoiceOf(), { cardToken: { token } })
  expect(asked()).toMatchObject({ cardId: undefined, cardToken: token, card: undefined })
  await pay(await invoiceOf(), { cardToken })
  expect(asked()).toMatchObject({ cardToken: token, card: { pointer: '#/cardToken' } })
  await pay(await invoiceOf(), { networkToken: { token } })
  expect(asked()).toMatchObject({ networkToken: token, card: undefined })
  await pay(await invoiceOf(), { card: { encryptedCard: 'jwe' } })
  expect(asked()).toMatchObject({ card: { pointer: '#/card' } })
})

test('a payment needs exactly one card, an allowed number of installments, and no other member', async () => {
  const id = await invoiceOf()
  for (const body of [{}, { cardId: 41, cardToken }]) {
    const { status, body: problem } = await pay(id, body)
    expect([status, problem.code]).toEqual([400, 'EXACTLY_ONE_SOURCE'])
  }
  const faults = [
    [{ cardId: 41, installments: 13 }, '#/installments'],
    [{ cardId: 0 }, '#/cardId'],
    [{ cardId: 41, keepYourCardForAutomaticCharges: 'yes' }, '#/keepYourCardForAutomaticCharges'],
    [{ cardId: 41, instalments: 2 }, '#/instalments'],
  ] as const
  for (const [body, pointer] of faults) {
    const { status, body: problem } = await pay(id, body)
    expect([status, problem.errors]).toMatchObject([400, [{ pointer }]])
  }
})

test('a repeat gets the same answer; another body under its key, and a second payment, are refused', async () => {
  const id = await invoiceOf()
  const key = { 'idempotency-key': 'pay-once' }
  const first = await pay(id, { card: openCard }, key)
  const again = await pay(id, { card: openCard }, key)
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
    201,
    first.body,
    'true',
  ])
  const other = await pay(id, { card: openCard, installments: 2 }, key)
  expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  const paid = await pay(id, { card: openCard })
  expect([paid.status, paid.body]).toMatchObject([
    422,
    { code: 'INVALID_INVOICE_STATE', currentStatus: 'PAID', allowedActions: [] },
  ])
})

test('a look-up of a key finds the payment, with the URL of the charge', async () => {
  const id = await invoiceOf()
  await pay(id, { cardId: 41 }, { 'idempotency-key': 'pay-found' })
  const { status, body } = await gateway.call('GET', '/api/v2/requests/pay-found')
  expect([status, body]).toMatchObject([
    200,
    {
      method: 'POST',
      path: pathOf(id),
      state: 'DONE',
      status: 201,
      location: expect.stringContaining('/charges/latest'),
    },
  ])
})
