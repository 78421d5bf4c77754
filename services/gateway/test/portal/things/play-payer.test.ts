import { Boleto, BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { openBrowser } from '../browser'
import { captured } from '../charge-samples'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

const SANDBOX = 'http://127.0.0.1:8090'
const LINE = '00190000090123456700400000004176215030000012345'
const CODE = '00020126 br.gov.bcb.pix'

const systems: PortalSystem[] = []
afterAll(() => Promise.all(systems.map((system) => system.stop())))

/** The pages of an invoice with a boleto, and of a charge by Pix. */
async function pagesOf(options: { sandboxUrl?: string }, isPaid = false) {
  const system = await startPortal(options)
  systems.push(system)
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const invoice = { id: 77, sellerId, invoiceNumber: '000077', status: InvoiceStatus.CLOSED }
  const customer = { id: 7, name: 'Ana Souza', document: '52998224725' }
  system.behind.invoices.invoices.set(77, Invoice.fromPartial({ ...invoice, customer }))
  const status = isPaid ? BoletoStatus.PAID : BoletoStatus.REGISTERED
  system.behind.invoices.boletos.issued.set(
    77,
    Boleto.fromPartial({ id: 4, sellerId, invoiceId: 77, status, digitableLine: LINE, amount: 12_345 }),
  )
  const charge = captured({ id: 981, sellerId })
  for (const payment of charge.payments) {
    payment.card = undefined
    payment.pix = { copyAndPaste: CODE, expiresAt: Date.now() + 60_000, payerName: '', payerDocument: '' }
    payment.status = isPaid ? ChargeStatus.CAPTURED : ChargeStatus.PENDING
  }
  system.behind.charges = [charge]
  const pages = await Promise.all(
    ['/portal/invoices/77', '/portal/charges/981'].map((path) => browser.get(path)),
  )
  return pages.map(({ text }) => text)
}

test('beside a sandbox, an open boleto and an open Pix charge lead to where their payer is played', async () => {
  const [invoice = '', charge = ''] = await pagesOf({ sandboxUrl: `${SANDBOX}/` })
  expect(invoice).toContain(`<a href="${SANDBOX}/boletos/pay?line=${LINE}">Play the payer</a>`)
  expect(charge).toContain(
    `<a href="${SANDBOX}/pix/pay?copyAndPaste=00020126+br.gov.bcb.pix">Play the payer</a>`,
  )
})

test('what is paid leads nowhere, and without a sandbox nothing does', async () => {
  const texts = [await pagesOf({ sandboxUrl: SANDBOX }, true), await pagesOf({})].flat()
  for (const text of texts) expect(text).not.toContain('Play the payer')
})
