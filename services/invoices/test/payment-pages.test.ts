import { endOf, startOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { setClock } from './support/dunning'
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
  // Its seller has no Pix account.
  const acceptedMethods = shown.acceptedMethods.filter(({ method }) => method !== PaymentMethod.PIX)
  const cardPrices = Array.from({ length: 12 }, () => shown.payableAmount)
  expect(page).toEqual({
    invoice: { ...shown, acceptedMethods },
    theme: undefined,
    boleto: undefined,
    cardPrices,
    windowClosed: false,
    waitingAmount: 0,
    hasKeptCard: false,
    keptCards: [],
    mayKeepCard: false,
  })
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

test('its window is open to the end of the last day for paying it, by the billing clock', async () => {
  const day = '2027-06-25'
  const dates = { dueDate: startOf(day), paymentLimitDate: startOf(day) }
  const { publicId } = await create(invoices, invoiceFor(await newShop(invoices), dates))
  const isClosedAt = async (at: number) => {
    setClock(at)
    return (await pageOf(publicId)).windowClosed
  }
  try {
    expect([await isClosedAt(endOf(day) - 60_000), await isClosedAt(endOf(day) + 1)]).toEqual([false, true])
  } finally {
    setClock(Date.now())
  }
})

test.each(['', 'unknown', '1'.repeat(22)])('no other text names a page: %j', async (publicId) => {
  await expect(pageOf(publicId)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})
