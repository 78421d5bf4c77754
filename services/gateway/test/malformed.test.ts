import { problemSchema } from '@cofre/api/problem'
import { card, cardToken, customer, directCharge, order, payment } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

// Stands in every request whose value is refused. No answer and no log line may ever contain it.
const MARK = 'CANARY4929000000000006'
const CARD_TOKENS = '/api/v2/cards/tokens'
const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const CHARGE = '/api/v2/orders/credit-card/charge'
const CAPTURE = '/api/v2/charges/1/capture'
const REFUND = '/api/v2/charges/1/refund'
const METADATA = '/api/v2/charges/1/metadata'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  await gateway.call('POST', AUTHORIZE, { body: order() })
})
afterAll(() => gateway.stop())

const ofCustomer = (over: Record<string, unknown>) => order({ customer: { ...customer, ...over } })
const ofAddress = (over: Record<string, unknown>) => ofCustomer({ address: over })
const ofPayment = (over: Record<string, unknown>) => order({ payments: [payment(over)] })
const without = (body: Record<string, unknown>, name: string) => ({ ...body, [name]: undefined })

/** Path, body, and the reported faults: pointer and code. */
const BAD_BODIES: [string, unknown, string[]][] = [
  [CARD_TOKENS, {}, ['#/cardNumber REQUIRED', '#/holder REQUIRED', '#/expiration REQUIRED']],
  [CARD_TOKENS, { ...card, cardNumber: MARK }, ['#/cardNumber LENGTH']],
  [CARD_TOKENS, { ...card, holder: MARK }, ['#/holder TYPE']],
  [CARD_TOKENS, { ...card, holder: { name: ' ' } }, ['#/holder/name LENGTH']],
  [CARD_TOKENS, { ...card, holder: { name: MARK.repeat(20) } }, ['#/holder/name LENGTH']],
  [
    CARD_TOKENS,
    { ...card, holder: { name: 'A', document: MARK.slice(0, 18) } },
    ['#/holder/document FORMAT'],
  ],
  [CARD_TOKENS, { ...card, expiration: { year: 31, month: 12 } }, ['#/expiration/year MIN']],
  [CARD_TOKENS, { ...card, expiration: { year: 2049, month: 13 } }, ['#/expiration/month MAX']],
  [CARD_TOKENS, { ...card, expiration: { year: 'soon', month: 1 } }, ['#/expiration/year TYPE']],
  [CARD_TOKENS, { ...card, expiration: MARK }, ['#/expiration TYPE']],
  [AUTHORIZE, {}, ['#/amount REQUIRED', '#/customer REQUIRED', '#/payments REQUIRED']],
  [AUTHORIZE, order({ amount: 10_001 }), ['#/amount SUM']],
  [AUTHORIZE, order({ amount: -1 }), ['#/amount MIN', '#/amount SUM']],
  [AUTHORIZE, order({ amount: 10.5 }), ['#/amount TYPE']],
  [AUTHORIZE, order({ amount: '10000' }), ['#/amount TYPE']],
  [AUTHORIZE, order({ amount: MARK }), ['#/amount TYPE']],
  [AUTHORIZE, order({ amount: null }), ['#/amount REQUIRED']],
  [AUTHORIZE, order({ amount: 1e300 }), ['#/amount MAX']],
  [
    AUTHORIZE,
    order({ amount: 100_000_000_000, payments: [payment({ amount: 1, installments: 1 })] }),
    ['#/amount MAX', '#/amount SUM'],
  ],
  [AUTHORIZE, order({ orderReference: '' }), ['#/orderReference LENGTH']],
  [AUTHORIZE, order({ orderReference: MARK.repeat(20) }), ['#/orderReference LENGTH']],
  [AUTHORIZE, order({ orderReference: 7 }), ['#/orderReference TYPE']],
  [AUTHORIZE, order({ orderReference: `${MARK}\0` }), ['#/orderReference FORMAT']],
  [AUTHORIZE, order({ orderReference: `${MARK}\uD800` }), ['#/orderReference FORMAT']],
  [AUTHORIZE, order({ customer: MARK }), ['#/customer TYPE']],
  [AUTHORIZE, order({ customer: [] }), ['#/customer TYPE']],
  [AUTHORIZE, ofCustomer({ name: undefined }), ['#/customer/name REQUIRED']],
  [AUTHORIZE, ofCustomer({ document: undefined }), ['#/customer/document REQUIRED']],
  [AUTHORIZE, ofCustomer({ document: '12345678900' }), ['#/customer/document FORMAT']],
  [AUTHORIZE, ofCustomer({ document: '11.222.333/0001-82' }), ['#/customer/document FORMAT']],
  [AUTHORIZE, ofCustomer({ document: MARK }), ['#/customer/document LENGTH']],
  [AUTHORIZE, ofCustomer({ email: MARK }), ['#/customer/email FORMAT']],
  [AUTHORIZE, ofCustomer({ birthdate: '1990-02-30' }), ['#/customer/birthdate FORMAT']],
  [AUTHORIZE, ofCustomer({ birthdate: '1990-2-3' }), ['#/customer/birthdate FORMAT']],
  [AUTHORIZE, ofCustomer({ birthdate: '2999-01-01' }), ['#/customer/birthdate MAX']],
  [AUTHORIZE, ofAddress({ state: 'São Paulo' }), ['#/customer/address/state FORMAT']],
  [AUTHORIZE, ofAddress({ zipCode: MARK }), ['#/customer/address/zipCode FORMAT']],
  [AUTHORIZE, ofAddress({ street: { a: MARK } }), ['#/customer/address/street TYPE']],
  [AUTHORIZE, order({ payments: [] }), ['#/payments LENGTH', '#/amount SUM']],
  [AUTHORIZE, order({ payments: {} }), ['#/payments TYPE']],
  [AUTHORIZE, order({ payments: [MARK] }), ['#/payments/0 TYPE']],
  [
    AUTHORIZE,
    order({
      amount: 11,
      payments: Array.from({ length: 11 }, () => payment({ amount: 1, installments: 1 })),
    }),
    ['#/payments LENGTH'],
  ],
  [AUTHORIZE, ofPayment({ paymentMethod: 'PIX' }), ['#/payments/0/paymentMethod ENUM']],
  [AUTHORIZE, ofPayment({ amount: undefined }), ['#/payments/0/amount REQUIRED']],
  [AUTHORIZE, ofPayment({ installments: 0 }), ['#/payments/0/installments MIN']],
  [AUTHORIZE, ofPayment({ installments: 13 }), ['#/payments/0/installments MAX']],
  [AUTHORIZE, ofPayment({ dueDate: '2030-01-01' }), ['#/payments/0/dueDate TYPE']],
  [AUTHORIZE, ofPayment({ paymentLimitDate: -1 }), ['#/payments/0/paymentLimitDate MIN']],
  [AUTHORIZE, ofPayment({ cardToken: undefined }), ['#/payments/0 EXACTLY_ONE']],
  [AUTHORIZE, ofPayment({ networkToken: { token: 'b'.repeat(64) } }), ['#/payments/0 EXACTLY_ONE']],
  [AUTHORIZE, ofPayment({ cardToken: { token: MARK } }), ['#/payments/0/cardToken/token FORMAT']],
  [AUTHORIZE, ofPayment({ cardToken: {} }), ['#/payments/0/cardToken/token REQUIRED']],
  [AUTHORIZE, ofPayment({ cardToken: MARK }), ['#/payments/0/cardToken TYPE']],
  [
    AUTHORIZE,
    ofPayment({ cardToken: undefined, networkToken: { token: MARK } }),
    ['#/payments/0/networkToken/token FORMAT'],
  ],
  [AUTHORIZE, order({ metadata: [MARK] }), ['#/metadata TYPE']],
  [AUTHORIZE, order({ metadata: { note: MARK.repeat(30) } }), ['#/metadata/note LENGTH']],
  [AUTHORIZE, order({ metadata: { [MARK]: true } }), ['#/metadata TYPE']],
  [CHARGE, without(directCharge(), 'installments'), ['#/installments REQUIRED']],
  [CHARGE, without(directCharge(), 'amount'), ['#/amount REQUIRED']],
  [CHARGE, without(directCharge(), 'cardToken'), ['# EXACTLY_ONE']],
  [CHARGE, directCharge({ card }), ['# EXACTLY_ONE']],
  [CHARGE, directCharge({ card, networkToken: { token: 'b'.repeat(64) } }), ['# EXACTLY_ONE']],
  [CHARGE, directCharge({ installments: 13 }), ['#/installments MAX']],
  [CHARGE, directCharge({ installments: 1.5 }), ['#/installments TYPE']],
  [CHARGE, directCharge({ affiliateId: -1 }), ['#/affiliateId MIN']],
  [CHARGE, directCharge({ externalReference: 0 }), ['#/externalReference MIN']],
  [CHARGE, directCharge({ externalReference: MARK }), ['#/externalReference TYPE']],
  [CHARGE, directCharge({ notificationUrl: MARK }), ['#/notificationUrl FORMAT']],
  [CHARGE, directCharge({ notificationUrl: `ftp://${MARK}.com` }), ['#/notificationUrl FORMAT']],
  [CHARGE, directCharge({ notificationUrl: `https://u:${MARK}@a.com` }), ['#/notificationUrl FORMAT']],
  [
    CHARGE,
    directCharge({ notificationUrl: `https://a.com/${MARK.repeat(100)}` }),
    ['#/notificationUrl LENGTH'],
  ],
  [CHARGE, directCharge({ notificationUrl: `https://127.0.0.1/${MARK}` }), ['#/notificationUrl NOT_PUBLIC']],
  [CHARGE, directCharge({ notificationUrl: 'http://[::ffff:a9fe:a9fe]/' }), ['#/notificationUrl NOT_PUBLIC']],
  [CHARGE, directCharge({ notificationUrl: 'http://localhost:9/' }), ['#/notificationUrl NOT_PUBLIC']],
  [CHARGE, directCharge({ notificationUrl: 7 }), ['#/notificationUrl TYPE']],
  [
    CHARGE,
    directCharge({ dataOnly: { eci: MARK, version: '2', referenceId: MARK } }),
    ['#/dataOnly/eci FORMAT', '#/dataOnly/version FORMAT', '#/dataOnly/referenceId FORMAT'],
  ],
  [
    CHARGE,
    directCharge({ cardToken: undefined, card: { ...card, expiration: {} } }),
    ['#/card/expiration/year REQUIRED', '#/card/expiration/month REQUIRED'],
  ],
  [CAPTURE, { amount: 0 }, ['#/amount MIN']],
  [CAPTURE, { amount: 0.1 }, ['#/amount TYPE']],
  [CAPTURE, { amount: MARK }, ['#/amount TYPE']],
  [CAPTURE, { amount: null }, ['#/amount TYPE']],
  [CAPTURE, [], ['# TYPE']],
  [REFUND, { amount: -5 }, ['#/amount MIN']],
  [REFUND, { amount: null }, ['#/amount TYPE']],
  [REFUND, { reason: MARK.repeat(100) }, ['#/reason LENGTH']],
  [REFUND, { reason: false }, ['#/reason TYPE']],
  [METADATA, [MARK], ['# TYPE']],
  [
    METADATA,
    [
      { key: MARK, value: 1 },
      { key: MARK, value: 2 },
    ],
    ['# DUPLICATE'],
  ],
  [METADATA, { a: null }, ['#/a TYPE']],
  [METADATA, { a: { b: MARK } }, ['#/a TYPE']],
  [METADATA, { ['k'.repeat(41)]: 'v' }, ['# LENGTH']],
  [METADATA, { '': 'v' }, ['# LENGTH']],
  [METADATA, { [`${MARK}\0`]: 'v' }, ['# FORMAT']],
  [METADATA, Object.fromEntries(Array.from({ length: 51 }, (_each, at) => [`k${at}`, at])), ['# LENGTH']],
]

