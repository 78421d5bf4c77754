import { Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
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

async function made(path: string, fields: Record<string, string>): Promise<string> {
  const { status, location } = await browser.submit(path, fields)
  expect([path, status]).toEqual([path, 303])
  return location ?? ''
}

const words = async (path: string) => readable((await browser.get(path)).text).replaceAll('\u00a0', ' ')

test('a booklet is voided after a page that says how many invoices are open, and their sum', async () => {
  await made('/portal/customers/new', { name: 'Ana Souza', document: '52998224725' })
  const product = await made('/portal/products/new', { name: 'Plano', value: '99,80', active: 'true' })
  const booklet = await made('/portal/recurring/new-booklet', {
    document: '52998224725',
    billingFrequency: 'MONTHLY',
    chargesByBooklet: '3',
    daysUntilDue: '5',
    'items.0.productId': product.split('/').at(-1) ?? '',
    'items.0.quantity': '1',
    BOLETO: 'true',
  })
  expect(await words(`${booklet}/void`)).toContain('No invoice of this booklet is open.')
  const recurringInvoiceId = Number(booklet.split('/').at(-1))
  const { CLOSED, PAID, CANCELLED } = InvoiceStatus
  for (const [id, status, paidAmount] of [
    [901, CLOSED, 0],
    [902, PAID, 9_980],
    [903, CANCELLED, 0],
    [904, CLOSED, 0],
    [905, CLOSED, 1_000],
  ] as const) {
    const balanceAmount = status === CLOSED ? 9_980 - paidAmount : 0
    const invoice = { id, sellerId, recurringInvoiceId, invoiceNumber: String(id), amount: 9_980, status }
    system.behind.invoices.invoices.set(
      id,
      Invoice.fromPartial({ ...invoice, paidAmount, balanceAmount, customer: { id: 1, name: 'Ana Souza' } }),
    )
  }
  const form = await words(`${booklet}/void`)
  expect(form).toContain('Open invoices: 2, together R$ 199,60.')
  expect(form).toContain('Paid ones stay as they are.')
  expect(await made(`${booklet}/void`, {})).toBe(booklet)
  const page = await words(booklet)
  expect(page).toContain('Invoices that were voided: 4.')
  expect(page).toContain('These stay, since a payment is under way or they hold money: 905.')
  expect(await words('/portal/settings/audit')).toContain(`voided booklet ${recurringInvoiceId}`)
  await browser.get('/portal?language=pt-BR')
  expect(await words(`${booklet}/void`)).toContain('Faturas em aberto: 2, no total de R$ 199,60.')
  await browser.get('/portal?language=en')
})
