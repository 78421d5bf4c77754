import { Webhook } from 'standardwebhooks'
import { RECURRING_INVOICE_EVENTS } from '@cofre/api/events'
import { recurringEventSchema, type RecurringJson } from '@cofre/api/recurring-invoice'
import { eventually } from '@cofre/testing/testing'
import { newShop, read, write, type Shop } from './shop'
import { discard, startSystem, type System } from './system'

const DAY_MS = 86_400_000
const RECURRING = '/api/v2/recurring-invoices'
/** Next year, of which 31 January is always to come: the billing clock only moves forward. */
const YEAR = new Date().getUTCFullYear() + 1
/** Noon of 31 January in São Paulo. */
const START = Date.parse(`${YEAR}-01-31T15:00:00Z`)

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

const path = () => `/api/v2/sellers/${system.ready.sellerId}/recurring-invoices`
const bodyOf = (changes: object = {}) => ({
  customerId: shop.customerId,
  billingCycleStartDate: START,
  daysUntilDue: 5,
  billingFrequency: 'MONTHLY',
  collectionMethod: 'SEND_INVOICE',
  orderReference: 'PLAN 77/a',
  recurringItems: [{ productId: shop.productId, quantity: 2, unitPriceInCents: 4_990 }],
  extraItems: [{ productId: shop.productId, quantity: 1, unitPriceInCents: 500, cycle: 2 }],
  ...changes,
})
type Told = { type: string; sequence: number; resource: object; data: object }

const advance = async (to: number) => {
  const { status, body } = await write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to } })
  expect([status, body.code]).toEqual([200, undefined])
  return body
}

test('a customer is billed month by month, with events and e-mails, until the seller cancels it', async () => {
  const inbox = 'recurring'
  const endpoint = await write(system, 'POST', '/api/v2/webhooks/endpoints', {
    body: { url: `${system.ready.sandboxInboxUrl}/${inbox}`, events: RECURRING_INVOICE_EVENTS },
  })
  const made = await write(system, 'POST', path(), { body: bodyOf() })
  expect(made.status).toBe(201)
  const { id } = made.body as RecurringJson
  const self = `${system.ready.baseUrl}${RECURRING}/${id}`
  expect(made.headers.get('location')).toBe(self)
  expect(made.headers.get('link')).toBe(
    `<${self}>; rel="self", <${self}/subscription>; rel="subscription", <${self}/invoices>; rel="invoices"`,
  )
  expect(await read(system, `${RECURRING}/${id}`)).toMatchObject({ status: 200, body: made.body })

  // The clock does not go back.
  const past = await write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to: 1 } })
  expect([past.status, past.body.code]).toEqual([422, 'CLOCK_MOVES_FORWARD'])

  const { invoicesBilled, emailsSent } = await advance(START + 31 * DAY_MS)
  // Two e-mails with invoices, all four reminders of the first one, and one of the second.
  expect({ invoicesBilled, emailsSent }).toEqual({ invoicesBilled: 2, emailsSent: 2 + 5 })
  const invoices = await read(system, `${RECURRING}/${id}/invoices`)
  expect(invoices.body.content).toMatchObject([
    { cycle: 2, recurringInvoiceId: id, amountInCents: 10_480, status: 'CLOSED' },
    { cycle: 1, recurringInvoiceId: id, amountInCents: 9_980, status: 'CLOSED' },
  ])
  const byReference = await read(system, `${RECURRING}/reference/${encodeURIComponent('PLAN 77/a')}/invoices`)
  expect(byReference.body.content).toEqual(invoices.body.content)
  const mails = await system.sandbox('GET', '/mailbox?to=ana@example.com')
  expect(mails).toHaveLength(emailsSent)

  const schedule = await read(system, `${RECURRING}/${id}/subscription`)
  expect(schedule.body).toMatchObject({ recurringInvoiceId: id, status: 'ACTIVE', cyclesBilled: 2 })
  expect(schedule.body.nextCycles).toHaveLength(12)
  expect(schedule.body.nextCycles[0]).toMatchObject({
    cycle: 3,
    date: Date.parse(`${YEAR}-03-31T03:00:00Z`),
    dueDate: Date.parse(`${YEAR}-04-05T03:00:00Z`),
    amountInCents: 9_980,
  })

  const posts = await eventually(async () => {
    const told: { body: string; headers: Record<string, string> }[] = await system.sandbox(
      'GET',
      `/inbox/${inbox}`,
    )
    expect(told).toHaveLength(3)
    return told
  })
  const verifier = new Webhook(endpoint.body.secret)
  const events = posts.map(({ body, headers }) => verifier.verify(body, headers) as Told)
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['recurring_invoice.created', 1],
    ['recurring_invoice.cycle_billed', 2],
    ['recurring_invoice.cycle_billed', 3],
  ])
  for (const { resource, data } of events) {
    expect(resource).toEqual({ kind: 'recurring_invoice', id, url: self })
    recurringEventSchema.parse(data)
  }
  expect(events[1]?.data).toMatchObject({ cycle: 1, invoiceId: invoices.body.content[1].id })

  const pause = await write(system, 'POST', `${RECURRING}/${id}/pause`)
  expect(pause.body).toMatchObject({ status: 'PAUSED', nextCycleDate: null, nextCycleDueDate: null })
  await advance(START + 100 * DAY_MS)
  const resume = await write(system, 'POST', `${RECURRING}/${id}/resume`)
  expect(resume.body).toMatchObject({
    status: 'ACTIVE',
    nextCycleDate: Date.parse(`${YEAR}-05-31T03:00:00Z`),
  })
  const cancel = await write(system, 'POST', `${RECURRING}/${id}/cancel`)
  expect([cancel.status, cancel.body.status]).toEqual([200, 'CANCELLED'])
  const again = await write(system, 'POST', `${RECURRING}/${id}/resume`)
  expect([again.status, again.body.code, again.body.currentStatus, again.body.allowedActions]).toEqual([
    422,
    'INVALID_INVOICE_STATE',
    'CANCELLED',
    [],
  ])
  const list = await read(
    system,
    `${RECURRING}?status=CANCELLED&billingFrequency=MONTHLY&document=123.456.789-09`,
  )
  expect(list.body.content).toMatchObject([{ id, status: 'CANCELLED', cyclesBilled: 2 }])
})

test('an invalid request is refused with a pointer to the wrong field', async () => {
  const refused = async (changes: object, status: number, code: string, pointer: string) => {
    const answer = await write(system, 'POST', path(), { body: bodyOf(changes) })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer)
  }
  await refused({ billingFrequency: 'DAILY' }, 400, 'VALIDATION_FAILED', '#/billingFrequency')
  await refused({ recuringItems: [] }, 400, 'UNKNOWN_FIELD', '#/recuringItems')
  await refused({ customerId: 987_654 }, 422, 'REFERENCE_NOT_FOUND', '#/customerId')
  const most = [{ productId: shop.productId, quantity: 1, unitPriceInCents: 99_999_999_999 }]
  await refused({ recurringItems: most }, 400, 'VALIDATION_FAILED', '#/extraItems')
  const filter = await read(system, `${RECURRING}?state=ACTIVE`)
  expect([filter.status, filter.body.code]).toEqual([400, 'UNKNOWN_FIELD'])
  expect((await read(system, `${RECURRING}/reference/none/invoices`)).status).toBe(404)
})