test.each(BAD_BODIES)('%s refuses %j: %j', async (path, body, faults) => {
  const answer = await gateway.call(path === METADATA ? 'PUT' : 'POST', path, { body })
  const problem = problemSchema.parse(answer.body)
  const kinds = new Set(faults.map((fault) => fault.split(' ')[1]))
  const own = { EXACTLY_ONE: 'EXACTLY_ONE_SOURCE', NOT_PUBLIC: 'NOTIFICATION_URL_NOT_PUBLIC' }
  const [kind] = [...kinds]
  const code = kinds.size === 1 ? (own[kind as keyof typeof own] ?? 'VALIDATION_FAILED') : 'VALIDATION_FAILED'
  expect([answer.status, problem.code]).toEqual([400, code])
  expect(problem.errors?.map((error) => `${error.pointer} ${error.code}`)).toEqual(faults)
  expect(answer.text).not.toContain('CANARY')
})

test('at most twenty faults are listed', async () => {
  const payments = Array.from({ length: 10 }, () => ({ amount: 'x', installments: 'x', dueDate: 'x' }))
  const { body } = await gateway.call('POST', AUTHORIZE, { body: order({ payments }) })
  expect(body.errors).toHaveLength(20)
})

const json = { 'content-type': 'application/json' }
const authorization = (token: string) => ({ authorization: `Bearer ${token}` })

