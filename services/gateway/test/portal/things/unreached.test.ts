import { Boleto, BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { Invoice, InvoiceStatus, type InvoiceWarning } from '@cofre/proto/invoices/v1/invoices'
import { billedPlan } from './plan-samples'
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
beforeEach(() => system.behind.invoices.invoices.clear())
afterAll(() => system.stop())

const seen = async (path: string) => {
  const { text } = await browser.get(`/portal${path}`)
  return { text, words: readable(text).replaceAll('\u00a0', ' ') }
}

function invoice(id: number, code?: string): void {
  const fields = {
    id,
    sellerId,
    invoiceNumber: `0000${id}`,
    status: InvoiceStatus.CLOSED,
    recurringInvoiceId: 12,
    customer: { id: 7, name: 'Ana Souza' },
    warnings: code ? [{ pointer: '#/customer/email', code, detail: 'is missing' }] : [],
  }
  system.behind.invoices.invoices.set(id, Invoice.fromPartial(fields))
}

function plan(id: number, ...warnings: InvoiceWarning[]): void {
  system.behind.invoices.recurring.set(id, billedPlan({ id, sellerId, warnings }))
}

test('an invoice that reaches nobody says first what to do, and leads to its customer; another says nothing', async () => {
  invoice(77, 'NOBODY_TO_MAIL')
  const { text, words } = await seen('/invoices/77')
  expect(words).toContain('This invoice reaches nobody.')
  expect(words).toContain('Add an address, or hand over the link of the payment page. Open the customer')
  expect(text).toContain('<a href="/portal/customers/7">Open the customer</a>')
  invoice(77, 'NOBODY_TO_CHARGE')
  expect((await seen('/invoices/77')).words).toContain('nor a card that can be charged')
  invoice(77)
  expect((await seen('/invoices/77')).words).not.toContain('reaches nobody.')
})

test('a plan that reaches nobody says so, in both languages', async () => {
  plan(12)
  const { words: reached } = await seen('/recurring/12')
  expect(reached).toContain('Next cycles')
  expect(reached).not.toContain('reach nobody')
  plan(12, { pointer: '#/customerId', code: 'NOBODY_TO_CHARGE', detail: 'names nobody' })
  expect((await seen('/recurring/12')).words).toContain('Its invoices reach nobody.')
  await browser.get('/portal?language=pt-BR')
  const { words } = await seen('/recurring/12')
  await browser.get('/portal?language=en')
  expect(words).toContain('As faturas não chegam a ninguém.')
  expect(words).toContain('Abrir o cliente')
})

test('the home page counts invoices that reach nobody and leads to them; without any it is silent', async () => {
  invoice(76)
  expect((await seen('')).words).not.toContain('reach nobody')
  invoice(77, 'NOBODY_TO_MAIL')
  invoice(78, 'NOBODY_TO_CHARGE')
  const { text, words } = await seen('')
  expect(words).toContain('Invoices that reach nobody 2 Their customers have no e-mail address.')
  expect(text).toContain('href="/portal/invoices?unreachable=true"')
  const listed = await seen('/invoices?unreachable=true')
  expect(listed.text.match(/000077|000078/g)).toHaveLength(2)
  expect(listed.text).not.toContain('000076')
})

test('a slip is led to by a word, and says what the bank was not told while it can be paid', async () => {
  invoice(77)
  const { issued } = system.behind.invoices.boletos
  const slip = (status: BoletoStatus, code: string) =>
    issued.set(
      77,
      Boleto.fromPartial({
        id: 4,
        sellerId,
        status,
        digitableLine: '00190000090123456700400000042176215030000012345',
        publicId: '4fJz1Qm8Tn2bYw0c7Rk5Xg',
        warnings: [{ pointer: '#/customer/address', code, detail: 'lacks street' }],
      }),
    )
  slip(BoletoStatus.REGISTERED, 'PAYER_ADDRESS_INCOMPLETE')
  const { text, words } = await seen('/invoices/77')
  expect(text).toMatch(/<a href="[^"]+4fJz1Qm8Tn2bYw0c7Rk5Xg\.pdf">PDF<\/a>/)
  expect(words).toContain('The bank was told of no address of the payer.')
  expect(text).toContain('<a href="/portal/customers/7">Open the customer</a>')
  slip(BoletoStatus.REGISTERED, 'INSTRUCTIONS_CUT')
  expect((await seen('/invoices/77')).words).toContain('The cashier does not read all instructions.')
  slip(BoletoStatus.PAID, 'PAYER_ADDRESS_INCOMPLETE')
  expect((await seen('/invoices/77')).words).not.toContain('The bank was told of no address')
})
