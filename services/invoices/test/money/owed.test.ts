import { addDays, startOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import type { CreateInvoiceRequest, Invoice } from '@cofre/proto/invoices/v1/invoices'
import { InvoiceReportsClient } from '@cofre/proto/invoices/v1/reports'
import { moveClock } from '../../src/clock/billing-clock'
import { lateDayOf } from '../../src/invoice/rules/lateness'
import { createCustomer } from '../support/customers'
import { create, invoiceFor, newShop, uncollectible, voidInvoice, type Shop } from '../support/invoices'
import { LATE_TERMS, startMoney, TEN_DAYS_LATE, type TestMoney } from '../support/money'

/** A Thursday. */
const TODAY = '2026-03-12'

let on: TestMoney
let reports: InvoiceReportsClient
beforeAll(async () => {
  on = await startMoney()
  reports = await on.boletos.network.clientOf(InvoiceReportsClient, on.boletos.address, 'gateway')
  moveClock(TEN_DAYS_LATE - Date.now())
})
afterAll(async () => {
  moveClock(0)
  await on.stop()
})

/** An issued invoice that was due some days ago; before today it is late. */
async function due(
  shop: Shop,
  daysAgo: number,
  changes: Partial<CreateInvoiceRequest> = {},
): Promise<Invoice> {
  const dueDay = addDays(TODAY, -daysAgo)
  const request = invoiceFor(shop, { dueDate: startOf(dueDay), finalize: true, ...changes })
  const invoice = await create(on.boletos, request)
  await on.boletos.pool.query(
    'UPDATE invoices SET due_date = $2, late_from = NULL, late_on = $3 WHERE id = $1',
    [invoice.id, new Date(startOf(dueDay)), lateDayOf(dueDay)],
  )
  return invoice
}

const agingOf = ({ sellerId, customerId }: Shop) =>
  callRpc(reports, reports.getCustomerAging, { sellerId, customerId })
const debtorsOf = (sellerId: number, size = 100, after?: number) =>
  callRpc(reports, reports.listDebtors, { sellerId, size, after })
const sumOf = (sellerId: number) => callRpc(reports, reports.sumOwed, { sellerId })

const NONE = { count: 0, amount: 0 }
const ONE = { count: 1, amount: 9_980 }

test('what a customer owes is told by how long it is late', async () => {
  const shop = await newShop(on.boletos)
  expect(await agingOf(shop)).toMatchObject({
    daysLate: 0,
    oldestInvoiceId: undefined,
    aging: { notDue: NONE },
  })
  for (const days of [-5, 0, 1, 30, 31, 60, 61, 90]) await due(shop, days)
  const oldest = await due(shop, 91)
  const two = { count: 2, amount: 19_960 }
  const aging = { notDue: two, days1To30: two, days31To60: two, days61To90: two, over90Days: ONE }
  expect(await agingOf(shop)).toMatchObject({
    day: TODAY,
    name: 'Ana Souza',
    isDeleted: false,
    aging,
    daysLate: 91,
    oldestInvoiceId: oldest.id,
    oldestInvoiceNumber: oldest.invoiceNumber,
    fine: 0,
    interest: 0,
    isLowerBound: false,
  })
  expect(await sumOf(shop.sellerId)).toEqual({ day: TODAY, aging, isLowerBound: false })
})

test('what was due on a Saturday is not late on the Monday after it', async () => {
  moveClock(Date.parse('2026-03-09T12:00:00-03:00') - Date.now())
  const shop = await newShop(on.boletos)
  await due(shop, 5)
  expect(await agingOf(shop)).toMatchObject({ aging: { notDue: ONE, days1To30: NONE }, daysLate: 0 })
  moveClock(TEN_DAYS_LATE - Date.now())
  expect(await agingOf(shop)).toMatchObject({ aging: { notDue: NONE, days1To30: ONE }, daysLate: 5 })
})

test('a part that was paid is owed no more, and fine and interest stand apart', async () => {
  const shop = await newShop(on.boletos)
  const invoice = await due(shop, 10, { ...LATE_TERMS, partialPayments: true })
  expect(await agingOf(shop)).toMatchObject({ aging: { days1To30: ONE }, fine: 200, interest: 30 })
  await on.recordPayment(invoice, { amount: 5_000, paidAt: startOf(addDays(TODAY, -10)) })
  expect(await agingOf(shop)).toMatchObject({
    aging: { days1To30: { count: 1, amount: 4_980 } },
    fine: 100,
    interest: 10,
  })
})

test('drafts, and what was paid, voided or given up, is not owed', async () => {
  const shop = await newShop(on.boletos)
  await due(shop, 3, { finalize: false })
  await on.recordPayment(await due(shop, 3), { paidAt: startOf(TODAY) })
  await voidInvoice(on.boletos, await due(shop, 3))
  await uncollectible(on.boletos, await due(shop, 3))
  expect(await debtorsOf(shop.sellerId)).toEqual({ debtors: [], next: undefined })
  expect(await sumOf(shop.sellerId)).toMatchObject({ aging: { days1To30: NONE } })
})

test('a purchase by a payment link is owed once a part of it is paid', async () => {
  const shop = await newShop(on.boletos)
  const invoice = await due(shop, 2, { partialPayments: true })
  await on.boletos.pool.query('UPDATE invoices SET payment_link_product_id = $2 WHERE id = $1', [
    invoice.id,
    shop.productId,
  ])
  expect(await debtorsOf(shop.sellerId)).toMatchObject({ debtors: [] })
  await on.recordPayment(invoice, { amount: 1_000, paidAt: startOf(TODAY) })
  expect(await debtorsOf(shop.sellerId)).toMatchObject({
    debtors: [{ aging: { days1To30: { count: 1, amount: 8_980 } } }],
  })
})

test('those who owe are listed once each, the oldest debt first, page by page', async () => {
  const shop = await newShop(on.boletos)
  const { sellerId } = shop
  const others = await Promise.all(
    ['Bia', 'Caio', 'Davi'].map((name) => createCustomer(on.boletos, sellerId, { name })),
  )
  const [bia, caio, davi] = others.map(({ id: customerId }) => ({ ...shop, customerId }))
  if (!bia || !caio || !davi) throw new Error('a customer is missing')
  await due(shop, 40)
  await due(bia, -3)
  await due(caio, 95)
  await due(caio, 50)
  await due(davi, 45)
  const first = await debtorsOf(sellerId, 2)
  expect(first.debtors.map(({ name }) => name)).toEqual(['Caio', 'Davi'])
  expect(first.debtors[0]).toMatchObject({ daysLate: 95, aging: { days31To60: ONE, over90Days: ONE } })
  const second = await debtorsOf(sellerId, 2, first.next)
  expect(second.debtors.map(({ name }) => name)).toEqual(['Ana Souza', 'Bia'])
  expect(second.next).toBeUndefined()
  expect(await debtorsOf(sellerId + 1)).toEqual({ debtors: [], next: undefined })
})

test('a deleted customer still owes, by the name that was printed', async () => {
  const shop = await newShop(on.boletos)
  await due(shop, 4)
  const { customers } = on.boletos
  await callRpc(customers, customers.deleteCustomer, { sellerId: shop.sellerId, customerId: shop.customerId })
  expect(await debtorsOf(shop.sellerId)).toMatchObject({
    debtors: [{ name: 'Ana Souza', document: '12345678909', isDeleted: true, daysLate: 4 }],
  })
  await expect(agingOf(shop)).rejects.toMatchObject({ kind: 'not_found' })
})

test('another seller’s customer, and a page after nothing, are refused', async () => {
  const shop = await newShop(on.boletos)
  await expect(agingOf({ ...shop, sellerId: shop.sellerId + 1 })).rejects.toMatchObject({ kind: 'not_found' })
  const invoice = await due(shop, 1)
  await expect(debtorsOf(shop.sellerId + 1, 10, invoice.id)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
  })
  await expect(debtorsOf(shop.sellerId, 101)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('a customer with more invoices than a page looks at hides no other', async () => {
  const shop = await newShop(on.boletos)
  const { id } = await due(shop, 20)
  await on.boletos.pool.query(
    `INSERT INTO invoices (seller_id, public_id, status, invoice_number, customer_id, customer_name, customer_document,
        due_date, late_on, close_date, past_due_notified, amount, paid_amount, refunded_amount, open_principal,
        accepted_methods, splits, sequence, created_at, updated_at)
      SELECT seller_id, public_id || n, status, invoice_number || '-' || n, customer_id, customer_name, customer_document,
        due_date, late_on, close_date, past_due_notified, amount, paid_amount, refunded_amount, open_principal,
        accepted_methods, splits, sequence, created_at, updated_at
      FROM invoices, generate_series(1, 10000) n WHERE id = $1`,
    [id],
  )
  const { id: customerId } = await createCustomer(on.boletos, shop.sellerId, { name: 'Bia' })
  await due({ ...shop, customerId }, 1)
  const first = await debtorsOf(shop.sellerId, 10)
  expect(first.debtors).toMatchObject([
    { name: 'Ana Souza', isLowerBound: true, aging: { days1To30: { count: 1_000 } } },
  ])
  const second = await debtorsOf(shop.sellerId, 10, first.next)
  expect(second).toMatchObject({ debtors: [{ name: 'Bia' }], next: undefined })
  expect(await sumOf(shop.sellerId)).toMatchObject({ aging: { days1To30: { count: 10_002 } } })
})
