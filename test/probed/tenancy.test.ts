import type { InvoiceJson } from '@cofre/api/invoice'
import { eventually } from '@cofre/testing/testing'
import { makeOneOfEach } from '../journeys/one-of-each'
import { INVOICES, invoiceOf, newShop, readInvoice, type Shop } from '../journeys/shop'
import { cardEndingIn, discard } from '../journeys/system'
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
  ;({ ids, shop, invoice } = await makeOneOfEach(product))
})
afterAll(async () => {
  await discard(product)
})

const other = () => product.ready.secondSeller

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

/** A file as a form sends it. */
const UPLOAD = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: [
    '--x\r\ncontent-disposition: form-data; name="reason"\r\n\r\nEntregue.',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4',
    '--x--\r\n',
  ].join('\r\n'),
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
  const json = () => (body ? { headers: JSON_TYPE, body: good() } : {})
  const sent = path.endsWith('/evidence') ? UPLOAD : json()
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
