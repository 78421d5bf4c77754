import { callRpc } from '@cofre/platform/grpc/client'
import { ChargeStatus, TransactionStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { statementsIn } from '@cofre/testing/statements'
import { authorize, DECLINED, order, sealedCard, VISA, withPayment } from './support/orders'
import { get, newSeller, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
})
afterAll(() => orders.stop())

test('a good card is authorized, and its instalments add up', async () => {
  const sellerId = await newSeller(orders)
  const request = order(sellerId, { metadata: { cart: '77', weight: 1.5 }, externalReference: 7 })
  const charge = await authorize(orders, withPayment(request, { installments: 3 }))
  expect(charge).toMatchObject({
    status: ChargeStatus.AUTHORIZED,
    orderReference: 'A-1',
    externalReference: 7,
    amount: 10_000,
    authorizedAmount: 10_000,
    capturedAmount: 0,
    refundedAmount: 0,
    metadata: { cart: '77', weight: 1.5 },
    payments: [
      {
        status: ChargeStatus.AUTHORIZED,
        installments: 3,
        installmentAmounts: [3_334, 3_333, 3_333],
        source: CardSource.CARD_TOKEN,
        card: { bin: '411111', lastFour: '1111', brand: 'VISA' },
        acquirer: { tid: '0611143005127', nsu: '300512', authorizationCode: '418802', returnCode: '4' },
        decline: undefined,
      },
    ],
    transactions: [{ id: 1, type: TransactionType.AUTHORIZATION, status: TransactionStatus.SUCCEEDED }],
  })
  expect(await get(orders, charge)).toEqual(charge)
})

test('authorizing one payment takes exactly two round trips to the database', async () => {
  const sellerId = await newSeller(orders)
  const statements = await statementsIn(() => withKey('counted', () => authorize(orders, order(sellerId))))
  expect(statements).toHaveLength(2)
})

test('the acquirer gets the sale in its own format', async () => {
  const charge = await authorize(
    orders,
    order(await newSeller(orders), {
      dataOnly: { eci: '04', version: '2.2.0', referenceId: 'd5c1e0a4-6f1f-4f0e-8f6c-0b7e2f2f6c11' },
    }),
  )
  const payment = orders.acquirer.paymentOf(charge.payments[0])
  expect(payment.orderNumber).toMatch(/^[A-Z0-9]{20}$/)
  expect(payment.sale).toMatchObject({
    Customer: { Name: 'Ana Souza', Identity: '12345678909', IdentityType: 'CPF' },
    Payment: {
      Type: 'CreditCard',
      Amount: 10_000,
      Installments: 1,
      Capture: false,
      Authenticate: false,
      ExternalAuthentication: { Eci: '04', DataOnly: true, Version: '2.2.0' },
      CreditCard: {
        CardNumber: VISA,
        Holder: 'Ana Conceicao de Souza',
        ExpirationDate: '12/2049',
        Brand: 'Visa',
      },
    },
  })
  // The stand-in vault passes on each request of orders. The real vault adds the credentials: orders has none.
  const headers = orders.acquirer.headers.at(-1)
  expect(headers).toMatchObject({ requestid: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(headers).not.toHaveProperty('merchantkey')
})

test('a card that is not kept is not marked as kept', async () => {
  const card = sealedCard(VISA, { source: CardSource.CARD })
  const charge = await authorize(orders, order(await newSeller(orders), { cards: [card] }))
  const payment = orders.acquirer.paymentOf(charge.payments[0])
  expect(payment.sale.Payment.CreditCard).not.toHaveProperty('CardOnFile')
})

test('a decline is an answer', async () => {
  const charge = await authorize(orders, order(await newSeller(orders), { cards: [DECLINED] }))
  expect(charge).toMatchObject({
    status: ChargeStatus.DENIED,
    authorizedAmount: 0,
    payments: [
      {
        status: ChargeStatus.DENIED,
        decline: { code: 'INSUFFICIENT_FUNDS', acquirerCode: '51', retryable: true },
        acquirer: { returnCode: '51' },
      },
    ],
    transactions: [{ status: TransactionStatus.FAILED }],
  })
})

test("Mastercard's advice about a decline is kept and shown", async () => {
  orders.acquirer.declines.set('4440', { code: '51', adviceCode: '25' })
  const sellerId = await newSeller(orders)
  const card = sealedCard('5105105105104440')
  if (card.card) card.card.brand = 'MASTERCARD'
  const charge = await authorize(orders, order(sellerId, { cards: [card] }))
  const told = { payments: [{ decline: { acquirerCode: '51', adviceCode: '25', retryable: true } }] }
  expect(charge).toMatchObject(told)
  expect(await get(orders, charge)).toMatchObject(told)
})

test('a direct charge is captured in one step', async () => {
  const sellerId = await newSeller(orders)
  const charge = await authorize(orders, order(sellerId, { capture: true }))
  expect(charge).toMatchObject({
    status: ChargeStatus.CAPTURED,
    capturedAmount: 10_000,
    transactions: [
      { id: 1, type: TransactionType.AUTHORIZATION, status: TransactionStatus.SUCCEEDED },
      { id: 2, type: TransactionType.CAPTURE, status: TransactionStatus.SUCCEEDED },
    ],
  })
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE seller_id = $1', [sellerId])
  expect(rows).toEqual([{ type: 'charge.captured' }])
})

test('an amount of 0 verifies the card and moves nothing', async () => {
  const sellerId = await newSeller(orders)
  const sales = orders.acquirer.payments.length
  const good = await authorize(orders, order(sellerId, { amount: 0 }))
  expect(good).toMatchObject({ status: ChargeStatus.AUTHORIZED, amount: 0, authorizedAmount: 0 })
  const direct = await authorize(orders, order(sellerId, { amount: 0, capture: true }))
  expect(direct).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 0 })
  const bad = await authorize(orders, order(sellerId, { amount: 0, cards: [DECLINED] }))
  expect(bad).toMatchObject({ status: ChargeStatus.DENIED })
  expect(orders.acquirer.payments.length).toBe(sales)
  for (const charge of [good, direct]) {
    const request = { sellerId, chargeId: charge.id }
    await expect(callRpc(orders.client, orders.client.refundCharge, request)).rejects.toMatchObject({
      reason: 'INVALID_CHARGE_STATE',
      extra: { members: { allowedActions: ['metadata'] } },
    })
  }
  orders.acquirer.fail('verify', 'answer_lost')
  await expect(authorize(orders, order(sellerId, { amount: 0 }))).rejects.toMatchObject({
    kind: 'unavailable',
  })
})

