import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './cofre.js'

const { COFRE_URL = '', COFRE_TOKEN = '', COFRE_SELLER = '', COFRE_TOUR = '', HOOKS_URL = '' } = process.env
const WEEK_MS = 7 * 24 * 3_600_000
const sellerId = Number(COFRE_SELLER)
const headers = { Authorization: `Bearer ${COFRE_TOKEN}` }
const { GET, POST, DELETE } = createClient<paths>({ baseUrl: COFRE_URL, headers })

type Answer<Content> = { data?: Content; error?: components['schemas']['Problem']; response: Response }
function contentOf<Content>({ data, error, response }: Answer<Content>): Content {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${error?.code}`)
  return data
}

const events = ['invoice.paid', 'charge.captured'] as const
const endpoint = contentOf(
  await POST('/api/v2/webhooks/endpoints', { body: { url: HOOKS_URL, events: [...events] } }),
)
assert.equal(endpoint.status, 'ENABLED')
const inSeller = { path: { sellerId } }

const person = { name: 'Ana Souza', document: '12345678909' }
const customer = contentOf(await POST('/api/v2/customers', { body: { ...person, email: 'ana@example.com' } }))
assert.equal(customer.document, person.document)
const product = contentOf(
  await POST('/api/v2/products', { body: { productType: 'ONETIME', name: 'One hour', value: 5_000 } }),
)
const card = contentOf(
  await POST('/api/v2/cards/tokens', {
    body: {
      cardNumber: '4111111111111111',
      holder: { name: 'ANA SOUZA', document: person.document },
      expiration: { year: 2049, month: 12 },
    },
  }),
)
assert.deepEqual([card.lastFour, card.expiration.year], ['1111', 2049])

const invoice = contentOf(
  await POST('/api/v2/sellers/{sellerId}/invoices', {
    params: inSeller,
    body: {
      customerId: customer.id,
      invoiceNumber: COFRE_TOUR,
      dueDate: Date.now() + WEEK_MS,
      items: [{ productId: product.id, quantity: 2, unitPriceInCents: product.value }],
    },
  }),
)
assert.deepEqual([invoice.status, invoice.amountInCents], ['OPEN', 10_000])
const inInvoice = { path: { id: invoice.id } }
const due = contentOf(await POST('/api/v2/invoices/{id}/finalize', { params: inInvoice }))
assert.equal(due.status, 'PENDING')
const paid = contentOf(
  await POST('/api/v2/invoices/{id}/credit-card/pay', { params: inInvoice, body: { cardId: card.id } }),
)
assert.deepEqual([paid.status, paid.amountInCents], ['PAID', 10_000])
const settled = contentOf(await GET('/api/v2/invoices/{id}', { params: inInvoice }))
assert.deepEqual([settled.status, settled.paidInCents], ['PAID', 10_000])
const invoices = contentOf(
  await GET('/api/v2/invoices', {
    params: { query: { invoiceNumber: COFRE_TOUR, status: ['OPEN', 'PAID'] } },
  }),
)
assert.deepEqual(
  invoices.content.map(({ id }) => id),
  [invoice.id],
)

const orderReference = `order ${COFRE_TOUR}`
const order = {
  orderReference,
  amount: 9_000,
  customer: person,
  payments: [{ amount: 9_000, installments: 3, cardToken: { token: card.token, cvv: '123' } }],
  metadata: { cart: '77', seats: 2 },
}
const authorize = () =>
  POST('/api/v2/sellers/{sellerId}/orders/credit-card/authorize', {
    params: { ...inSeller, header: { 'Idempotency-Key': COFRE_TOUR } },
    body: order,
  })
const charge = contentOf(await authorize())
assert.deepEqual([charge.status, charge.authorizedAmount, charge.metadata['seats']], ['AUTHORIZED', 9_000, 2])
assert.equal(contentOf(await authorize()).id, charge.id)
const inCharge = { path: { id: charge.id } }
const captured = contentOf(await POST('/api/v2/charges/{id}/capture', { params: inCharge }))
assert.deepEqual([captured.status, captured.capturedAmount], ['CAPTURED', 9_000])
const refunded = contentOf(
  await POST('/api/v2/charges/{id}/refund', { params: inCharge, body: { amount: 2_500 } }),
)
assert.deepEqual([refunded.status, refunded.refundedAmount], ['PARTIALLY_REFUNDED', 2_500])
const charges = contentOf(await GET('/api/v2/charges', { params: { query: { orderReference } } }))
assert.deepEqual([charges.totalElements, charges.content[0]?.refundedAmount], [1, 2_500])

const voucher = contentOf(
  await POST('/api/v2/sellers/{sellerId}/vouchers/tokens', {
    params: inSeller,
    body: {
      cardType: 'MEAL',
      cardBrand: 'VR',
      cardNumber: '6370361234567890',
      expires: { month: 12, year: 49 },
      holder: { name: 'ANA SOUZA' },
    },
  }),
)
assert.equal(voucher.status, 'ACTIVE')
const lunch = contentOf(
  await POST('/api/v2/sellers/{sellerId}/vouchers/payments', {
    params: inSeller,
    body: {
      amount: 3_500,
      card: { cardType: 'MEAL', cardBrand: 'VR', token: voucher.token },
      customer: { document: person.document },
    },
  }),
)
assert.deepEqual([lunch.status, lunch.amount, lunch.decline], ['PAID', 3_500, null])

const missing = await GET('/api/v2/charges/{id}', { params: { path: { id: 999_999 } } })
assert.equal(missing.error?.code, 'NOT_FOUND')

let types: string[] = []
while (types.length < 3) {
  const query = { endpointId: endpoint.id, status: ['DELIVERED' as const] }
  const { content } = contentOf(await GET('/api/v2/webhooks/deliveries', { params: { query } }))
  types = content.map(({ eventType }) => eventType)
  await wait(200)
}
// The card payment of the invoice captures a charge, too.
assert.deepEqual(types.sort(), ['charge.captured', 'charge.captured', 'invoice.paid'])
const gone = await DELETE('/api/v2/webhooks/endpoints/{id}', { params: { path: { id: endpoint.id } } })
assert.equal(gone.response.status, 204)
