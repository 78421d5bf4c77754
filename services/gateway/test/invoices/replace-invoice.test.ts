import { newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const create = () =>
  gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/invoices`, { body: newInvoice })
const at = (id: number, rest = '') => `/api/v2/invoices/${id}${rest}`

const replacement = () => {
  const { customerId: _stays, ...given } = newInvoice
  return { ...given, items: [{ productId: 1, quantity: 1, unitPriceInCents: 700 }] }
}

test('a draft is replaced; its customer, number and page stay', async () => {
  const { body: made } = await create()
  const { status, headers, body } = await gateway.call('PUT', at(made.id), { body: replacement() })
  const { id, invoiceNumber, customer, paymentUrl, createdAt } = made
  expect([status, headers.get('link')]).toEqual([200, `<${made.paymentUrl}>; rel="payment"`])
  expect(body).toMatchObject({ id, invoiceNumber, customer, paymentUrl, createdAt, amountInCents: 700 })
  expect((await gateway.call('GET', at(id))).body).toEqual(body)
})

test('a replacement of what was read is refused once somebody has changed it', async () => {
  const { body: read } = await create()
  const first = await gateway.call('PUT', at(read.id), { body: { ...read, ...replacement() } })
  const second = await gateway.call('PUT', at(read.id), { body: read })
  expect([first.status, second.status, second.body.code]).toEqual([200, 409, 'INVOICE_CHANGED'])
  expect((await gateway.call('GET', at(read.id))).body).toEqual(first.body)
})

test('a repeated replacement is made once, and only a draft has one', async () => {
  const { body: made } = await create()
  const headers = { 'idempotency-key': 'replace-1' }
  const ask = () => gateway.call('PUT', at(made.id), { body: replacement(), headers })
  const [first, again] = [await ask(), await ask()]
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  await gateway.call('POST', at(made.id, '/finalize'))
  const refused = await gateway.call('PUT', at(made.id), { body: replacement() })
  expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INVOICE_STATE'])
})

test.each([
  [{ invoiceNumber: 'A-1' }, undefined],
  [{ finalize: true }, '#/finalize'],
  [{ items: [] }, '#/items'],
  [{ items: [{ ...newInvoice.items[0], totalInCents: 1, colour: 'red' }] }, '#/items/0/colour'],
  [{ updatedAt: 'now' }, '#/updatedAt'],
])('a replacement with %j has its fault at %s', async (over, pointer) => {
  const { body: made } = await create()
  const { status, body } = await gateway.call('PUT', at(made.id), { body: { ...replacement(), ...over } })
  expect([status, body.errors?.[0]?.pointer]).toEqual([pointer ? 400 : 200, pointer])
})
