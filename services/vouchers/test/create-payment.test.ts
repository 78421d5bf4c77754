import { callRpc } from '@cofre/platform/grpc/client'
import { VoucherCardType, VoucherFlow, VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { NO_ACCOUNT } from '@cofre/testing/stand-ins/accounts'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf } from './support/resolving'
import { CARDS, DECLINED, get, newToken, pay, paymentWith, sealedCard, type Brand } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '57')
})
afterAll(() => vouchers.stop())

const { PAID, DENIED } = VoucherPaymentStatus
const { CARD_NUMBER, REDIRECT } = VoucherFlow
const count = async (sellerId: number) => {
  const { rows } = await vouchers.pool.query('SELECT status FROM payments WHERE seller_id = $1 ORDER BY id', [
    sellerId,
  ])
  return rows.map(({ status }) => status)
}

test('a payment with an ALELO card reaches its issuer in its own words, and sends its event', async () => {
  const sellerId = newSeller(vouchers)
  const token = await newToken(vouchers, sellerId)
  const payment = await pay(vouchers, paymentWith(token))
  expect(payment).toEqual({
    id: expect.any(Number),
    sellerId,
    referenceId: 'R-1',
    status: PAID,
    amount: 3_500,
    installments: 1,
    cardType: VoucherCardType.MEAL,
    cardBrand: 'ALELO',
    token: token.token,
    lastFour: '3333',
    authorizationCode: '418802',
    decline: undefined,
    cancellationPending: false,
    cancelFailedAt: undefined,
    canceledByIssuer: false,
    pendingOperation: '',
    orderNumber: expect.stringMatching(/^[A-Z2-9]{20}$/),
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  })
  expect(vouchers.issuer.paymentOf(payment).asked).toEqual({
    orderId: payment.orderNumber,
    amount: 3_500,
    product: 'REFEICAO',
    customerDocument: '12345678909',
    card: { number: CARDS.ALELO, holder: 'ANA SOUZA', expiration: '12/2049' },
  })
  expect(await get(vouchers, payment)).toEqual(payment)
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.paid'])
})

test('a payment with a VR card reaches its issuer in its own words, in reais', async () => {
  const token = await newToken(vouchers, newSeller(vouchers), 'VR')
  const payment = await pay(vouchers, paymentWith(token, { amount: 7 }))
  expect(payment).toMatchObject({ status: PAID, cardBrand: 'VR', authorizationCode: '77120' })
  expect(vouchers.issuer.paymentOf(payment).asked).toEqual({
    valor: '0.07',
    produto: 'VR_REFEICAO',
    documento: '12345678909',
    cartao: { numero: CARDS.VR, nome: 'ANA SOUZA', validade: '204912' },
  })
})

test('every call of an operation carries its id and the account of the seller', async () => {
  const payment = await pay(vouchers, paymentWith(await newToken(vouchers, newSeller(vouchers))))
  const { requestid, merchantid } = vouchers.issuer.headers.at(-1) ?? {}
  expect(requestid).toMatch(/^[0-9a-f-]{36}$/)
  expect([merchantid, payment.status]).toEqual(['4711', PAID])
})

test('a CVV that was given for one payment reaches the issuer and no table', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  // A real CVV has no letters: these can't stand in an id by chance.
  const card = sealedCard(`${token.token}/C-V-V`, { card: undefined })
  const payment = await pay(vouchers, paymentWith(token, { card }))
  expect(vouchers.issuer.paymentOf(payment).asked).toMatchObject({ card: { securityCode: 'C-V-V' } })
  const { rows } = await vouchers.pool.query('SELECT row_to_json(p) AS row FROM payments p WHERE id = $1', [
    payment.id,
  ])
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`C-V-V|${CARDS.ALELO}`))
})

test.each([
  ['ALELO', '57'],
  ['VR', '119'],
] as const)('a decline of %s is an answer with its reason', async (brand, code) => {
  vouchers.issuer.declines.set('0002', code)
  const token = await newToken(vouchers, newSeller(vouchers), brand, DECLINED[brand])
  const payment = await pay(vouchers, paymentWith(token))
  expect(payment).toMatchObject({
    status: DENIED,
    authorizationCode: '',
    decline: {
      code: 'TRANSACTION_NOT_ALLOWED',
      issuerCode: code,
      retryable: false,
      advice: 'USE_ANOTHER_CARD',
    },
  })
  expect(await eventsOf(vouchers, payment.id)).toEqual(['voucher_payment.denied'])
})

test.each([
  ['#/amount', { amount: 0 }],
  ['#/amount', { amount: 100_000_000_000 }],
  ['#/installments', { installments: 13 }],
  ['#/installments', { installments: -1 }],
  ['#/card/cardType', { cardType: VoucherCardType.UNSPECIFIED }],
  ['#/card/token', { token: 'A'.repeat(64) }],
  ['#/customer/document', { customer: undefined }],
  ['#/referenceId', { referenceId: 'x'.repeat(256) }],
])('a request that is not well formed is refused with a pointer: %s, %#', async (pointer, changes) => {
  const sellerId = newSeller(vouchers)
  const refused = pay(vouchers, paymentWith(await newToken(vouchers, sellerId), changes))
  await expect(refused).rejects.toMatchObject({
    kind: 'invalid_argument',
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer }] },
  })
  expect(await count(sellerId)).toEqual([])
})

