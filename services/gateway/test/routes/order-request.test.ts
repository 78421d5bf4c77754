import { authorizeRequestSchema, directChargeRequestSchema } from '../../src/api/order-request'

const customer = { name: 'Ana Souza', document: '123.456.789-09' }
const cardToken = { token: 'a'.repeat(64) }
const payment = { paymentMethod: 'CREDIT_CARD', amount: 100, installments: 1, cardToken }
const rulesBroken = (
  schema: typeof authorizeRequestSchema | typeof directChargeRequestSchema,
  body: unknown,
) =>
  (schema.safeParse(body).error?.issues ?? []).map((issue) => [
    issue.path.join('/'),
    issue.code === 'custom' ? issue.params?.code : issue.code,
  ])

test('an order gets its defaults, and documents without masks', () => {
  const order = { amount: 100, customer, payments: [{ amount: 100, cardToken }] }
  expect(authorizeRequestSchema.parse(order)).toMatchObject({
    customer: { document: '12345678909' },
    payments: [{ paymentMethod: 'CREDIT_CARD', installments: 1 }],
  })
})

test('payments must add up to the amount', () => {
  expect(
    rulesBroken(authorizeRequestSchema, { amount: 300, customer, payments: [payment, payment] }),
  ).toEqual([['amount', 'SUM']])
})

test('broken rules between fields are reported together with the faults of single fields', () => {
  const body = {
    amount: 150,
    customer: { name: 'Ana', document: '1' },
    payments: [{ ...payment, networkToken: { token: 'b'.repeat(64) } }],
  }
  expect(rulesBroken(authorizeRequestSchema, body)).toEqual([
    ['customer/document', 'FORMAT'],
    ['payments/0', 'EXACTLY_ONE'],
    ['amount', 'SUM'],
  ])
})

test.each([{}, { card: {}, cardToken }, { networkToken: cardToken, cardToken }])(
  'a direct charge of %j breaks the exactly-one rule',
  (sources) => {
    const body = { amount: 1, installments: 1, customer, ...sources }
    expect(rulesBroken(directChargeRequestSchema, body)).toContainEqual(['', 'EXACTLY_ONE'])
  },
)

test('a direct charge needs 1 to 12 instalments', () => {
  expect(rulesBroken(directChargeRequestSchema, { amount: 1, customer, cardToken })).toEqual([
    ['installments', 'invalid_type'],
  ])
  expect(
    rulesBroken(directChargeRequestSchema, { amount: 1, installments: 13, customer, cardToken }),
  ).toEqual([['installments', 'too_big']])
})

const proof = { version: '2.2.0', referenceId: 'd5c1e0a4-6f1f-4f0e-8f6c-0b7e2f2f6c11' }
const dataOnly = (change: object) => ({
  amount: 1,
  installments: 1,
  customer,
  cardToken,
  dataOnly: { ...proof, ...change },
})

test.each([
  ['4', '04'],
  ['04', '04'],
  ['7', '07'],
  ['00', '00'],
])('data only takes the ECI %s as %s', (eci, kept) => {
  expect(directChargeRequestSchema.parse(dataOnly({ eci }))).toMatchObject({ dataOnly: { eci: kept } })
})

test.each([
  [{ eci: '99' }, 'eci'],
  [{ eci: '8' }, 'eci'],
  [{ eci: '004' }, 'eci'],
  [{ eci: '' }, 'eci'],
  [{ eci: '04', version: '2' }, 'version'],
  [{ eci: '04', version: '1.0.2' }, 'version'],
])('data only refuses %j', (change, member) => {
  expect(rulesBroken(directChargeRequestSchema, dataOnly(change))).toEqual([
    [`dataOnly/${member}`, 'invalid_format'],
  ])
})

test.each([
  ['sp', 'SP'],
  ['DF', 'DF'],
  ['To', 'TO'],
])('the state %s is kept as %s', (state, kept) => {
  const body = { amount: 1, installments: 1, customer: { ...customer, address: { state } }, cardToken }
  expect(directChargeRequestSchema.parse(body)).toMatchObject({ customer: { address: { state: kept } } })
})

test.each(['XX', 'UK', 'S', 'SPO', '', 'S\u0050\u0301'])('the state %j is not one of the 27', (state) => {
  const body = { amount: 1, installments: 1, customer: { ...customer, address: { state } }, cardToken }
  expect(rulesBroken(directChargeRequestSchema, body)).toEqual([['customer/address/state', 'FORMAT']])
})
