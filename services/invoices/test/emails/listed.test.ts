import { callRpc } from '@cofre/platform/grpc/client'
import { EmailKind, EmailLanguage, EmailStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { mail, sendDue, startMailing, type MailingInvoices } from '../support/emails'
import { create, invoiceFor, newShop } from '../support/invoices'

let invoices: MailingInvoices
beforeAll(async () => {
  invoices = await startMailing()
})
afterAll(() => invoices.stop())

const list = async ({ sellerId, id: invoiceId }: Pick<Invoice, 'sellerId' | 'id'>) =>
  (await callRpc(invoices.client, invoices.client.listInvoiceEmails, { sellerId, invoiceId })).emails

test('the letters of an invoice are listed, newest first, with what became of each', async () => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices), { finalize: true }))
  expect(await list(invoice)).toEqual([])
  await mail(invoices, invoice)
  await sendDue(invoices.emailDeps)
  invoices.server.hooks.onRecipient = () => ({ status: 550 })
  await mail(invoices, invoice, { language: EmailLanguage.ENGLISH })
  await sendDue(invoices.emailDeps)
  await mail(invoices, invoice)
  const letter = { kind: EmailKind.ISSUED, to: 'ana@example.com', language: EmailLanguage.PORTUGUESE }
  const ended = { createdAt: expect.any(Number), endedAt: expect.any(Number) }
  expect(await list(invoice)).toMatchObject([
    { ...letter, status: EmailStatus.WAITING, endedAt: undefined },
    { ...letter, ...ended, status: EmailStatus.REFUSED, language: EmailLanguage.ENGLISH },
    { ...letter, ...ended, status: EmailStatus.SENT },
  ])
})

test('another seller’s invoice has no list', async () => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  const another = { ...invoice, sellerId: invoice.sellerId + 1 }
  await expect(list(another)).rejects.toMatchObject({ kind: 'not_found' })
})
