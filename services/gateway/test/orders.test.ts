import { CardSource } from '@cofre/proto/vault/v1/vault'
import { billedCustomer, card, directCharge, order, payment } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const CHARGE = '/api/v2/orders/credit-card/charge'

test('an authorization answers 201 with the charge, its URL and links to its possible actions', async () => {
  const path = `/api/v2/sellers/${gateway.sellerId}/orders/credit-card/authorize`
  const { status, headers, body } = await gateway.call('POST', path, {
    body: order({ metadata: { cart: '77', total: 3 } }),
  })
  expect([status, body.status, body.metadata]).toEqual([201, 'AUTHORIZED', { cart: '77', total: 3 }])
  const location = `https://pay.example.com/api/v2/charges/${body.id}`
  expect(headers.get('location')).toBe(location)
  expect(headers.get('link')).toBe(
    `<${location}/capture>; rel="capture", <${location}/refund>; rel="refund", <${location}/metadata>; rel="metadata"`,
  )
  expect(headers.get('retry-after')).toBeNull()
})

test('cards go to the orders service as the vault sealed them, each at its payment', async () => {
  const payments = [
    payment({ amount: 1_000, cardToken: { token: 'a'.repeat(64), cvv: '123' } }),
    payment({ amount: 2_000, cardToken: undefined, networkToken: { token: 'b'.repeat(64) } }),
    payment({ amount: 7_000, cardToken: { token: 'c'.repeat(64) } }),
  ]
  await gateway.call('POST', AUTHORIZE, { body: order({ payments }) })
  const request = gateway.orders.asked.authorize.at(-1)
  expect(request?.payments.map(({ card: sealed, networkToken }) => [sealed?.handle, networkToken])).toEqual([
    ['a'.repeat(64), ''],
    [undefined, 'b'.repeat(64)],
    ['c'.repeat(64), ''],
  ])
  expect(request?.customer?.document).toBe('12345678909')
})

test('tokens in a body without card data go to the orders service as the body names them', async () => {
  const payments = [
    payment({ amount: 1_000, cardToken: { token: 'a'.repeat(64) } }),
    payment({ amount: 9_000, cardToken: undefined, networkToken: { token: 'b'.repeat(64) } }),
  ]
  await gateway.call('POST', AUTHORIZE, { body: order({ payments }) })
  await gateway.call('POST', CHARGE, { body: directCharge({ cardToken: { token: 'c'.repeat(64) } }) })
  const named = gateway.orders.asked.authorize.slice(-2).flatMap((asked) => asked.payments)
  expect(
    named.map(({ card: sealed, cardToken: kept, networkToken }) => [sealed, kept, networkToken]),
  ).toEqual([
    [undefined, 'a'.repeat(64), ''],
    [undefined, '', 'b'.repeat(64)],
    [undefined, 'c'.repeat(64), ''],
  ])
})

test('a malformed token is refused at its place, with or without card data beside it', async () => {
  for (const named of [{ token: 'x' }, { token: 'x', cvv: '123' }]) {
    const answer = await gateway.call('POST', CHARGE, { body: directCharge({ cardToken: named }) })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(answer.body.errors).toMatchObject([{ pointer: '#/cardToken/token', code: 'FORMAT' }])
  }
})

test('a direct charge captures, with its three open fields', async () => {
  const open = { affiliateId: 0, externalReference: 42, notificationUrl: 'http://inbox.test/x' }
  const { status, body } = await gateway.call('POST', CHARGE, {
    body: directCharge({ ...open, cardToken: undefined, card: { ...card, cvv: '123' } }),
  })
  expect([status, body.status, body.capturedAmount]).toEqual([201, 'CAPTURED', 4_990])
  const request = gateway.orders.asked.authorize.at(-1)
  expect(request).toMatchObject({ ...open, capture: true })
  expect(request?.payments[0]?.card?.source).toBe(CardSource.CARD)
})

