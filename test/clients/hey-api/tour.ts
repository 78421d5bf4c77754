import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import * as cofre from './cofre/index.js'
import { client } from './cofre/client.gen.js'

const { COFRE_URL = '', COFRE_TOKEN = '', COFRE_SELLER = '', COFRE_TOUR = '', HOOKS_URL = '' } = process.env
const WEEK_MS = 7 * 24 * 3_600_000
const path = { sellerId: Number(COFRE_SELLER) }
client.setConfig({ baseUrl: COFRE_URL, auth: COFRE_TOKEN, throwOnError: true })
const throwOnError = true

const { data: endpoint } = await cofre.createEndpoint({
  throwOnError,
  body: { url: HOOKS_URL, events: ['invoice.paid', 'charge.captured'] },
})
assert.equal(endpoint.status, 'ENABLED')

const person = { name: 'Ana Souza', document: '12345678909' }
const { data: customer } = await cofre.createCustomer({
  throwOnError,
  body: { ...person, email: 'ana@example.com' },
})
assert.equal(customer.document, person.document)
const { data: product } = await cofre.createProduct({
  throwOnError,
  body: { productType: 'ONETIME', name: 'One hour', value: 5_000 },
})
const { data: card } = await cofre.createCardToken({
  throwOnError,
  body: {
    cardNumber: '4111111111111111',
    holder: { name: 'ANA SOUZA', document: person.document },
    expiration: { year: 2049, month: 12 },
  },
})
assert.deepEqual([card.lastFour, card.expiration.year], ['1111', 2049])

const { data: invoice } = await cofre.createInvoice({
  throwOnError,
  path,
  body: {
    customerId: customer.id,
    invoiceNumber: COFRE_TOUR,
    dueDate: Date.now() + WEEK_MS,
    items: [{ productId: product.id, quantity: 2, unitPriceInCents: product.value }],
  },
})
assert.deepEqual([invoice.status, invoice.amountInCents], ['OPEN', 10_000])
const inInvoice = { throwOnError, path: { id: invoice.id } } as const
const { data: due } = await cofre.finalizeInvoice(inInvoice)
assert.equal(due.status, 'PENDING')
const { data: paid } = await cofre.payInvoiceByCard({ ...inInvoice, body: { cardId: card.id } })
assert.deepEqual([paid.status, paid.amountInCents], ['PAID', 10_000])
const { data: settled } = await cofre.getInvoice(inInvoice)
assert.deepEqual([settled.status, settled.paidInCents], ['PAID', 10_000])
const { data: invoices } = await cofre.listInvoices({
  throwOnError,
  query: { invoiceNumber: COFRE_TOUR, status: ['OPEN', 'PAID'] },
})
assert.deepEqual(
  invoices.content.map(({ id }) => id),
  [invoice.id],
)

const orderReference = `order ${COFRE_TOUR}`
const authorize = () =>
  cofre.authorizeOrder({
    throwOnError,
    path,
    headers: { 'Idempotency-Key': COFRE_TOUR },
    body: {
      orderReference,
      amount: 9_000,
      customer: person,
      payments: [{ amount: 9_000, installments: 3, cardToken: { token: card.token, cvv: '123' } }],
      metadata: { cart: '77', seats: 2 },
    },
  })
const { data: charge } = await authorize()
assert.deepEqual([charge.status, charge.authorizedAmount, charge.metadata['seats']], ['AUTHORIZED', 9_000, 2])
assert.equal((await authorize()).data.id, charge.id)
const inCharge = { throwOnError, path: { id: charge.id } } as const
const { data: captured } = await cofre.captureCharge(inCharge)
assert.deepEqual([captured.status, captured.capturedAmount], ['CAPTURED', 9_000])
const { data: refunded } = await cofre.refundCharge({ ...inCharge, body: { amount: 2_500 } })
assert.deepEqual([refunded.status, refunded.refundedAmount], ['PARTIALLY_REFUNDED', 2_500])
const { data: charges } = await cofre.listCharges({ throwOnError, query: { orderReference } })
assert.deepEqual([charges.totalElements, charges.content[0]?.refundedAmount], [1, 2_500])

const { data: voucher } = await cofre.createVoucherToken({
  throwOnError,
  path,
  body: {
    cardType: 'MEAL',
    cardBrand: 'VR',
    cardNumber: '6370361234567890',
    expires: { month: 12, year: 49 },
    holder: { name: 'ANA SOUZA' },
  },
})
assert.equal(voucher.status, 'ACTIVE')
const { data: lunch } = await cofre.createVoucherPayment({
  throwOnError,
  path,
  body: {
    amount: 3_500,
    card: { cardType: 'MEAL', cardBrand: 'VR', token: voucher.token },
    customer: { document: person.document },
  },
})
assert.deepEqual([lunch.status, lunch.amount, lunch.decline], ['PAID', 3_500, null])

const missing = await cofre.getCharge({ throwOnError: false, path: { id: 999_999 } })
assert.equal(missing.error?.code, 'NOT_FOUND')

let types: string[] = []
while (types.length < 3) {
  const query = { endpointId: endpoint.id, status: ['DELIVERED' as const] }
  const { data } = await cofre.listDeliveries({ throwOnError, query })
  types = data.content.map(({ eventType }) => eventType)
  await wait(200)
}
// The card payment of the invoice captures a charge, too.
assert.deepEqual(types.sort(), ['charge.captured', 'charge.captured', 'invoice.paid'])
const gone = await cofre.deleteEndpoint({ throwOnError, path: { id: endpoint.id } })
assert.equal(gone.response.status, 204)