test.each([
  ['INSTALLMENTS_NOT_ALLOWED', '#/installments', { installments: 2 }],
  ['VOUCHER_BRAND_UNSUPPORTED', '#/card/cardBrand', { cardBrand: 'CAJU' }],
  ['VOUCHER_CARD_MISMATCH', '#/card/cardBrand', { cardBrand: 'VR' }],
  ['VOUCHER_CARD_MISMATCH', '#/card/cardType', { cardType: VoucherCardType.FOOD }],
  ['CARD_TOKEN_UNUSABLE', '#/card/token', { token: 'f'.repeat(64) }],
  ['CARD_TOKEN_UNUSABLE', '#/card/token', { card: sealedCard('', { usable: false }) }],
])(
  'a request that the settings or stored data forbid is refused, and leaves nothing: %s at %s, %#',
  async (reason, pointer, changes) => {
    const sellerId = newSeller(vouchers)
    const calls = vouchers.issuer.calls.length
    const refused = pay(vouchers, paymentWith(await newToken(vouchers, sellerId), changes))
    await expect(refused).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason,
      extra: { errors: [{ pointer }] },
    })
    expect(await count(sellerId)).toEqual([])
    expect(vouchers.issuer.calls).toHaveLength(calls)
  },
)

test('a brand that is only announced is refused with its date', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  await expect(pay(vouchers, paymentWith(token, { cardBrand: 'PLUXEE' }))).rejects.toMatchObject({
    reason: 'VOUCHER_BRAND_UNSUPPORTED',
    extra: { members: { availableFrom: '2027-03-01' } },
  })
})

test('a seller without an account at the issuer is refused', async () => {
  const sellerId = newSeller(vouchers)
  const token = await newToken(vouchers, sellerId)
  const other = { ...token, sellerId: sellerId + 1 }
  await expect(pay(vouchers, paymentWith(other))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'VOUCHER_BRAND_UNSUPPORTED',
  })
})

test('another seller’s token can not be used, and another seller’s payment is not found', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  const sellerId = newSeller(vouchers)
  await expect(pay(vouchers, paymentWith({ ...token, sellerId }))).rejects.toMatchObject({
    reason: 'CARD_TOKEN_UNUSABLE',
  })
  const payment = await pay(vouchers, paymentWith(token))
  await expect(get(vouchers, { ...payment, sellerId })).rejects.toMatchObject({ kind: 'not_found' })
})

test('a payment is refused when the vault has no credentials for the account', async () => {
  const sellerId = newSeller(vouchers)
  const token = await newToken(vouchers, sellerId)
  vouchers.accounts.enabled.set(sellerId, NO_ACCOUNT)
  const replica = await vouchers.startReplica()
  await expect(pay(replica, paymentWith(token))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'VOUCHER_BRAND_UNSUPPORTED',
  })
  expect(await count(sellerId)).toEqual(['DENIED'])
})

test.each(['ALELO', 'VR'] as Brand[])(
  '%s: a payment whose body the issuer does not accept is denied at once',
  async (brand) => {
    const token = await newToken(vouchers, newSeller(vouchers), brand)
    const body = { error: 'INVALID_REQUEST', field: 'card.number', codigo: 'PEDIDO_INVALIDO' }
    vouchers.issuer.fail('pay', { status: 400, body })
    expect(await pay(vouchers, paymentWith(token))).toMatchObject({
      status: DENIED,
      decline: { code: 'NOT_PROCESSED', issuerCode: brand === 'VR' ? body.codigo : body.error },
    })
  },
)

test('a 404 from a proxy means that nothing was paid either', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  vouchers.issuer.fail('pay', { status: 404, body: '<h1>Not Found</h1>' })
  expect(await pay(vouchers, paymentWith(token))).toMatchObject({
    status: DENIED,
    decline: { code: 'NOT_PROCESSED', issuerCode: '' },
  })
})

test('the brands are listed, announced ones with their date', async () => {
  const { client } = vouchers
  const { brands } = await callRpc(client, client.listBrands, {})
  const types = [VoucherCardType.MEAL, VoucherCardType.FOOD]
  expect(brands).toEqual([
    { brand: 'ALELO', flow: CARD_NUMBER, cardTypes: types, cancels: true, availableFrom: '' },
    { brand: 'VR', flow: CARD_NUMBER, cardTypes: types, cancels: true, availableFrom: '' },
    { brand: 'PLUXEE', flow: CARD_NUMBER, cardTypes: types, cancels: false, availableFrom: '2027-03-01' },
    { brand: 'TICKET', flow: REDIRECT, cardTypes: types, cancels: true, availableFrom: '' },
  ])
})
