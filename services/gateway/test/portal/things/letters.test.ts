import {
  EmailKind,
  EmailStatus,
  Invoice,
  InvoiceStatus,
  ListedEmail,
} from '@cofre/proto/invoices/v1/invoices'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
beforeAll(async () => {
  system = await startPortal()
  const { sellerId, email } = await system.makeSeller()
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const fields = { id: 77, sellerId, invoiceNumber: '000077', status: InvoiceStatus.CLOSED, customer: {} }
  system.behind.invoices.invoices.set(77, Invoice.fromPartial(fields))
})
afterAll(() => system.stop())

const words = async () => readable((await browser.get('/portal/invoices/77')).text)

test('the page of an invoice says which letter went when to whom, in both languages', async () => {
  expect(await words()).toContain('E-mails to the customer No e-mail was sent in the last 30 days.')
  const createdAt = Date.parse('2026-03-05T14:06:00-03:00')
  const to = 'ana@example.com'
  system.behind.invoices.emails.push(
    ListedEmail.fromPartial({ kind: EmailKind.VOIDED, to, status: EmailStatus.WAITING, createdAt }),
    ListedEmail.fromPartial({
      kind: EmailKind.REMINDER,
      to: 'ana@exmaple.com',
      status: EmailStatus.REFUSED,
      createdAt,
      endedAt: createdAt + 60_000,
    }),
  )
  const english = await words()
  expect(english).toContain('5 Mar 2026, 14:06 Cancelled invoice ana@example.com On its way')
  expect(english).toContain('5 Mar 2026, 14:07 Reminder ana@exmaple.com Refused by the mail server')
  await browser.get('/portal?language=pt-BR')
  expect(await words()).toContain('Lembrete ana@exmaple.com Recusado pelo servidor de e-mail')
})
