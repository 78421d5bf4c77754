import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { EmailLanguage, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { Lateness, MoneyClient, type Contact } from '@cofre/proto/invoices/v1/money'
import { mail, sendDue, startMailing, type MailingInvoices } from '../support/emails'
import { create, invoiceFor, newShop } from '../support/invoices'

let invoices: MailingInvoices
let money: MoneyClient
let invoice: Invoice
beforeAll(async () => {
  invoices = await startMailing()
  money = await invoices.network.clientOf(MoneyClient, invoices.address, 'gateway')
})
beforeEach(async () => {
  invoice = await create(invoices, invoiceFor(await newShop(invoices), { finalize: true }))
})
afterAll(() => invoices.stop())

const name = (contact: Contact | undefined) =>
  callRepeatable(money, money.replaceBillingSettings, {
    sellerId: invoice.sellerId,
    settings: { lateness: Lateness.WAIVE, holidays: [], cardFees: [], pixReceiver: undefined, contact },
  })
const letter = async (language: EmailLanguage) => {
  await mail(invoices, invoice, { language })
  await sendDue(invoices.emailDeps)
  return invoices.server.mails.at(-1)
}

test.each([
  [EmailLanguage.PORTUGUESE, 'Dúvidas? Escreva para ajuda@padaria.example ou ligue para (11) 4002-8922.'],
  [EmailLanguage.ENGLISH, 'Questions? Please write to ajuda@padaria.example or call (11) 4002-8922.'],
])('a letter says whom to ask, and an answer to it goes there (language %s)', async (language, said) => {
  const contact = { email: 'ajuda@padaria.example', phone: '(11) 4002-8922' }
  await name(contact)
  const arrived = await letter(language)
  expect(arrived?.replyTo).toEqual([{ address: contact.email, name: 'Padaria Sol' }])
  expect(arrived?.from?.address).toBe('billing@example.com')
  for (const part of [arrived?.text, arrived?.html]) expect(part).toContain(said)
  const { sellerId } = invoice
  expect((await callRpc(money, money.getBillingSettings, { sellerId })).contact).toEqual(contact)
})

test('with a phone number alone a letter names that, and its answers go nowhere', async () => {
  await name({ email: '', phone: '0800 123 4567' })
  const arrived = await letter(EmailLanguage.PORTUGUESE)
  expect(arrived?.text).toContain('Dúvidas? Ligue para 0800 123 4567.')
  expect(arrived?.replyTo ?? []).toEqual([])
})

test('without a contact a letter names the seller', async () => {
  await name({ email: '', phone: '' })
  const { sellerId } = invoice
  expect((await callRpc(money, money.getBillingSettings, { sellerId })).contact).toBeUndefined()
  const arrived = await letter(EmailLanguage.ENGLISH)
  expect(arrived?.text).toContain('Contact Padaria Sol.')
  expect(arrived?.text).not.toContain('Questions?')
})

test.each([
  ['email', 'a@example.com, b@example.com'],
  ['email', 'a@example.com\r\nBcc: b@example.com'],
  ['email', 'Shop <a@example.com>'],
  ['phone', '0800\r\n123'],
])('a contact whose %s would make another header, or several, is refused', async (field, value) => {
  const contact = { email: '', phone: '', [field]: value }
  await expect(name(contact)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer: `#/contact/${field}`, code: 'FORMAT' }] },
  })
})
