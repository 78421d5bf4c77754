import { put, query, saleBody, sell } from './sales'
import { MERCHANT, startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

test.each([
  ['no MerchantId', { MerchantKey: MERCHANT.MerchantKey }, 401, 101],
  ['a MerchantId that is not a GUID', { ...MERCHANT, MerchantId: 'shop' }, 400, 114],
  ['no MerchantKey', { MerchantId: MERCHANT.MerchantId }, 401, 131],
  ['a MerchantKey of 39 characters', { ...MERCHANT, MerchantKey: 'K'.repeat(39) }, 401, 132],
])('%s is refused on both hosts', async (_name, headers, status, code) => {
  const payments = async () => (await sandbox.control('GET', '/acquirer/payments')).body
  const before = await payments()
  const sale = await sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, { body: saleBody(), headers })
  const list = await sandbox.call('GET', `${sandbox.acquirerQueryUrl}/1/sales?merchantOrderId=A1`, {
    headers,
  })
  for (const answer of [sale, list]) {
    expect([answer.status, answer.body[0].Code]).toEqual([status, code])
  }
  expect(await payments()).toEqual(before)
})

test('the key of an id’s first call is its key, even after a restart', async () => {
  const merchant = { MerchantId: '00000000-0000-4000-8000-000000000001', MerchantKey: 'A'.repeat(40) }
  const other = { ...merchant, MerchantKey: 'B'.repeat(40) }
  expect((await sell(sandbox, {}, merchant)).status).toBe(201)
  expect((await sell(sandbox, {}, other)).body).toEqual([{ Code: 132, Message: 'MerchantKey is invalid' }])
  sandbox = await sandbox.restart()
  expect((await sell(sandbox, {}, other)).status).toBe(401)
  expect(
    (await sell(sandbox, {}, { ...merchant, MerchantId: merchant.MerchantId.toUpperCase() })).status,
  ).toBe(201)
})

test("another seller's payment is 404 for queries, captures and voids", async () => {
  const { PaymentId } = (await sell(sandbox, { orderId: 'Mine' })).body.Payment
  const other = { MerchantId: '00000000-0000-4000-8000-000000000002', MerchantKey: 'C'.repeat(40) }
  const answers = await Promise.all([
    query(sandbox, `sales/${PaymentId}`, other),
    query(sandbox, 'sales?merchantOrderId=Mine', other),
    put(sandbox, `${PaymentId}/capture`, other),
    put(sandbox, `${PaymentId}/void`, other),
    put(sandbox, 'OrderId/Mine/void', other),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect((await query(sandbox, `sales/${PaymentId}`)).body.Payment.Status).toBe(1)
})
