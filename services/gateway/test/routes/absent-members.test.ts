import { z } from 'zod'
import { withoutAbsent } from '../../src/http/body/absent-members'
import { jsonSchemaOf, knownOf } from '../../src/http/body/known-members'
import { routes } from '../../src/api/all-routes'
import {
  billedCustomer,
  card,
  directCharge,
  newInvoice,
  order,
  payment,
  voucherCard,
} from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  await gateway.call('POST', AUTHORIZE, { body: order() })
})
afterAll(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const CHARGE = '/api/v2/orders/credit-card/charge'
const NO_CARDS = { card: null, networkToken: null }
const LEAVE_OUT = 'must not be empty; leave it out if you have none'

const bodies = routes.flatMap(({ operationId, body }) => (body ? [[operationId, body.schema] as const] : []))

/** What decides how much money moves is left out, or said: never null. */
const MONEY = ['amount', 'amountInCents', 'returnedAt']

test.each(bodies)(
  '%s: null is an absent member, but for one that decides how much money moves',
  (_of, schema) => {
    const root = jsonSchemaOf(schema)
    const { members, required } = knownOf(root, [root])
    const isKept = (name: string) => MONEY.includes(name) && !required.has(name)
    const names = [...members.keys()]
    const sent = Object.fromEntries(names.map((name) => [name, null]))
    expect(Object.keys(withoutAbsent(schema, sent).value as object)).toEqual(names.filter(isKept))
  },
)

test('nested members, members of list entries and read-only members are left out; all else stays', () => {
  const inner = z.object({ a: z.string().optional(), list: z.array(z.int()).min(1).optional() })
  const schema = z.object({
    needed: z.array(z.int()).min(1),
    inner: inner.optional(),
    entries: z.array(inner),
    other: inner.optional(),
    metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  const sent = {
    id: 1,
    needed: [],
    inner: { a: null, list: [] },
    entries: [{ a: null }, null],
    metadata: { a: null },
    unknown: null,
    other: [],
  }
  expect(withoutAbsent(schema, sent, ['id']).value).toEqual({
    needed: [],
    inner: {},
    entries: [{}, null],
    metadata: { a: null },
    unknown: null,
    other: [],
  })
})

const nullCustomer = { ...order().customer, email: null, birthdate: null, address: null }
const OPTIONAL = {
  orderReference: null,
  externalReference: null,
  metadata: null,
  notificationUrl: null,
  affiliateId: null,
  currency: null,
}

test.each<[string, string, object]>([
  [
    'an order',
    AUTHORIZE,
    order({
      ...OPTIONAL,
      customer: nullCustomer,
      payments: [
        payment({
          ...NO_CARDS,
          paymentLimitDate: null,
          dueDate: null,
          paymentMethod: null,
          installments: null,
        }),
      ],
    }),
  ],
  [
    'a direct charge by token',
    CHARGE,
    directCharge({ ...OPTIONAL, ...NO_CARDS, dataOnly: null, customer: nullCustomer }),
  ],
  [
    'a direct charge by card',
    CHARGE,
    directCharge({
      cardToken: null,
      networkToken: null,
      card: { ...card, cvv: null, encryptedCard: null, holder: { name: 'ANA', document: null } },
    }),
  ],
  [
    'a direct charge by an encrypted card',
    CHARGE,
    directCharge({
      cardToken: null,
      networkToken: null,
      card: { encryptedCard: 'e.n.c', cardNumber: null, holder: null, expiration: null, cvv: null },
    }),
  ],
  ['a card', '/api/v2/cards/tokens', { ...card, cvv: null, encryptedCard: null }],
  ['a voucher', '/api/v2/sellers/1/vouchers/tokens', { ...voucherCard, cvv: null, encryptedCard: null }],
  [
    'a customer',
    '/api/v2/customers',
    {
      ...billedCustomer,
      phone: { countryCode: null, areaCode: null, number: null },
      email: null,
      address: { street: null, lineTwo: null, state: null },
    },
  ],
  [
    'a product',
    '/api/v2/products',
    { name: 'Café', value: 100, productType: 'ONETIME', description: null, methods: null, active: null },
  ],
  [
    'an endpoint',
    '/api/v2/webhooks/endpoints',
    { url: 'https://inbox.test/a', events: null, description: null, headers: null, rateLimit: null },
  ],
  [
    'an endpoint with an empty list',
    '/api/v2/webhooks/endpoints',
    { url: 'https://inbox.test/b', events: [] },
  ],
  [
    'an invoice',
    '/api/v2/sellers/1/invoices',
    {
      ...newInvoice,
      notificationUrl: null,
      successUrl: null,
      invoiceNumber: null,
      paymentLimitDate: null,
      finalize: null,
      acceptedPaymentMethods: [],
      splits: [{ recipientId: 1, amountInCents: null, percentageBps: 500, liable: null }],
      fine: { amountInCents: null, percentageBps: 200, startsAfterDays: null },
      interest: null,
    },
  ],
])('%s with null for every optional member is accepted', async (_what, path, body) => {
  const answer = await gateway.call('POST', path, { body })
  expect([answer.status, answer.body?.errors]).toEqual([201, undefined])
})

test.each([
  [
    'POST',
    '/api/v2/customers',
    { name: null, document: null },
    ['#/name is required', '#/document is required'],
  ],
  ['POST', '/api/v2/products', { name: 'x', value: null, productType: 'ONETIME' }, ['#/value is required']],
  [
    'POST',
    '/api/v2/charges/1/capture',
    { amount: null },
    ['#/amount must not be null; leave it out if you mean the whole amount'],
  ],
  [
    'POST',
    '/api/v2/charges/1/refund',
    { amount: null, reason: null },
    ['#/amount must not be null; leave it out if you mean the whole amount'],
  ],
  [
    'PUT',
    '/api/v2/charges/1/metadata',
    { a: null },
    ['#/a must be a number, or text of at most 500 characters'],
  ],
  ['POST', AUTHORIZE, order({ payments: [] }), ['#/payments must have at least 1 entry', SUM()]],
])('%s %s refuses %j: %j', async (method, path, body, faults) => {
  const answer = await gateway.call(method, path, { body })
  expect(answer.status).toBe(400)
  expect(shown(answer.body)).toEqual(faults)
})

function SUM() {
  return '#/amount must be the sum of the amounts of the payments'
}

function shown({ errors }: { errors: { pointer: string; detail: string }[] }): string[] {
  return errors.map(({ pointer, detail }) => `${pointer} ${detail}`)
}

test('empty text stays a fault of an optional member, and the words say to leave it out', async () => {
  const blanks = { email: '', birthdate: '', address: { street: ' ', state: '', zipCode: '' } }
  const { body } = await gateway.call('POST', AUTHORIZE, {
    body: order({ orderReference: '', notificationUrl: '', customer: { ...order().customer, ...blanks } }),
  })
  const places = [
    ...['email', 'birthdate', 'address/street', 'address/state', 'address/zipCode'].map(
      (at) => `customer/${at}`,
    ),
    'orderReference',
    'notificationUrl',
  ]
  expect(shown(body).toSorted()).toEqual(places.map((at) => `#/${at} ${LEAVE_OUT}`).toSorted())
  const named = await gateway.call('POST', '/api/v2/customers', { body: { ...billedCustomer, name: '' } })
  expect(shown(named.body)).toEqual(['#/name must not be empty'])
})

test('under one Idempotency-Key, null and an absent member are two requests', async () => {
  const headers = { 'idempotency-key': 'null-or-absent' }
  const sent = { name: 'Ana', document: '52998224725' }
  expect(await gateway.call('POST', '/api/v2/customers', { body: sent, headers })).toMatchObject({
    status: 201,
  })
  const again = await gateway.call('POST', '/api/v2/customers', { body: { ...sent, email: null }, headers })
  expect([again.status, again.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})
