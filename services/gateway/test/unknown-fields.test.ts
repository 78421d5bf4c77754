import { mergeFaults } from '../src/http/faults'
import { isCountry, synonymOf } from '../src/http/body/synonyms'
import { billedCustomer, card, directCharge, order, payment } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const CHARGE = '/api/v2/orders/credit-card/charge'
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
])('a typo in %s is refused before anything is done, with the nearest name', async (...row) => {
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

test.each([
  ['complement', 'did you mean lineTwo?'],
  ['complemento', 'did you mean lineTwo?'],
  ['address_line_2', 'did you mean lineTwo?'],
  ['number', 'did you mean streetNumber?'],
  ['numero', 'did you mean streetNumber?'],
  ['zip', 'did you mean zipCode?'],
  ['cep', 'did you mean zipCode?'],
  ['postalCode', 'did you mean zipCode?'],
  ['postal_code', 'did you mean zipCode?'],
  ['bairro', 'did you mean neighborhood?'],
  ['uf', 'did you mean state?'],
  ['country', 'leave it out, because every address is in Brazil'],
  ['countryCode', 'leave it out, because every address is in Brazil'],
])('the member %s of an address is refused with a hint', async (member, hint) => {
  const body = order({ customer: { ...billedCustomer, address: { [member]: 'x' } } })
  const pointer = `#/customer/address/${member}`
  for (const [path, sent, at] of [
    [AUTHORIZE, body, pointer],
    ['/api/v2/customers', body.customer, pointer.replace('/customer', '')],
  ] as const) {
    const answer = await gateway.call('POST', path, { body: sent })
    expect([answer.status, answer.body.errors[0]]).toMatchObject([
      400,
      { pointer: at, code: 'UNKNOWN_FIELD', detail: expect.stringContaining(hint) },
    ])
  }
})

test('a synonym is a hint only where the member that it means is known', () => {
  expect(synonymOf('cep', ['zipCode'])).toBe('zipCode')
  expect(synonymOf('cep', ['amount'])).toBeUndefined()
  expect(synonymOf('constructor', ['zipCode'])).toBeUndefined()
  expect([isCountry('pais', ['zipCode']), isCountry('country', ['amount'])]).toEqual([true, false])
})

test('an unknown member beside another fault is one of several faults', async () => {
  const { status, body } = await gateway.call('POST', AUTHORIZE, {
    body: order({ amount: -1, colour: 'blue' }),
  })
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual(expect.arrayContaining(['#/amount', '#/colour']))
})

test('a caller that prefers lenient handling has unknown members ignored, and the answer says so', async () => {
  const body = order({ color: 'blue' })
  const { status, headers } = await gateway.call('POST', AUTHORIZE, { body, headers: LENIENT })
  expect([status, headers.get('preference-applied')]).toEqual([201, 'handling=lenient'])
  const strict = await gateway.call('POST', AUTHORIZE, { body: order() })
  expect([strict.status, strict.headers.get('preference-applied')]).toEqual([201, null])
})

test('metadata accepts any key of the seller', async () => {
  const body = order({ metadata: { ammount: 1, anything: 'x' } })
  expect(await gateway.call('POST', AUTHORIZE, { body })).toMatchObject({ status: 201 })
})

test.each([
  ['/api/v2/charges?limit=3', '#/limit'],
  ['/api/v2/charges?stauts=DENIED', '#/stauts'],
  ['/api/v2/charges/1?expand=payments', '#/expand'],
])('%s: an unknown parameter is refused, even with lenient handling', async (path, pointer) => {
  for (const headers of [{}, LENIENT]) {
    expect(await gateway.call('GET', path, { headers })).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_FIELD', errors: [{ pointer, code: 'UNKNOWN_FIELD' }] },
    })
  }
})

test('a name that may be a value in disguise is not repeated', async () => {
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

test('a misspelt card number comes first, with the nearest name, and its CVV is no fault', () => {
  const misplaced = { code: 'CARD_DATA_MISPLACED', detail: 'must not contain card data' }
  const typo = {
    pointer: '#/card/number',
    code: 'UNKNOWN_FIELD',
    detail: 'is not known here; did you mean cardNumber?',
  }
  const missing = { pointer: '#/card/cardNumber', code: 'REQUIRED', detail: 'is required' }
  const other = { pointer: '#/orderReference', ...misplaced }
  const ofCards = [{ pointer: '#/card/cvv', ...misplaced }, { pointer: '#/card/number', ...misplaced }, other]
  expect(mergeFaults(ofCards, [missing, typo])).toEqual([typo, other, missing])
})

test.each([
  ['in the open', card],
  ['encrypted', { encryptedCard: 'e.n.c' }],
])('a card %s beside the member card gets the advice to put it there', async (_how, fields) => {
  const { amount, installments, customer } = directCharge()
  const body = { amount, installments, customer, ...fields }
  const answer = await gateway.call('POST', CHARGE, { body })
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [
      { pointer: '#', code: 'EXACTLY_ONE', detail: expect.any(String) },
      {
        pointer: '#',
        code: 'UNKNOWN_FIELD',
        detail: 'holds a card outside the member card: send card.encryptedCard, or card.cardNumber',
      },
    ],
  ])
})

test('an unknown member of an encrypted card is refused, and ignored with lenient handling', async () => {
  const pointer = '#/card/encryptedCard/cvvv'
  gateway.vault.time.faults = [
    { pointer, code: 'UNKNOWN_FIELD', detail: 'is not known in encrypted card data' },
  ]
  const body = directCharge({ cardToken: undefined, card: { encryptedCard: 'e.n.c' } })
  const strict = await gateway.call('POST', CHARGE, { body })
  const lenient = await gateway.call('POST', CHARGE, { body, headers: LENIENT })
  gateway.vault.time.faults = []
  expect(strict).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD', errors: [{ pointer }] } })
  expect(lenient).toMatchObject({ status: 201 })
})

test.each([
  [
    '/api/v2/charges?createdFrom=1795455762',
    '#/createdFrom',
    'must be in epoch milliseconds, from the year 2000 on',
  ],
  ['/api/v2/charges?size=1&size=2', '#/size', 'must be given once'],
  [
    '/api/v2/charges?status[]=DENIED',
    '#/status',
    'has no brackets: repeat status, or separate its values by commas',
  ],
  [
    '/api/v2/webhooks/deliveries?type=charge.captred',
    '#/type/0',
    expect.stringContaining('did you mean charge.captured?'),
  ],
])('%s gets a fault that names the correct form', async (path, pointer, detail) => {
  const { status, body } = await gateway.call('GET', path)
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, detail })]])
})

test.each([
  ['/api/v2/webhooks/endpoints/3/recover', { since: 1_795_455_762 }, '#/since', 'from the year 2000 on'],
  [
    '/api/v2/webhooks/endpoints',
    { url: 'https://shop.example.com/hooks', events: ['charge.captred'] },
    '#/events/0',
    'did you mean charge.captured?',
  ],
])('a fault in the body of %s names the correct form', async (path, body, pointer, detail) => {
  const answer = await gateway.call('POST', path, { body })
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [expect.objectContaining({ pointer, detail: expect.stringContaining(detail) })],
  ])
})

test('a due date written as a date gets a fault with the accepted form', async () => {
  const body = {
    customerId: 1,
    dueDate: '2026-12-24',
    items: [{ productId: 1, quantity: 1, unitPriceInCents: 1 }],
  }
  const answer = await gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/invoices`, { body })
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [
      expect.objectContaining({
        pointer: '#/dueDate',
        detail: expect.stringMatching(/^must be epoch milli/),
      }),
    ],
  ])
})
