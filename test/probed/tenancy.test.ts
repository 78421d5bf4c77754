import type { InvoiceJson } from '@cofre/api/invoice'
import { eventually } from '@cofre/testing/testing'
import { askForInvoice, INVOICES, invoiceOf, newShop, readInvoice, type Shop } from '../journeys/shop'
import { authorize, cardEndingIn, cardFields, customer, discard } from '../journeys/system'
import { goodBody, openCard, type Json } from './good-bodies'
import { fillPath, operationsOf, type Operation } from './operations'
import { JSON_TYPE, startProduct, type Answer, type Product } from './product'

let product: Product
let operations: Operation[]
/** The shop of the seller whose resources the other seller asks for. */
let shop: Shop
let invoice: InvoiceJson
let ids: Record<string, string | number>
beforeAll(async () => {
  product = await startProduct()
  operations = (await operationsOf(product)).operations
  shop = await newShop(product)
  invoice = (await askForInvoice(product, invoiceOf(shop, { invoiceNumber: 'T-1' }))).body
  await product.api('POST', `${INVOICES}/${invoice.id}/finalize`)
  ids = await makeOne(product)
})
afterAll(async () => {
  await discard(product)
})

const other = () => product.ready.secondSeller

/** Makes one of each resource that a path names, by the first words of the path. */
async function makeOne(of: Product): Promise<Record<string, string | number>> {
  const { api, ready } = of
  const make = async (path: string, body: object) => (await api('POST', path, { body })).body
  const url = `${ready.sandboxInboxUrl}/tenancy`
  const expires = { month: 12, year: 49 }
  const voucher = { cardType: 'MEAL', cardBrand: 'VR', cardNumber: '6370361234567890', expires }
  const at = `/api/v2/sellers/${ready.sellerId}/vouchers`
  const kept = await make(`${at}/tokens`, { ...voucher, holder: { name: 'ANA SOUZA' } })
  const card = { cardType: 'MEAL', cardBrand: 'VR', token: kept.token }
  const network = { ...cardFields(cardEndingIn(1)), notificationUrl: url }
  const endpoint = (await make('/api/v2/webhooks/endpoints', { url })).id
  const { id: delivery } = await make(`/api/v2/webhooks/endpoints/${endpoint}/ping`, {})
  // The record of a request is stored a moment after its answer.
  const request = await eventually(async () => {
    const { body } = await api('GET', '/api/v2/history/requests')
    expect(body.content.length).toBeGreaterThan(0)
    return body.content[0].id
  })
  return {
    'history/requests': request,
    charges: (await authorize(product, 1)).body.id,
    'cards/tokens': (await make('/api/v2/cards/tokens', cardFields(cardEndingIn(1)))).id,
    'cards/tokens/network': (await make('/api/v2/cards/tokens/network', network)).token,
    'vouchers/tokens': kept.token,
    'vouchers/payments': (await make(`${at}/payments`, { amount: 3_500, customer, card })).id,
    'webhooks/endpoints': endpoint,
    'webhooks/deliveries': delivery,
    'webhooks/listeners': (await make('/api/v2/webhooks/listeners', {})).id,
    customers: shop.customerId,
    products: shop.productId,
    invoices: invoice.id,
    'invoices/unexpected-receipts': await receiptOf(of),
    'recurring-invoices': await recurringOf(of),
    'recurring-invoices/reference': ORDER_REFERENCE,
  }
}

const ORDER_REFERENCE = 'TENANCY-1'

async function recurringOf(of: Product): Promise<number> {
  const { customerId, productId } = shop
  const { body } = await of.api('POST', `/api/v2/sellers/${of.ready.sellerId}/recurring-invoices`, {
    body: {
      customerId,
      billingFrequency: 'MONTHLY',
      collectionMethod: 'SEND_INVOICE',
      orderReference: ORDER_REFERENCE,
      recurringItems: [{ productId, quantity: 1, unitPriceInCents: 4_990 }],
    },
  })
  return body.id
}

/** Pays a boleto twice: the second payment waits for a person. */
async function receiptOf(of: Product): Promise<number> {
  const { id } = (await askForInvoice(of, invoiceOf(shop, { invoiceNumber: 'T-2' }))).body
  const line = await eventually(async () => {
    const { body } = await of.api('POST', `${INVOICES}/${id}/boleto`)
    expect(body.digitableLine).toMatch(/^\d{47}$/)
    return body.digitableLine
  })
  for (const _ of [1, 2]) await of.sandbox('POST', `/boletos/${line}/pay`)
  return eventually(async () => {
    const { body } = await of.api('GET', `${INVOICES}/unexpected-receipts`)
    expect(body.content).toHaveLength(1)
    return body.content[0].id
  })
}

/** Paths whose parameter names no resource of a seller. */
const NAMES_NOTHING = /\/\{brand\}\/|\/requests\/\{key\}/

