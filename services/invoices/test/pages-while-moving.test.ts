import { callRpc } from '@cofre/platform/grpc/client'
import { ListCustomersRequest } from '@cofre/proto/invoices/v1/customers'
import { InvoiceStatus, ListInvoicesRequest, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { ListProductsRequest } from '@cofre/proto/invoices/v1/products'
import { InvoiceReportsClient } from '@cofre/proto/invoices/v1/reports'
import { following, walk, type Beginning, type MovingList } from '@cofre/testing/moving-list'
import fc from 'fast-check'
import { createCustomer } from './support/customers'
import { create, DAY_MS, finalize, invoiceFor, newShop, voidInvoice } from './support/invoices'
import { createProduct } from './support/products'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
let reports: InvoiceReportsClient
beforeAll(async () => {
  invoices = await startInvoices()
  reports = await invoices.network.clientOf(InvoiceReportsClient, invoices.address, 'gateway')
})
afterAll(() => invoices.stop())

const story = fc.record({
  rows: fc.integer({ min: 1, max: 7 }),
  size: fc.integer({ min: 1, max: 4 }),
  meanwhile: fc.array(
    fc.record({
      lastGoes: fc.boolean(),
      go: fc.array(fc.nat(), { maxLength: 2 }),
      come: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 6 },
  ),
})

/** Checks a list under many stories, the list of a new seller in each. */
async function everyStandingRowComesOnce(listOf: () => Promise<MovingList>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(story, async (each) => {
      const { stood, others } = await walk(await listOf(), each)
      expect(stood).toEqual(stood.map(() => 1))
      expect(Math.max(0, ...others)).toBeLessThanOrEqual(1)
    }),
    { numRuns },
  )
}

/** A beginning as requests carry it. */
const asked = ({ after, place }: Beginning) => ({
  after: after === undefined ? undefined : Number(after),
  place,
})

test('every customer that stands comes once, whoever is created and deleted between the pages', () =>
  everyStandingRowComesOnce(async () => {
    const { customers } = invoices
    const sellerId = newSeller()
    return {
      add: async () => (await createCustomer(invoices, sellerId)).id,
      remove: (customerId) =>
        callRpc(customers, customers.deleteCustomer, { sellerId, customerId: Number(customerId) }),
      page: async (size, from) => {
        const request = ListCustomersRequest.fromPartial({ sellerId, size, ...asked(from) })
        const { customers: found, ...end } = await callRpc(customers, customers.listCustomers, request)
        return following(found, end)
      },
    }
  }, 40))

test('every product that stands comes once, where they were made in one moment', () =>
  everyStandingRowComesOnce(async () => {
    const { products, deps } = invoices
    const sellerId = newSeller()
    return {
      add: async () => {
        const { id } = await createProduct(invoices, sellerId)
        // Within a millisecond, and not in the order of their ids.
        await deps.pool.query(
          `UPDATE products SET created_at = '2049-01-01T00:00:00Z'::timestamptz + (id * 7 % 5) * interval '1 microsecond'
           WHERE id = $1`,
          [id],
        )
        return id
      },
      remove: (productId) =>
        callRpc(products, products.deleteProduct, { sellerId, productId: Number(productId) }),
      page: async (size, from) => {
        const request = ListProductsRequest.fromPartial({ sellerId, size, ...asked(from) })
        const { products: found, ...end } = await callRpc(products, products.listProducts, request)
        return following(found, end)
      },
    }
  }, 40))

test('every invoice that stays OPEN is in the CSV once, whichever leave it between its parts', () =>
  everyStandingRowComesOnce(async () => {
    const { client } = invoices
    const shop = await newShop(invoices)
    const { sellerId } = shop
    const made = new Map<number, Invoice>()
    return {
      add: async () => {
        const invoice = await create(invoices, invoiceFor(shop, {}))
        made.set(invoice.id, invoice)
        return invoice.id
      },
      remove: (id) => voidInvoice(invoices, made.get(Number(id)) as Invoice),
      page: async (size, from) => {
        const request = { sellerId, size, statuses: [InvoiceStatus.OPEN], ...asked(from) }
        const part = await callRpc(client, client.exportInvoices, ListInvoicesRequest.fromPartial(request))
        return following(part.invoices, part)
      },
    }
  }, 15))

test('every customer who owes comes once, though the due date of the last invoice seen moves', () =>
  everyStandingRowComesOnce(async () => {
    const { pool } = invoices.deps
    const shop = await newShop(invoices)
    const { sellerId } = shop
    let days = 0
    return {
      add: async () => {
        const { id: customerId } = await createCustomer(invoices, sellerId)
        // Whoever comes later owes from a later day: what is new stands at the end.
        const dueDate = Date.now() + (days += 1) * 10 * DAY_MS
        await finalize(invoices, await create(invoices, invoiceFor({ ...shop, customerId }, { dueDate })))
        return customerId
      },
      remove: (customerId) =>
        pool.query(`UPDATE invoices SET late_on = late_on - 4000 WHERE customer_id = $1`, [customerId]),
      page: async (size, from) => {
        const asking = { sellerId, size, ...asked(from) }
        const { debtors, next, place } = await callRpc(reports, reports.listDebtors, asking)
        const ids = debtors.map((debtor) => debtor.customerId)
        return { ids, next: next === undefined ? undefined : { after: next, place } }
      },
    }
  }, 15))
