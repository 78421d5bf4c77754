import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paymentsOf, put, query, saleBody, sell } from './sales'
import { type Json, MERCHANT, startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

test.each(['0', '1', '4'])('a card ending in %s is approved', async (digit) => {
  const { status, body } = await sell(sandbox, { cardNumber: `411111111111111${digit}` })
  expect(status).toBe(201)
  expect(body.Payment).toMatchObject({ Status: 1, ReturnCode: '4', Amount: 10_000 })
  expect(body.Payment.Links.map((link: Json) => link.Rel)).toEqual(['self', 'capture', 'void'])
})

test('a sale with Capture is captured at once', async () => {
  const { body } = await sell(sandbox, { capture: true })
  expect(body.Payment).toMatchObject({ Status: 2, ReturnCode: '6', CapturedAmount: 10_000 })
})

test.each([
  ['2', '05'],
  ['3', '57'],
  ['5', '78'],
  ['6', '99'],
  ['7', '77'],
  ['8', '70'],
])('a card ending in %s is declined with %s, answered 201', async (digit, returnCode) => {
  const { status, body } = await sell(sandbox, { cardNumber: `411111111111111${digit}`, capture: true })
  expect(status).toBe(201)
  expect(body.Payment).toMatchObject({ Status: 3, ReturnCode: returnCode })
  expect(body.Payment.AuthorizationCode).toBeUndefined()
  expect(body.Payment.CapturedAmount).toBeUndefined()
})

test('a card ending in 9 is approved and its answer is lost: a query by order finds one payment', async () => {
  await expect(sell(sandbox, { cardNumber: '4111111111111129', orderId: 'Lost9' })).rejects.toThrow()
  const found = await query(sandbox, 'sales?merchantOrderId=Lost9')
  expect(found.body.Payment).toHaveLength(1)
  const { body } = await query(sandbox, `sales/${found.body.Payment[0].PaymentId}`)
  expect(body).toMatchObject({ MerchantOrderId: 'Lost9', Payment: { Status: 1, Amount: 10_000 } })
})

test('two sales with the same RequestId and order number make two payments, and RequestId is echoed', async () => {
  const headers = { RequestId: 'b9d2b7f4-0d26-4f8e-8f2b-0a3a1df0a001' }
  const first = await sell(sandbox, { orderId: 'Twice' }, headers)
  const second = await sell(sandbox, { orderId: 'Twice' }, headers)
  expect(first.headers['requestid']).toBe(headers.RequestId)
  const payments = await paymentsOf(sandbox, 'Twice')
  const ids = [second, first].map(({ body }) => body.Payment.PaymentId)
  expect(payments.map(({ paymentId }) => paymentId)).toEqual(ids)
})

test('a trailing slash, keys in any case, and booleans and numbers as text are accepted', async () => {
  const text = JSON.stringify(saleBody({ orderId: 'Mixed', capture: true }))
    .replace('"Capture":true', '"capture":"true"')
    .replace('"Amount":10000', '"amount":"10000"')
    .replace('"CreditCard":{', '"Creditcard":{')
    .replace('"Brand":"Visa"', '"BRAND":"VISA"')
  const headers = { ...MERCHANT, 'Content-Type': 'application/json' }
  const { status, body } = await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales/`, {
    body: text,
    headers,
  })
  expect(status).toBe(201)
  expect(body.Payment).toMatchObject({ Status: 2, Amount: 10_000, CreditCard: { Brand: 'Visa' } })
})

const withoutCard = { ...saleBody().Payment, CreditCard: undefined }
const card = saleBody().Payment.CreditCard
const withCard = (change: object) => ({
  ...saleBody(),
  Payment: { ...saleBody().Payment, CreditCard: { ...card, ...change } },
})
const withAddress = (address: object) => ({
  ...saleBody(),
  Customer: { ...saleBody().Customer, Address: address },
})
test.each([
  ['nothing', undefined, [184]],
  ['no JSON', '{"CardNumber":4111', [184]],
  ['no order number', { ...saleBody(), MerchantOrderId: undefined }, [122]],
  ['an order number with a dash', { ...saleBody(), MerchantOrderId: 'A-1' }, [107]],
  ['no customer and no payment', { MerchantOrderId: 'A1' }, [121, 119]],
  ['amount zero', saleBody({ amount: 0 }), [108]],
  ['part of a cent', saleBody({ amount: 10.5 }), [108]],
  ['no card', { ...saleBody(), Payment: withoutCard }, [124]],
  ['a number with letters', withCard({ CardNumber: '4111x1111111111' }), [177]],
  ['a number of 20 digits', withCard({ CardNumber: '4'.repeat(20) }), [128]],
  ['an accent in the name', withCard({ Holder: 'JOSÉ' }), [214]],
  ['month 13', withCard({ ExpirationDate: '13/2049' }), [126]],
  ['an unknown brand', withCard({ Brand: 'Other' }), [185]],
  ['a complement of 51 characters', withAddress({ Complement: 'x'.repeat(51) }), [149]],
  [
    'a state of 3 letters and a long number',
    withAddress({ State: 'SPO', Number: '1'.repeat(16) }),
    [148, 152],
  ],
])('%s is answered with 400 and its codes, and makes no payment', async (_name, body, codes) => {
  const before = (await sandbox.control('GET', '/acquirer/payments')).body.length
  const answer = await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, { body, headers: MERCHANT })
  expect(answer.status).toBe(400)
  expect(answer.body.map((error: Json) => error.Code)).toEqual(codes)
  expect(answer.body[0].Message).toEqual(expect.any(String))
  expect((await sandbox.control('GET', '/acquirer/payments')).body).toHaveLength(before)
})

test('the address of a customer is kept and shown, with its complement', async () => {
  const address = { Street: 'Rua A', Number: '1', Complement: 'ap 2', ZipCode: '01310100', City: 'Recife' }
  const whole = { ...address, State: 'PE', Country: 'BRA' }
  const sold = await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, {
    body: withAddress(whole),
    headers: MERCHANT,
  })
  expect(sold.body.Customer.Address).toEqual(whole)
  const { body } = await query(sandbox, `sales/${sold.body.Payment.PaymentId}`)
  expect(body.Customer.Address).toEqual(whole)
})

test('the next sales are declined with a production code; only Mastercard gets the advice code', async () => {
  const next = { returnCode: '51', merchantAdviceCode: '24', times: 2 }
  expect((await sandbox.control('POST', '/acquirer/next', next)).status).toBe(201)
  const visa = await sell(sandbox)
  const mastercard = await sell(sandbox, { cardNumber: '5555555555554444', brand: 'Master' })
  const third = await sell(sandbox)
  expect(visa.body.Payment).toMatchObject({ Status: 3, ReturnCode: '51' })
  expect(visa.body.Payment.MerchantAdviceCode).toBeUndefined()
  expect(mastercard.body.Payment).toMatchObject({ Status: 3, ReturnCode: '51', MerchantAdviceCode: '24' })
  expect(third.body.Payment.Status).toBe(1)
})

test('a decline for one card waits for it, and other cards are approved', async () => {
  const next = { returnCode: '61', cardLastFour: '4444' }
  const { body } = await sandbox.control('POST', '/acquirer/next', next)
  expect(body).toEqual({ ...next, merchantAdviceCode: null, times: 1, isReplaced: false })
  await sandbox.control('POST', '/acquirer/next', { returnCode: '54', cardLastFour: '9999' })
  const other = await sell(sandbox)
  const named = { cardNumber: '5555555555554444', brand: 'Master' }
  const declined = await sell(sandbox, named)
  const after = await sell(sandbox, named)
  expect([other, declined, after].map((sale) => sale.body.Payment.Status)).toEqual([1, 3, 1])
  expect(declined.body.Payment.ReturnCode).toBe('61')
  await sandbox.control('DELETE', '/acquirer/next')
})

test('answers and files hold only the first six and last four digits of a card number', async () => {
  const cardNumber = '4929112233445561'
  const { body } = await sell(sandbox, { cardNumber, orderId: 'Masked' })
  await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, {
    body: `{"CardNumber":"${cardNumber}"`,
    headers: MERCHANT,
  })
  expect(body.Payment.CreditCard).toMatchObject({ CardNumber: '492911******5561', Brand: 'Visa' })
  expect(body.Payment.CreditCard.SecurityCode).toBeUndefined()
  expect(await paymentsOf(sandbox, 'Masked')).toMatchObject([{ cardLastFour: '5561' }])
  for (const file of readdirSync(sandbox.config.dataDir)) {
    expect(readFileSync(join(sandbox.config.dataDir, file), 'utf8')).not.toContain(cardNumber)
  }
})

test('Zero Auth answers by the last digit, for three brands, and makes no payment', async () => {
  const before = (await sandbox.control('GET', '/acquirer/payments')).body.length
  const check = (change: object) => {
    const body = { CardType: 'CreditCard', ...card, SaveCard: false, ...change }
    return sandbox.call('POST', `${sandbox.acquirerUrl}/1/zeroauth/`, { body, headers: MERCHANT })
  }
  expect((await check({})).body).toMatchObject({ Valid: true, ReturnCode: '00' })
  expect((await check({ CardNumber: '4111111111111103' })).body).toMatchObject({
    Valid: false,
    ReturnCode: '57',
  })
  const amex = await check({ CardNumber: '378282246310005', Brand: 'Amex' })
  expect([amex.status, amex.body]).toEqual([400, { Code: 57, Message: 'Bandeira inválida' }])
  await expect(check({ CardNumber: '4111111111111129' })).rejects.toThrow()
  expect((await sandbox.control('GET', '/acquirer/payments')).body).toHaveLength(before)
})

test('a BIN is described digit by digit', async () => {
  expect((await query(sandbox, 'cardBin/551021')).body).toEqual({
    Status: '01',
    Provider: 'MASTERCARD',
    CardType: 'Crédito',
    ForeignCard: false,
    CorporateCard: false,
    Issuer: 'Caixa',
    IssuerCode: '104',
    Prepaid: false,
  })
  expect((await query(sandbox, 'cardBin/41')).status).toBe(400)
})

test('the two hosts are not interchangeable', async () => {
  const { PaymentId } = (await sell(sandbox)).body.Payment
  const onSales = await sandbox.call('GET', `${sandbox.acquirerUrl}/1/sales/${PaymentId}`, {
    headers: MERCHANT,
  })
  expect(onSales.status).toBe(404)
  const onQueries = await sandbox.call('POST', `${sandbox.acquirerQueryUrl}/1/sales`, {
    body: saleBody(),
    headers: MERCHANT,
  })
  expect([onQueries.status, onQueries.headers['allow']]).toEqual([405, 'GET'])
  expect((await put(sandbox, `${PaymentId}/settle`)).status).toBe(404)
})
