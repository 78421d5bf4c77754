import type { EventLog, LogEvent } from '@cofre/platform/events/event-log'
import { relayOutbox } from '@cofre/platform/events/outbox'
import { InvoiceEvent } from '@cofre/proto/invoices/v1/events'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { oldestUnnotifiedAge } from '../src/invoice/store/past-due-store'
import { lateDayOf } from '../src/invoice/rules/lateness'
import { tellLate } from '../src/dunning/tell-late'
import {
  create,
  DAY_MS,
  finalize,
  get,
  invoiceFor,
  newShop,
  pretendInTime,
  uncollectible,
  voidInvoice,
} from './support/invoices'
import { startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

/** The events that the relay publishes, in order, with their topics. */
async function published(): Promise<[topic: string, event: LogEvent][]> {
  const events: [string, LogEvent][] = []
  const log: EventLog = {
    publish: async (topic, batch) =>
      void events.push(...batch.map((event) => [topic, event] as [string, LogEvent])),
    subscribe: () => Promise.reject(new Error('nobody subscribes here')),
    lag: async () => 0,
    close: async () => {},
  }
  while ((await relayOutbox(invoices.pool, log)) > 0);
  return events
}

const tellAll = async () => {
  while ((await tellLate(invoices.deps)) > 0);
}
const told = (events: [string, LogEvent][]) =>
  events.map(([topic, { type, key, sellerId }]) => [topic, type, key, sellerId])

test('each change sends one event, in order, with the invoice as it was then', async () => {
  const shop = await newShop(invoices)
  const draft = await create(invoices, invoiceFor(shop))
  const charge = await finalize(invoices, draft)
  const closed = await get(invoices, draft)
  const lost = await uncollectible(invoices, draft)
  await uncollectible(invoices, draft)
  const voided = await voidInvoice(invoices, draft)
  await expect(finalize(invoices, draft)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })

  const events = await published()
  const of = (type: string) => ['invoices.v1', type, String(draft.id), shop.sellerId]
  const types = ['invoice.created', 'invoice.finalized', 'invoice.uncollectible', 'invoice.voided']
  expect(told(events)).toEqual(types.map(of))
  const messages = events.map(([, { value }]) => InvoiceEvent.fromJSON(JSON.parse(value)))
  const eventOf = (invoice: Invoice, at: number) => ({
    invoice,
    sequence: at + 1,
    occurredAt: invoice.updatedAt,
  })
  expect(messages).toEqual([draft, closed, lost, voided].map(eventOf))
  expect(messages[1]?.invoice?.charge).toEqual(charge)
  expect(await published()).toEqual([])
})

test('an invoice finalized at once sends both events: the draft, then the request for payment', async () => {
  const shop = await newShop(invoices)
  await published()
  const made = await create(invoices, invoiceFor(shop, { finalize: true }))
  const messages = (await published()).map(([, { type, value }]) => ({
    type,
    ...InvoiceEvent.fromJSON(JSON.parse(value)),
  }))
  const draft = { ...made, status: InvoiceStatus.OPEN, closeDate: undefined, charge: undefined }
  expect(messages).toEqual([
    { type: 'invoice.created', sequence: 1, occurredAt: made.createdAt, invoice: draft },
    { type: 'invoice.finalized', sequence: 2, occurredAt: made.createdAt, invoice: made },
  ])
})

test('an invoice that becomes past due sends one event, for any number of sweepers', async () => {
  const shop = await newShop(invoices)
  const dueDate = Date.now() - 30 * DAY_MS
  const late = await create(invoices, invoiceFor(shop, { dueDate }))
  const voided = await create(invoices, invoiceFor(shop, { dueDate }))
  await voidInvoice(invoices, voided)
  for (const each of [late, voided]) await pretendInTime(invoices, each)
  await create(invoices, invoiceFor(shop))
  await published()
  const other = await invoices.startReplica()
  await Promise.all([tellAll(), tellLate(other.deps), tellLate(other.deps)])
  await tellAll()
  const events = await published()
  expect(told(events)).toEqual([['invoices.v1', 'invoice.past_due', String(late.id), shop.sellerId]])
  const message = InvoiceEvent.fromJSON(JSON.parse(events[0]?.[1].value ?? '{}'))
  expect(message).toMatchObject({ sequence: 2, invoice: { pastDue: true } })
})

test('the past-due event is sent from the first moment of the day on which the invoice is late', async () => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  const lateAt = startOf(lateDayOf(dayOf(invoice.dueDate)))
  const toldAt = async (at: number) => {
    await tellLate(invoices.deps, at)
    const events = await published()
    return events.flatMap(([, { key, type }]) => (key === String(invoice.id) ? [type] : []))
  }
  await published()
  expect(await toldAt(lateAt - 1)).toEqual([])
  expect(await toldAt(lateAt)).toEqual(['invoice.past_due'])
})

test('an invoice voided while its past-due event is sent ends cancelled, and each event is sent once', async () => {
  const shop = await newShop(invoices)
  const dueDate = Date.now() - 30 * DAY_MS
  const late = await Promise.all([1, 2, 3, 4, 5].map(() => create(invoices, invoiceFor(shop, { dueDate }))))
  for (const each of late) await pretendInTime(invoices, each)
  await published()
  await Promise.all([...late.map((each) => voidInvoice(invoices, each)), tellAll()])
  await tellAll()
  const events = await published()
  for (const { id } of late) {
    const types = events.flatMap(([, { key, type }]) => (key === String(id) ? [type] : []))
    expect(types.at(-1)).toBe('invoice.voided')
    expect(new Set(types).size).toBe(types.length)
  }
})

test('the age of an unsent past-due event counts from the late day, or from the invoice’s creation', async () => {
  await tellAll()
  const age = () => oldestUnnotifiedAge(invoices.pool, dayOf(Date.now()))
  expect(await age()).toBe(0)
  const shop = await newShop(invoices)
  const late = await create(invoices, invoiceFor(shop, { dueDate: Date.now() - 30 * DAY_MS }))
  await pretendInTime(invoices, late)
  expect(await age()).toBeLessThan(3_600)
  await invoices.pool.query(`UPDATE invoices SET created_at = now() - interval '60 days' WHERE id = $1`, [
    late.id,
  ])
  expect(await age()).toBeGreaterThan((20 * DAY_MS) / 1_000)
  await tellAll()
  expect(await age()).toBe(0)
})