test('installments of less than one cent are refused, except for a verification', async () => {
  const sellerId = await newSeller(orders)
  const cents = (amount: number) =>
    authorize(orders, withPayment({ ...order(sellerId), amount }, { amount, installments: 12 }))
  await expect(cents(11)).rejects.toMatchObject({
    kind: 'invalid_argument',
    extra: { errors: [{ pointer: '#/payments/0/installments', code: 'MIN' }] },
  })
  expect((await cents(12)).payments[0]?.installmentAmounts).toEqual(Array(12).fill(1))
  expect((await cents(0)).status).toBe(ChargeStatus.AUTHORIZED)
})

test('an invalid request is refused before anything is stored', async () => {
  const sellerId = await newSeller(orders)
  const request = withPayment(order(sellerId), { installments: 13, networkToken: 'a'.repeat(64) })
  const bad = { ...request, amount: 9_999, customer: undefined }
  const refusal = authorize(orders, bad)
  await expect(refusal).rejects.toMatchObject({ kind: 'invalid_argument', reason: 'VALIDATION_FAILED' })
  const { extra } = await refusal.catch((error) => error)
  expect(extra.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    '#/customer/document',
    '#/customer/name',
    '#/payments',
    '#/payments/0',
    '#/payments/0/installments',
  ])
  await expect(authorize(orders, order(sellerId, { cards: [], amount: 0 }))).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
  })
  const { rows } = await orders.pool.query('SELECT FROM charges WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(0)
})

test.each([
  ['CARD_TOKEN_UNUSABLE', sealedCard(VISA, { usable: false, handle: '' }), {}],
  ['CARD_BRAND_UNSUPPORTED', sealedCard(VISA, { card: { ...sealedCard(VISA).card!, brand: '' } }), {}],
  [
    'CARD_BRAND_UNSUPPORTED',
    sealedCard(VISA, { card: { ...sealedCard(VISA).card!, brand: 'AMEX' } }),
    { amount: 0 },
  ],
])('an unusable card is refused: %s', async (reason, card, changes) => {
  const request = order(await newSeller(orders), { ...changes, cards: [card] })
  await expect(withKey(`unusable ${reason}`, () => authorize(orders, request))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason,
  })
})

test('an unknown network token cannot be used', async () => {
  const changes = { card: undefined, networkToken: 'a'.repeat(64) }
  const request = withPayment(order(await newSeller(orders)), changes)
  await expect(authorize(orders, request)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
})

test('a seller without an establishment accepts no cards, whatever their brand', async () => {
  const card = sealedCard(VISA, { card: { ...sealedCard(VISA).card!, brand: 'AURA' } })
  for (const request of [order(1), order(1, { cards: [card] })]) {
    await expect(authorize(orders, request)).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'PAYMENT_METHOD_NOT_ACCEPTED',
    })
  }
  await expect(authorize(orders, order(await newSeller(orders), { cards: [card] }))).rejects.toMatchObject({
    reason: 'CARD_BRAND_UNSUPPORTED',
  })
  const unusable = order(1, { cards: [{ ...card, usable: false }] })
  await expect(authorize(orders, unusable)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
})

test('a card deleted on the way is refused, and nothing is charged', async () => {
  const sellerId = await newSeller(orders)
  const request = order(sellerId, { cards: [sealedCard('deleted')] })
  await expect(authorize(orders, request)).rejects.toMatchObject({ reason: 'CARD_TOKEN_UNUSABLE' })
  const { rows } = await orders.pool.query('SELECT status FROM charges WHERE seller_id = $1', [sellerId])
  expect(rows).toEqual([{ status: 'FAILED' }])
})

test('a card fault is a decline, a call turned away sends nothing, any other refusal fails the charge', async () => {
  const sellerId = await newSeller(orders)
  orders.acquirer.fail('sale', { status: 400, body: [{ Code: 126, Message: 'Expiration' }] })
  expect(await authorize(orders, order(sellerId))).toMatchObject({
    status: ChargeStatus.DENIED,
    payments: [{ decline: { code: 'EXPIRED_CARD', acquirerCode: '126', advice: 'DECLINE_ADVICE_FIX_DATA' } }],
  })
  orders.acquirer.fail('sale', { status: 401, body: '' })
  await expect(authorize(orders, order(sellerId))).rejects.toMatchObject({ kind: 'unavailable' })
  orders.acquirer.fail('sale', { status: 400, body: [{ Code: 114 }] })
  expect(await authorize(orders, order(sellerId))).toMatchObject({ status: ChargeStatus.FAILED })
})
