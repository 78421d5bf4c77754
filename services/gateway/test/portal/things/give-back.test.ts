import {
  Invoice,
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
} from '@cofre/proto/invoices/v1/invoices'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
})
afterAll(() => system.stop())

type Fields = Parameters<typeof Invoice.fromPartial>[0]
let last = 4_000

async function shown(fields: Fields): Promise<{ path: string; text: string }> {
  const id = (last += 1)
  const paid = { status: InvoiceStatus.PAID, amount: 8_990, paidAmount: 8_990 }
  system.behind.invoices.invoices.set(
    id,
    Invoice.fromPartial({ id, sellerId, invoiceNumber: String(id), customer: {}, ...paid, ...fields }),
  )
  const path = `/portal/invoices/${id}`
  const page = await browser.get(path)
  expect(page.status).toBe(200)
  return { path, text: page.text }
}

const by = (type: PaymentMethod, chargeId = 0): Fields => ({
  charge: {
    status: InvoiceChargeStatus.PAID,
    transactions: [{ id: 1, type, status: InvoiceTransactionStatus.SUCCEEDED, amount: 8_990, chargeId }],
  },
})

test('what a card paid goes back at its charge, and is not offered by Pix', async () => {
  const { path, text } = await shown(by(PaymentMethod.CREDIT_CARD, 981))
  expect(text).toContain('href="/portal/charges/981/refund"')
  expect(text).not.toContain(`href="${path}/refund"`)
  expect(await browser.get(`${path}/refund`)).toMatchObject({ status: 303, location: path })
})

test('what a Pix paid goes back by Pix, and no card is offered', async () => {
  const { path, text } = await shown(by(PaymentMethod.PIX))
  expect(text).toContain(`href="${path}/refund"`)
  expect(text).not.toContain('/portal/charges/')
})

test.each([
  ['a boleto', by(PaymentMethod.BOLETO)],
  ['the seller’s own hand', {}],
])('what came by %s is given back by the seller and recorded: the form says why', async (_name, fields) => {
  const { path, text } = await shown(fields)
  expect(text).not.toContain(`href="${path}/refund"`)
  expect(text).not.toContain('/portal/charges/')
  expect(text).toContain(`href="${path}/record-return"`)
  expect(readable((await browser.get(`${path}/record-return`)).text)).toContain(
    'This money did not come by Pix or card',
  )
})

test('an attempt that failed leads to no refund', async () => {
  const failed = { type: PaymentMethod.CREDIT_CARD, status: InvoiceTransactionStatus.FAILED, chargeId: 981 }
  const { text } = await shown({ charge: { status: InvoiceChargeStatus.PENDING, transactions: [failed] } })
  expect(text).not.toContain('/portal/charges/981/refund')
})

test.each([
  ['Given back in full', { refundedAmount: 8_990 }],
  ['Paid, given back in part', { refundedAmount: 1 }],
  ['Paid', {}],
  ['Purchase not finished', { status: InvoiceStatus.CLOSED, paidAmount: 0, paymentLinkProductId: 5 }],
  ['Abandoned', { status: InvoiceStatus.CLOSED, paidAmount: 0, paymentLinkProductId: 5, pastDue: true }],
  ['Past due', { status: InvoiceStatus.CLOSED, paidAmount: 0, pastDue: true }],
] as const)('its badge is “%s”', async (badge, fields) => {
  const { text } = await shown(fields)
  expect(/<span class="badge[^"]*">([^<]*)/.exec(text)?.[1]).toBe(badge)
})
