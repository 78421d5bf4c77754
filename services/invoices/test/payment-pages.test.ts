import { callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { create, finalize, get, invoiceFor, newShop } from './support/invoices'
import { startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

const pageOf = (publicId: string) => callRpc(invoices.pages, invoices.pages.getPaymentPage, { publicId })

test('the page of an invoice has all of it, found by its public id only', async () => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  await finalize(invoices, invoice)
  const page = await pageOf(invoice.publicId)
  const shown = await get(invoices, invoice)
  const cardPrices = Array.from({ length: 12 }, () => shown.payableAmount)
  expect(page).toEqual({ invoice: shown, theme: undefined, boleto: undefined, cardPrices })
  expect(page.invoice).toMatchObject({ status: InvoiceStatus.CLOSED, items: [{ quantity: 2 }], charge: {} })
})

test('a seller’s own theme comes with the page', async () => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  const fields = ThemeFields.fromPartial({ primaryColor: '#123456' })
  const theme = await callRpc(invoices.themes, invoices.themes.replaceTheme, {
    sellerId: invoice.sellerId,
    fields,
  })
  expect((await pageOf(invoice.publicId)).theme).toEqual(theme)
})

test.each(['', 'unknown', '1'.repeat(22)])('no other text names a page: %j', async (publicId) => {
  await expect(pageOf(publicId)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})
