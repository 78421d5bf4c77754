import { Webhook } from 'standardwebhooks'
import { eventually } from '@cofre/testing/testing'
import {
  INVOICES,
  invoiceOf,
  listen,
  newShop,
  read,
  readInvoice,
  remove,
  toldIn,
  write,
  type Shop,
  type Told,
} from './shop'
import { discard, startSystem, type System } from './system'

const DAY_MS = 86_400_000
/** So long that no weekend or holiday moves the due date up to its end. */
const LONG_MS = 60 * DAY_MS

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

const post = (path: string, body?: object) => write(system, 'POST', path, { body })
const get = (path: string) => read(system, path)
const bill = (body: object) => post(`/api/v2/sellers/${system.ready.sellerId}/invoices`, body)

/** The lines of the CSV file of the invoices that a query finds; the first line names the columns. */
async function readFile(query: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${system.ready.token}` }
  const response = await fetch(`${system.ready.baseUrl}${INVOICES}/csv?${query}`, { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ])
  return (await response.text()).split('\r\n').filter((line) => line !== '')
}

type InvoiceEvent = Pick<Told, 'type' | 'data'> & { resource: { id: number } }

/** Waits until an inbox has these events of an invoice; returns them, verified as an integrator does. */
async function heardOf(inbox: string, secret: string, id: number, types: readonly string[]) {
  await eventually(async () => {
    const told = (await toldIn(system, inbox)).get(id)
    expect(told?.map(({ type, sequence }) => [sequence, type])).toEqual(
      types.map((type, at) => [at + 1, type]),
    )
  })
  const posts: { body: string; headers: Record<string, string> }[] = await system.sandbox(
    'GET',
    `/inbox/${inbox}`,
  )
  return posts
    .map(({ body, headers }) => ({
      headers,
      event: new Webhook(secret).verify(body, headers) as InvoiceEvent,
    }))
    .filter(({ event }) => event.resource.id === id)
}

test('the story: a customer is billed for a product, the charge is read, listed, exported, and voided once', async () => {
  const { secret, end } = await listen(system, 'invoice-story')
  const made = await bill(invoiceOf(shop))
  const { id, invoiceNumber, paymentUrl } = made.body
  const location = `${system.ready.baseUrl}${INVOICES}/${id}`
  expect([made.status, made.body.status, made.headers.get('location')]).toEqual([201, 'OPEN', location])
  expect(made.headers.get('link')).toBe(`<${paymentUrl}>; rel="payment"`)
  expect(invoiceNumber).toMatch(/^\d{6}$/)
  expect((await get(`${location}/charges/latest`)).status).toBe(404)

  const finalized = await post(`${location}/finalize`)
  expect([finalized.status, finalized.body.status, finalized.body.amountInCents]).toEqual([
    201,
    'PENDING',
    9_980,
  ])
  const chargeUrl = finalized.headers.get('location') ?? ''
  for (const path of [chargeUrl, `${INVOICES}/charges/latest?invoiceNumber=${invoiceNumber}`]) {
    const { status, body } = await get(path)
    expect([status, body]).toEqual([200, finalized.body])
  }

  const closed = await readInvoice(system, id)
  expect(closed).toMatchObject({ status: 'CLOSED', payableInCents: 9_980, charge: finalized.body })
  const { items: _items, charge: _charge, transactions: _transactions, ...alone } = closed
  const { automaticCharge: _automatic, ...entry } = alone
  const query = `status=CLOSED&document=12345678909&invoiceNumber=${invoiceNumber}`
  expect((await get(`${INVOICES}?${query}`)).body.content).toEqual([entry])
  const [head, line, ...more] = await readFile(query)
  expect([head?.split(',').slice(0, 4), more]).toEqual([
    ['id', 'invoiceNumber', 'status', 'customerName'],
    [],
  ])
  expect(line).toMatch(
    new RegExp(
      `^${id},${invoiceNumber},CLOSED,Ana Souza,123.456.789-09,.*,99.80,0.00,0.00,0.00,99.80,0.00,0.00,0.00,99.80,0.00$`,
    ),
  )

  const voided = await post(`${location}/void`)
  expect([voided.status, voided.body.status, voided.body.charge.status]).toEqual([
    200,
    'CANCELLED',
    'CANCELLED',
  ])
  for (const action of ['void', 'finalize', 'uncollectible']) {
    const { status, body } = await post(`${location}/${action}`)
    expect([status, body.code]).toEqual([422, 'INVALID_INVOICE_STATE'])
    expect(body).toMatchObject({ currentStatus: 'CANCELLED', allowedActions: [] })
  }

  const heard = await heardOf('invoice-story', secret, id, [
    'invoice.created',
    'invoice.finalized',
    'invoice.voided',
  ])
  expect(heard.map(({ headers }) => headers['webhook-resource'])).toEqual(heard.map(() => location))
  expect(heard.map(({ headers, event }) => headers['webhook-event'] === event.type)).not.toContain(false)
  expect(heard.map(({ event }) => event.data)).toEqual([made.body, closed, voided.body])
  await end()
})

test('an unpaid invoice becomes past due, with one event, and costs more; then the seller gives it up', async () => {
  const { secret, end } = await listen(system, 'invoice-late')
  const late = { percentageBps: 200, startsAfterDays: 1 }
  const interest = { monthlyPercentageBps: 100, startsAfterDays: 1 }
  const dueDate = Date.now() + DAY_MS
  const { body: made } = await bill(invoiceOf(shop, { dueDate, fine: late, interest }))
  expect((await post(`${INVOICES}/${made.id}/finalize`)).status).toBe(201)
  expect((await post('/api/v2/sandbox/clock/advance', { to: dueDate + LONG_MS })).status).toBe(200)
  await heardOf('invoice-late', secret, made.id, await typesAfter('invoice-late', made.id, 3))
  const now = await readInvoice(system, made.id)
  expect(now).toMatchObject({ status: 'CLOSED', pastDue: true, fineInCents: 200 })
  expect(now.payableInCents).toBe(9_980 + 200 + now.interestInCents)
  expect(now.interestInCents).toBeGreaterThan(0)
  const query = `pastDue=true&status=CLOSED`
  const { body: page } = await get(`${INVOICES}?${query}`)
  expect(page.content.map(({ id }: { id: number }) => id)).toEqual([made.id])

  const { body: given } = await post(`${INVOICES}/${made.id}/uncollectible`)
  expect(given).toMatchObject({ status: 'UNCOLLECTIBLE', pastDue: false })
  const types = await typesAfter('invoice-late', made.id, 4)
  expect(types.at(-1)).toBe('invoice.uncollectible')
  const heard = await heardOf('invoice-late', secret, made.id, types)
  expect(heard.filter(({ event }) => event.type === 'invoice.past_due')).toHaveLength(1)
  expect((await get(`${INVOICES}?${query}`)).body.content).toEqual([])
  await end()
})

/** The types of an invoice's events in an inbox, once there are this many. */
async function typesAfter(inbox: string, id: number, count: number): Promise<string[]> {
  return eventually(async () => {
    const types = ((await toldIn(system, inbox)).get(id) ?? []).map(({ type }) => type)
    expect(types).toHaveLength(count)
    return types
  })
}

test('a deleted customer is gone, and an earlier invoice keeps the customer’s data', async () => {
  const { body: made } = await bill(invoiceOf(shop))
  const path = `/api/v2/customers/${shop.customerId}`
  expect([204, 404]).toContain((await remove(system, path)).status)
  expect((await get(path)).status).toBe(404)
  expect(await readInvoice(system, made.id)).toEqual(made)
  const refused = await bill(invoiceOf(shop))
  expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
    422,
    'REFERENCE_NOT_FOUND',
    '#/customerId',
  ])
})