/** The kind of resource that a path with a parameter names: `invoices`. */
function familyOf(path: string): string {
  const words = path.replace(/^(\/api)?\/v2\/(sellers\/\{sellerId\}\/)?/, '').split(/\/\{/)[0] ?? ''
  if (!(words in ids)) throw new Error(`nothing is made for ${path}: add one`)
  return words
}

/** All operations on one resource of a seller. */
const ofOne = () =>
  operations.filter(
    ({ path, secured }) =>
      secured && path.replace('{sellerId}', '').includes('{') && !NAMES_NOTHING.test(path),
  )

/** An id that nobody has, of the same shape. */
function absent(id: string | number): string {
  return typeof id === 'number' ? '987654321' : `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
}

async function ask(operation: Operation, id: string | number): Promise<Answer> {
  const { method, path, body, parameters } = operation
  const values = Object.fromEntries(parameters.map(({ name }) => [name, id]))
  const asked = fillPath(path, { ...values, sellerId: other().sellerId })
  const canary = { number: cardEndingIn(1), cvv: '0123', document: '12345678909' }
  const good = () =>
    JSON.stringify(
      goodBody(asked, { card: openCard(canary), token: 'x', inbox: `${product.ready.sandboxInboxUrl}/t` }),
    )
  const sent = body ? { headers: JSON_TYPE, body: good() } : {}
  return eventually(async () => {
    const answer = await product.ask(method, asked, { ...sent, token: other().token })
    // A busy machine answers 503.
    expect(answer.status).not.toBe(503)
    return answer
  })
}

/** The status and the body of an answer, without the id and the path of the request. */
function saidIn({ status, text }: Answer): Json {
  const { instance: _instance, requestId: _requestId, ...said } = JSON.parse(text) as Json
  return { status, ...said }
}

test('a resource of another seller is 404 in every route that names it, as if it never existed', async () => {
  const asked = ofOne()
  expect(asked.length).toBeGreaterThan(30)
  for (const operation of asked) {
    const id = ids[familyOf(operation.path)] ?? 0
    const name = `${operation.method} ${operation.path}`
    const theirs = { name, ...saidIn(await ask(operation, id)) }
    expect(theirs).toMatchObject({ name, status: 404, code: 'NOT_FOUND' })
    expect(theirs).toEqual({ name, ...saidIn(await ask(operation, absent(id))) })
  }
  // Its owner still has all of it.
  expect(await readInvoice(product, invoice.id)).toMatchObject({ status: 'CLOSED' })
  for (const family of ['customers', 'products', 'charges', 'webhooks/endpoints']) {
    expect((await product.api('GET', `/api/v2/${family}/${ids[family]}`)).status).toBe(200)
  }
})

test('an invoice that names another seller’s customer or product is refused as if there were none', async () => {
  const { token, sellerId } = other()
  const path = `/api/v2/sellers/${sellerId}/invoices`
  const own = await newShop(product, { token })
  const nobody = 987_654_321
  const refusalOf = async (named: Shop) => {
    const { status, body } = await product.api('POST', path, { body: invoiceOf(named), token })
    return [status, body.code, body.errors]
  }
  for (const name of ['customerId', 'productId'] as const) {
    const refusal = await refusalOf({ ...own, [name]: shop[name] })
    expect(refusal.slice(0, 2)).toEqual([422, 'REFERENCE_NOT_FOUND'])
    expect(refusal).toEqual(await refusalOf({ ...own, [name]: nobody }))
  }
})

test('a charge is not read by the number of another seller’s invoice, and each seller may use the number', async () => {
  const { token, sellerId } = other()
  const read = (number: string) =>
    product.ask('GET', `${INVOICES}/charges/latest?invoiceNumber=${number}`, { token })
  expect(saidIn(await read('T-1'))).toEqual(saidIn(await read('T-0')))
  expect((await read('T-1')).status).toBe(404)
  const own = await newShop(product, { token })
  const body = invoiceOf(own, { invoiceNumber: 'T-1' })
  const made = await product.api('POST', `/api/v2/sellers/${sellerId}/invoices`, { body, token })
  expect([made.status, made.body.invoiceNumber]).toEqual([201, 'T-1'])
})

test('lists, files and themes have nothing of another seller', async () => {
  const { token } = other()
  for (const [path, id] of [
    [INVOICES, invoice.id],
    [`${INVOICES}?invoiceNumber=T-1&document=12345678909`, invoice.id],
    ['/api/v2/customers', shop.customerId],
    ['/api/v2/customers?document=12345678909', shop.customerId],
    ['/api/v2/products?name=Caneca', shop.productId],
  ] as const) {
    const { status, body } = await product.api('GET', path, { token })
    expect(status).toBe(200)
    expect(body.content.map((entry: { id: number }) => entry.id)).not.toContain(id)
    const after = `${path}${path.includes('?') ? '&' : '?'}after=${id}`
    const following = async (from: string) => {
      const answer = await product.api('GET', from, { token })
      return [answer.status, answer.body.content, answer.body.totalElements]
    }
    expect(await following(after)).toEqual(await following(after.replace(/\d+$/, '987654321')))
  }
  const { text } = await product.ask('GET', `${INVOICES}/csv`, { token })
  expect(text.split('\r\n').filter((line) => line.startsWith(`${invoice.id},`))).toEqual([])

  const theme = `${INVOICES}/themes`
  const before = (await product.api('GET', theme)).body
  const changed = await product.api('PUT', theme, { body: { primaryColor: '#123456' }, token })
  expect([changed.status, changed.body.primaryColor]).toEqual([200, '#123456'])
  expect((await product.api('GET', theme)).body).toEqual(before)
})

test('an Idempotency-Key that another seller used is a new key', async () => {
  const { token } = other()
  const asking = { headers: { 'idempotency-key': 'of-both' }, body: { name: 'Ana', document: '12345678909' } }
  const first = await product.api('POST', '/api/v2/customers', asking)
  const theirs = await product.api('POST', '/api/v2/customers', { ...asking, token })
  expect([first.status, theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, 201, null])
  expect(theirs.body.id).not.toBe(first.body.id)
})