test('an order and a direct charge take the whole customer of the contract', async () => {
  const bodies = [
    [AUTHORIZE, order({ customer: billedCustomer })],
    [CHARGE, directCharge({ customer: billedCustomer })],
  ] as const
  for (const [path, body] of bodies) {
    expect((await gateway.call('POST', path, { body })).status).toBe(201)
    expect(gateway.orders.asked.authorize.at(-1)?.customer).toEqual({
      name: 'Ana Souza',
      document: '12345678909',
      email: 'ana@example.com',
      birthdate: '1990-05-31',
      address: { ...billedCustomer.address, state: 'SP', zipCode: '01001000' },
    })
  }
})

test('an encrypted card is accepted in place of its fields', async () => {
  const body = directCharge({ cardToken: undefined, card: { encryptedCard: 'e.n.c' } })
  expect(await gateway.call('POST', CHARGE, { body })).toMatchObject({ status: 201 })
})

test.each([CHARGE, '/v2/orders/credit-card/charge'])('a direct charge answers at %s', async (path) => {
  expect(await gateway.call('POST', path, { body: directCharge() })).toMatchObject({ status: 201 })
})

test('a direct charge answers under /v2 with the seller too', async () => {
  const path = `/v2/sellers/${gateway.sellerId}/orders/credit-card/charge`
  expect(await gateway.call('POST', path, { body: directCharge() })).toMatchObject({ status: 201 })
})

test('a charge whose outcome is unknown says when to ask again', async () => {
  const { status, headers, body } = await gateway.call('POST', CHARGE, {
    body: directCharge({ amount: 4_999 }),
  })
  expect([status, body.status, headers.get('retry-after')]).toEqual([201, 'PENDING', '2'])
})

const MORE = {
  orderReference: 'A-1',
  externalReference: 7,
  metadata: { cart: '77' },
  notificationUrl: 'https://shop.example.com/hook',
  affiliateId: 3,
}
test.each([
  ['an order', AUTHORIZE, order],
  ['a direct charge', CHARGE, directCharge],
])('%s takes references, metadata, a URL, a store and the currency', async (_name, path, bodyOf) => {
  const body = bodyOf({ ...MORE, currency: 'BRL' })
  expect(await gateway.call('POST', path, { body })).toMatchObject({ status: 201 })
  expect(gateway.orders.asked.authorize.at(-1)).toMatchObject(MORE)
  expect(await gateway.call('POST', path, { body: bodyOf({ currency: 'USD' }) })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/currency', code: 'ENUM', detail: 'must be BRL' }] },
  })
})

test('a payment of an order may have an open card', async () => {
  const body = order({ payments: [payment({ cardToken: undefined, card: { ...card, cvv: '123' } })] })
  expect(await gateway.call('POST', AUTHORIZE, { body })).toMatchObject({ status: 201 })
  const [sent] = gateway.orders.asked.authorize.at(-1)?.payments ?? []
  expect(sent?.card?.pointer).toBe('#/payments/0/card')
})

test('the path of another seller is 404 before the body is checked', async () => {
  const path = `/api/v2/sellers/${gateway.other.sellerId}/orders/credit-card/authorize`
  for (const body of [order(), {}]) {
    expect(await gateway.call('POST', path, { body })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  }
})

test.each([
  ['a direct charge', CHARGE, directCharge({ amount: 5, installments: 12 }), '#/installments'],
  [
    'a payment of an order',
    AUTHORIZE,
    order({ amount: 5, payments: [payment({ amount: 5, installments: 12 })] }),
    '#/payments/0/installments',
  ],
])('installments of less than one cent are refused in %s', async (_what, path, body, pointer) => {
  const asked = gateway.orders.asked.authorize.length
  expect(await gateway.call('POST', path, { body })).toMatchObject({
    status: 400,
    body: {
      errors: [{ pointer, code: 'MIN', detail: 'must leave at least one cent for each installment' }],
    },
  })
  expect(gateway.orders.asked.authorize).toHaveLength(asked)
})

test.each([
  ['as many cents as installments', { amount: 12, installments: 12 }],
  ['a verification', { amount: 0, installments: 12 }],
])('installments of %s are accepted', async (_what, over) => {
  expect(await gateway.call('POST', CHARGE, { body: directCharge(over) })).toMatchObject({ status: 201 })
})
