import { card, order, payment } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const LENIENT = { prefer: 'respond-async, Handling=lenient' }

test.each([
  ['a capture', '/api/v2/charges/1/capture', { ammount: 6_000 }, '#/ammount', '; did you mean amount?'],
  ['a refund', '/api/v2/charges/1/refund', { value: 100 }, '#/value', ''],
  ['a void of another case', '/api/v2/charges/1/refund', { Amount: 1 }, '#/Amount', '; did you mean amount?'],
  [
    'a payment of an order',
    AUTHORIZE,
    order({ payments: [{ ...payment(), instalments: 3 }] }),
    '#/payments/0/instalments',
    '; did you mean installments?',
  ],
  [
    'a card',
    '/api/v2/cards/tokens',
    { ...card, holder: { ...card.holder, nome: 'x' } },
    '#/holder/nome',
    '; did you mean name?',
  ],
])('a typo in %s is refused before anything is done, with the name that is meant', async (...row) => {
  const [, path, body, pointer, question] = row
  const asked = gateway.orders.asked.authorize.length
  expect(await gateway.call('POST', path, { body })).toMatchObject({
    status: 400,
    body: {
      code: 'UNKNOWN_FIELD',
      errors: [{ pointer, code: 'UNKNOWN_FIELD', detail: `is not known here${question}` }],
    },
  })
  expect(gateway.orders.asked.authorize).toHaveLength(asked)
})

test('beside another fault it is one of several', async () => {
  const { status, body } = await gateway.call('POST', AUTHORIZE, {
    body: order({ amount: -1, colour: 'blue' }),
  })
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual(expect.arrayContaining(['#/amount', '#/colour']))
})

test('a caller that prefers lenient handling has unknown members ignored, and is told so', async () => {
  const body = order({ color: 'blue' })
  const { status, headers } = await gateway.call('POST', AUTHORIZE, { body, headers: LENIENT })
  expect([status, headers.get('preference-applied')]).toEqual([201, 'handling=lenient'])
  const strict = await gateway.call('POST', AUTHORIZE, { body: order() })
  expect([strict.status, strict.headers.get('preference-applied')]).toEqual([201, null])
})

test('in metadata every key is the seller’s own', async () => {
  const body = order({ metadata: { ammount: 1, anything: 'x' } })
  expect(await gateway.call('POST', AUTHORIZE, { body })).toMatchObject({ status: 201 })
})

test.each([
  ['/api/v2/charges?limit=3', '#/limit'],
  ['/api/v2/charges?stauts=DENIED', '#/stauts'],
  ['/api/v2/charges/1?expand=payments', '#/expand'],
])('%s: a parameter that is not known is refused, also by lenient handling', async (path, pointer) => {
  for (const headers of [{}, LENIENT]) {
    expect(await gateway.call('GET', path, { headers })).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_FIELD', errors: [{ pointer, code: 'UNKNOWN_FIELD' }] },
    })
  }
})

test('a name that may be a value in disguise is not shown again', async () => {
  for (const name of ['4111111111111111', 'x'.repeat(200), 'a b/c?d', '__proto__']) {
    const raw = `{${JSON.stringify(name)}: 1}`
    const { status, text } = await gateway.call('POST', '/api/v2/charges/1/capture', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(400)
    if (name !== '__proto__') expect(text).not.toContain(name)
  }
})
