import { billedCustomer, order } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  await gateway.call('POST', AUTHORIZE, { body: order() })
})
afterAll(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'

test.each([
  ['/api/v2/charges/1/refund', '{"amount":1,"amount":2}', '#/amount', 'DUPLICATE'],
  [AUTHORIZE, JSON.stringify(order()).replace('{', '{"a\\u006dount":1,'), '#/amount', 'DUPLICATE'],
  [
    AUTHORIZE,
    JSON.stringify(order({ metadata: {} })).replace('{}', '{"k":1,"k":2}'),
    '#/metadata/k',
    'DUPLICATE',
  ],
  [
    AUTHORIZE,
    JSON.stringify(order({ metadata: {} })).replace('{}', '{"id":12345678901234567890}'),
    '#/metadata/id',
    'PRECISION',
  ],
  [
    '/api/v2/webhooks/endpoints',
    '{"url":"https://inbox.test/a","headers":{"__proto__":"x","x-a":"y"}}',
    '#/headers/__proto__',
    'RESERVED',
  ],
  ['/api/v2/charges/1/capture', '{"amount":1000.00000000000001}', '#/amount', 'PRECISION'],
])('%s refuses %s', async (path, raw, pointer, code) => {
  const before = await done()
  const answer = await gateway.call('POST', path, { raw, headers: { 'content-type': 'application/json' } })
  expect([answer.status, answer.body.errors]).toEqual([400, [{ pointer, code, detail: expect.any(String) }]])
  expect(await done()).toEqual(before)
})

/** What requests have done so far. */
async function done() {
  const { body: charge } = await gateway.call('GET', '/api/v2/charges/1')
  return { charge, orders: gateway.orders.asked.authorize.length }
}

test.each([
  ['{"a\\u0000":1}', '#', 'it must not contain the character NUL or half a surrogate pair'],
  [`{"${'k'.repeat(41)}":1}`, '#', 'it must have at most 40 characters'],
  ['{"":1}', '#', 'it must have at least 1 character'],
])('metadata %s is refused for what is wrong with its key', async (raw, pointer, words) => {
  const headers = { 'content-type': 'application/json' }
  const { body } = await gateway.call('PUT', '/api/v2/charges/1/metadata', { raw, headers })
  expect(body.errors).toEqual([
    { pointer, code: expect.any(String), detail: `has a name that is not valid: ${words}` },
  ])
})

test.each([
  [
    '/api/v2/webhooks/endpoints',
    { url: 'https://inbox.test/a', headers: { 'X A': 'b' } },
    ['#/headers/X A has a name that is not valid: it must be the name of a header'],
  ],
  [
    '/api/v2/customers',
    { ...billedCustomer, birthdate: '31/01/1990' },
    ['#/birthdate must be a date, YYYY-MM-DD'],
  ],
  [
    '/api/v2/customers',
    { ...billedCustomer, phone: { areaCode: '011' } },
    ['#/phone/areaCode must be a number, without quotes and without a leading zero'],
  ],
  [
    '/api/v2/customers',
    { ...billedCustomer, phone: { areaCode: '11' } },
    ['#/phone/areaCode must be a number, without quotes'],
  ],
])('%s: the words of %j say what is wrong', async (path, body, faults) => {
  const answer = await gateway.call('POST', path, { body })
  expect(answer.status).toBe(400)
  const { errors } = answer.body as { errors: { pointer: string; detail: string }[] }
  expect(errors.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(faults)
})

test('keys that every object inherits are kept in metadata and in headers', async () => {
  const metadata = { constructor: 'x', toString: 1, hasOwnProperty: 'y' }
  const { status, body } = await gateway.call('POST', AUTHORIZE, { body: order({ metadata }) })
  expect([status, Object.entries(body.metadata)]).toEqual([201, Object.entries(metadata)])
  const endpoint = { url: 'https://inbox.test/a', headers: { constructor: 'x', tostring: 'y' } }
  const made = await gateway.call('POST', '/api/v2/webhooks/endpoints', { body: endpoint })
  expect([made.status, made.body.headerNames]).toEqual([201, ['constructor', 'tostring']])
})

test('a card number in a name is not repeated, however it is written', async () => {
  for (const name of ['4111 1111 1111 1111', '4111-1111-1111-1111']) {
    const { status, text } = await gateway.call('POST', '/api/v2/customers', {
      body: { ...billedCustomer, [name]: 1 },
    })
    expect(status).toBe(400)
    expect(text).not.toContain(name)
  }
})
