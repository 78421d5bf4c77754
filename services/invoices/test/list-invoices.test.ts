import { callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus, ListInvoicesRequest, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { lateDayOf } from '../src/invoice/rules/lateness'
import { tellLate } from '../src/dunning/tell-late'
import { createCustomer } from './support/customers'
import { setClock } from './support/dunning'
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
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

const { OPEN, CLOSED, CANCELLED, UNCOLLECTIBLE, PAID, UNSPECIFIED } = InvoiceStatus
const CNPJ = '12ABC34501DE35'
const NOW = Date.now()
const LONG_AGO = NOW - 400 * DAY_MS

let invoices: TestInvoices
let sellerId: number
/** The oldest first: a late draft, one closed, a late one closed, one cancelled, a late uncollectible one. */
let all: Invoice[]
beforeAll(async () => {
  invoices = await startInvoices()
  const shop = await newShop(invoices)
  sellerId = shop.sellerId
  const other = { ...shop, customerId: (await createCustomer(invoices, sellerId, { document: CNPJ })).id }
  const draft = await create(invoices, invoiceFor(shop, { dueDate: LONG_AGO, invoiceNumber: 'A-1' }))
  const closed = await create(invoices, invoiceFor(shop, { dueDate: NOW + 30 * DAY_MS }))
  await finalize(invoices, closed)
  const late = await create(invoices, invoiceFor(other, { dueDate: LONG_AGO + 1 }))
  await finalize(invoices, late)
  const cancelled = await create(invoices, invoiceFor(shop, { dueDate: NOW + 40 * DAY_MS }))
  await voidInvoice(invoices, cancelled)
  const lost = await create(invoices, invoiceFor(other, { dueDate: LONG_AGO }))
  await finalize(invoices, lost)
  await uncollectible(invoices, lost)
  for (const each of [draft, late, lost]) await pretendInTime(invoices, each)
  all = await Promise.all([draft, closed, late, cancelled, lost].map((each) => get(invoices, each)))
  await create(invoices, invoiceFor(await newShop(invoices), { invoiceNumber: 'A-1' }))
})
afterAll(() => invoices.stop())

const list = (request: Partial<ListInvoicesRequest>) =>
  callRpc(
    invoices.client,
    invoices.client.listInvoices,
    ListInvoicesRequest.fromPartial({ sellerId, size: 10, ...request }),
  )
/** The found invoices, by their places in `all`. */
const search = async (filter: Partial<ListInvoicesRequest>) => {
  const { invoices: found, total } = await list(filter)
  if (filter.after === undefined) expect(total).toBe(found.length)
  return found.map(({ id }) => all.findIndex((invoice) => invoice.id === id))
}

test('filters that no invoice can meet together find none, and filters that one can meet find it', async () => {
  expect(await search({ pastDue: true, statuses: [CANCELLED, UNCOLLECTIBLE] })).toEqual([])
  expect(await search({ pastDue: true, paymentDateFrom: 1 })).toEqual([])
  expect(await search({ paymentDateTo: NOW, statuses: [OPEN, CLOSED] })).toEqual([])
  expect(await search({ pastDue: true, statuses: [OPEN, CANCELLED] })).toEqual([0])
  expect(await search({ paymentDateFrom: 1 })).toEqual([])
})

test('all parts of an exported file use the day on which it began', async () => {
  const read = (request: Partial<ListInvoicesRequest>) =>
    callRpc(
      invoices.client,
      invoices.client.exportInvoices,
      ListInvoicesRequest.fromPartial({ sellerId, size: 10, pastDue: true, ...request }),
    )
  const today = await read({})
  expect(today.at).toBeGreaterThanOrEqual(NOW)
  expect(today.invoices.map(({ id }) => id)).toEqual([all[2]?.id, all[0]?.id])
  const later = await read({ at: NOW + 40 * DAY_MS })
  expect(later.at).toBe(NOW + 40 * DAY_MS)
  expect(later.invoices.map(({ id }) => id)).toEqual([all[2]?.id, all[1]?.id, all[0]?.id])
  expect(later.invoices[1]?.pastDue).toBe(true)
})

test('invoices are listed without their items and charges, the newest first, in pages', async () => {
  const entries = all.map((invoice) => ({ ...invoice, items: [], charge: undefined })).reverse()
  const end = { total: 5, totalIsLowerBound: false, more: false, place: expect.stringMatching(/^\d{16}$/) }
  expect(await list({})).toEqual({ invoices: entries, ...end })
  expect(await list({ size: 2, page: 2 })).toMatchObject({ invoices: [entries[4]], total: 5, more: false })
  expect(await search({ after: all[2]?.id ?? 0, page: 7 })).toEqual([1, 0])
})

const lateness: [Partial<ListInvoicesRequest>, number[]][] = [
  [{ pastDue: true }, [2, 0]],
  [{ pastDue: false }, [4, 3, 1]],
  [{ pastDue: true, statuses: [CLOSED] }, [2]],
  [{ pastDue: true, document: CNPJ }, [2]],
  [{ pastDue: false, dueDateTo: NOW }, [4]],
  [{ pastDue: true, dueDateFrom: LONG_AGO + 1 }, [2]],
]
const filters: [Partial<ListInvoicesRequest>, number[]][] = [
  [{ invoiceNumber: 'A-1' }, [0]],
  [{ invoiceNumber: 'a-1' }, []],
  [{ document: CNPJ }, [4, 2]],
  [{ statuses: [CANCELLED] }, [3]],
  [{ statuses: [OPEN, CLOSED] }, [2, 1, 0]],
  [{ statuses: [PAID] }, []],
  [{ dueDateFrom: LONG_AGO, dueDateTo: LONG_AGO }, [4, 0]],
  [{ dueDateFrom: NOW }, [3, 1]],
  [{ dueDateTo: LONG_AGO + 1 }, [4, 2, 0]],
  [{ closeDateFrom: 1 }, [4, 2, 1]],
  [{ closeDateTo: 1 }, []],
  [{ paymentDateFrom: 0 }, []],
  [{ createdFrom: 1, createdTo: 2 }, []],
  [{ createdFrom: LONG_AGO }, [4, 3, 2, 1, 0]],
  [{ statuses: [CLOSED, UNCOLLECTIBLE], dueDateTo: NOW }, [4, 2]],
  [{ statuses: [OPEN], invoiceNumber: 'A-1', document: '12345678909', dueDateTo: NOW }, [0]],
  [{ document: CNPJ, closeDateFrom: 1, dueDateTo: LONG_AGO }, [4]],
  [{ closeDateFrom: 1, dueDateFrom: NOW, paymentDateFrom: undefined }, [1]],
]

test.each(filters)('filtered by %j the list has %j', async (filter, found) => {
  expect(await search(filter)).toEqual(found)
})

describe.each(['before', 'after'])('%s the seller’s past-due events are sent', (when) => {
  beforeAll(async () => {
    if (when === 'after') while ((await tellLate(invoices.deps)) > 0);
  })
  test.each(lateness)('filtered by %j the list has %j', async (filter, found) => {
    expect(await search(filter)).toEqual(found)
  })
})

test('an invoice is past due from the beginning of the day in São Paulo on which it is late', async () => {
  const shop = await newShop(invoices)
  const { dueDate } = await create(invoices, invoiceFor(shop))
  const lateAt = startOf(lateDayOf(dayOf(dueDate)))
  const isFound = async (at: number) => {
    setClock(at)
    const { total } = await list({ sellerId: shop.sellerId, pastDue: true })
    return total > 0
  }
  // The evening before is the same day by UTC.
  const found = [await isFound(lateAt - 3_600_000), await isFound(lateAt)]
  setClock(Date.now())
  expect(found).toEqual([false, true])
})

test('pages of a filtered range follow each other, by number and by entry', async () => {
  const range = { dueDateTo: NOW + 50 * DAY_MS }
  expect(await list({ ...range, size: 2 })).toMatchObject({ total: 5, more: true })
  const second = await list({ ...range, size: 2, page: 1 })
  expect(second.invoices.map(({ id }) => id)).toEqual([all[2]?.id, all[1]?.id])
  expect(await search({ ...range, after: all[3]?.id ?? 0, size: 2 })).toEqual([2, 1])
  expect(await list({ ...range, after: all[1]?.id ?? 0 })).toMatchObject({ more: false, total: 5 })
})

test('all invoices are exported to a file, some at a time, without a count', async () => {
  const read = (request: Partial<ListInvoicesRequest>) =>
    callRpc(
      invoices.client,
      invoices.client.exportInvoices,
      ListInvoicesRequest.fromPartial({ sellerId, size: 3, ...request }),
    )
  const placesOf = (found: Invoice[]) => found.map(({ id }) => all.findIndex((each) => each.id === id))
  const first = await read({})
  expect([placesOf(first.invoices), first.more]).toEqual([[4, 3, 2], true])
  const second = await read({ after: first.invoices[2]?.id ?? 0 })
  expect([placesOf(second.invoices), second.more]).toEqual([[1, 0], false])
  const late = await read({ pastDue: true, dueDateTo: NOW })
  expect([placesOf(late.invoices), late.more]).toEqual([[2, 0], false])
  await expect(read({ size: 1_001 })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('another seller finds none of them, and cannot list after one of them', async () => {
  const other = newSeller()
  expect(await list({ sellerId: other, invoiceNumber: 'A-1' })).toMatchObject({ invoices: [], total: 0 })
  await expect(list({ sellerId: other, after: all[0]?.id ?? 0 })).rejects.toMatchObject({
    extra: { errors: [{ pointer: '#/after' }] },
  })
})

test.each([[UNSPECIFIED], [PAID, UNSPECIFIED]])(
  'a list or file by the statuses %s, %s is refused',
  async (...statuses) => {
    const { client } = invoices
    const request = ListInvoicesRequest.fromPartial({ sellerId, size: 10, statuses })
    const asked = [
      callRpc(client, client.listInvoices, request),
      callRpc(client, client.exportInvoices, request),
    ]
    for (const answer of await Promise.allSettled(asked)) {
      expect(answer).toMatchObject({
        reason: { kind: 'invalid_argument', extra: { errors: [{ pointer: '#/statuses', code: 'ENUM' }] } },
      })
    }
  },
)

test.each([{ size: 0 }, { size: 101 }, { page: -1 }])('a page of %p is refused', async (page) => {
  await expect(list(page)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