/** Method, path, headers, raw body; the status and the code. */
const BAD_REQUESTS: [
  string,
  string,
  Record<string, string>,
  string | Uint8Array | undefined,
  number,
  string,
][] = [
  ['POST', CAPTURE, json, `{"amount": ${MARK}`, 400, 'MALFORMED_JSON'],
  ['POST', CAPTURE, json, Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'MALFORMED_JSON'],
  ['POST', CAPTURE, json, `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 400, 'MALFORMED_JSON'],
  ['POST', CAPTURE, json, `[${'0,'.repeat(10_000)}0]`, 400, 'MALFORMED_JSON'],
  [
    'POST',
    CAPTURE,
    { ...json, 'idempotency-key': 'deep' },
    `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    400,
    'MALFORMED_JSON',
  ],
  ['POST', AUTHORIZE, json, `[${MARK}`, 400, 'MALFORMED_JSON'],
  ['POST', AUTHORIZE, json, undefined, 400, 'MALFORMED_JSON'],
  ['PUT', METADATA, json, '', 400, 'MALFORMED_JSON'],
  ['POST', CAPTURE, { 'content-type': 'text/plain' }, MARK, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'POST',
    CAPTURE,
    { 'content-type': 'application/json; charset=latin1' },
    '{}',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['POST', CAPTURE, { 'content-type': 'application/jsonp' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['POST', CAPTURE, { ...json, 'content-encoding': 'gzip' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'POST',
    CAPTURE,
    { 'content-type': 'application/x-www-form-urlencoded' },
    'amount=1',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['POST', CAPTURE, json, `{"reason":"${MARK.repeat(13_000)}"}`, 413, 'BODY_TOO_LARGE'],
  ['POST', CARD_TOKENS, json, `{"cardNumber":"${MARK.repeat(13_000)}"}`, 413, 'BODY_TOO_LARGE'],
  ['PATCH', CAPTURE, json, '{}', 405, 'METHOD_NOT_ALLOWED'],
  ['DELETE', '/api/v2/charges', {}, undefined, 405, 'METHOD_NOT_ALLOWED'],
  ['POST', '/openapi.json', {}, undefined, 405, 'METHOD_NOT_ALLOWED'],
  ['POST', '/docs/errors', {}, undefined, 405, 'METHOD_NOT_ALLOWED'],
  ['GET', `/${MARK}`, {}, undefined, 404, 'NOT_FOUND'],
  ['GET', `/api/v2/charges/${MARK}/metadata`, {}, undefined, 404, 'NOT_FOUND'],
  ['GET', `/api/v2/requests/${MARK}%20x`, {}, undefined, 404, 'NOT_FOUND'],
  ['GET', '/API/V2/charges', {}, undefined, 404, 'NOT_FOUND'],
  ['GET', '/api/v2/charges', { authorization: `Bearer ${MARK}` }, undefined, 401, 'TOKEN_INVALID'],
  ['GET', `/api/v2/charges?status=${MARK}`, {}, undefined, 400, 'VALIDATION_FAILED'],
  ['GET', `/api/v2/charges?orderReference=${MARK}%00`, {}, undefined, 400, 'VALIDATION_FAILED'],
]

test.each(BAD_REQUESTS)('%s %s with %j and %j', async (method, path, headers, raw, status, code) => {
  const answer = await gateway.call(method, path, {
    token: null,
    headers: { ...authorization(gateway.token), ...headers },
    ...(raw === undefined ? {} : { raw }),
  })
  expect([answer.status, problemSchema.parse(answer.body).code]).toEqual([status, code])
  expect(answer.text).not.toContain('CANARY')
})

test('no log line contains a refused value', () => {
  expect(gateway.lines.length).toBeGreaterThan(BAD_BODIES.length)
  expect(gateway.lines.join('')).not.toMatch(/CANARY|4929000000000006/)
  expect(gateway.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

test('a good body of each kind is accepted, so the table refuses its bodies for their own faults', async () => {
  const answers = [
    await gateway.call('POST', AUTHORIZE, { body: order() }),
    await gateway.call('POST', CHARGE, { body: directCharge({ cardToken: undefined, card }) }),
    await gateway.call('POST', CHARGE, { body: directCharge({ notificationUrl: 'https://example.com/x' }) }),
    await gateway.call('POST', AUTHORIZE, {
      body: ofPayment({ cardToken: { ...cardToken, cvv: undefined } }),
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
})
