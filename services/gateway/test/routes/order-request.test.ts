import { authorizeRequestSchema, directChargeRequestSchema } from '../../src/routes/order-request'

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
