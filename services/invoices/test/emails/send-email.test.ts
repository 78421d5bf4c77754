import { callRpc } from '@cofre/platform/grpc/client'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { CustomerFields } from '@cofre/proto/invoices/v1/customers'
import { EmailKind, EmailLanguage, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { isTrue } from '../../src/letters/queue/email'
import { queueEmail, RECEIPT } from '../../src/letters/queue/queue-email'
import { dayOf, endOf, startOf } from '@cofre/platform/calendar-day'
import { readInvoice } from '../../src/invoice/store/invoice-store'
import { ANA, createCustomer } from '../support/customers'
import { setClock } from '../support/dunning'
import { emailsOf, mail, pretendPaid, sendDue, startMailing, type MailingInvoices } from '../support/emails'
import {
  create,
  DAY_MS,
  finalize,
  invoiceFor,
  newShop,
  uncollectible,
  voidInvoice,
  type Shop,
} from '../support/invoices'
import { withKey } from '../support/repeated'
import { newSeller, startInvoices } from '../support/start-invoices'

const HOUR_MS = 3_600_000

let invoices: MailingInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startMailing()
})
beforeEach(async () => {
  shop = await newShop(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

const { ISSUED, REMINDER, RECEIPT: PAID } = EmailKind
const kindOf = async (of: Invoice) => (await mail(invoices, of)).response.kind

test('a draft and a closed invoice are mailed, and the answer names the address', async () => {
  const { response } = await mail(invoices, invoice)
  expect(response).toMatchObject({
    invoiceId: invoice.id,
    kind: ISSUED,
    to: ANA.email,
    language: EmailLanguage.PORTUGUESE,
  })
  await finalize(invoices, invoice)
  const english = await mail(invoices, invoice, { language: EmailLanguage.ENGLISH })
  expect(english.response).toMatchObject({ kind: ISSUED, language: EmailLanguage.ENGLISH })
  expect((await emailsOf(invoices, invoice)).map(({ status }) => status)).toEqual(['WAITING', 'WAITING'])
})

test('from the due day on an e-mail is a reminder; after the payment it is the receipt', async () => {
  const today = await create(invoices, invoiceFor(shop, { dueDate: Date.now() }))
  const late = await create(invoices, invoiceFor(shop, { dueDate: Date.now() - 30 * DAY_MS }))
  expect([await kindOf(today), await kindOf(late)]).toEqual([REMINDER, REMINDER])
  await uncollectible(invoices, late)
  expect(await kindOf(late)).toBe(REMINDER)
  await pretendPaid(invoices, late)
  expect(await kindOf(late)).toBe(PAID)
})

test('the due day begins at midnight in São Paulo', async () => {
  const dueAt = startOf(dayOf(invoice.dueDate))
  setClock(dueAt - HOUR_MS)
  const before = await kindOf(invoice)
  setClock(dueAt)
  const from = await kindOf(invoice)
  setClock(Date.now())
  expect([before, from]).toEqual([ISSUED, REMINDER])
})

test('to the end of the last day for paying it, an invoice is still mailed', () => {
  const closed = { status: 'CLOSED', paymentLimitDate: startOf('2027-03-01') } as const
  const isMailedAt = (at: number) => isTrue('ISSUED', closed, at)
  expect([isMailedAt(endOf('2027-03-01')), isMailedAt(startOf('2027-03-02'))]).toEqual([true, false])
})

test('a cancelled invoice, or one that can no longer be paid, is not mailed', async () => {
  await voidInvoice(invoices, invoice)
  await expect(mail(invoices, invoice)).rejects.toMatchObject({
    reason: 'INVALID_INVOICE_STATE',
    extra: { members: { currentStatus: 'CANCELLED' } },
  })
  const closed = await create(invoices, invoiceFor(shop, { paymentLimitDate: Date.now() - DAY_MS }))
  await expect(mail(invoices, closed)).rejects.toMatchObject({ reason: 'PAYMENT_WINDOW_CLOSED' })
  expect([...(await emailsOf(invoices, invoice)), ...(await emailsOf(invoices, closed))]).toEqual([])
})

test('another seller’s invoice is not found', async () => {
  const theirs = { ...invoice, sellerId: newSeller() }
  await expect(mail(invoices, theirs)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})

test('the address is the customer’s current one; for a deleted customer, the printed one', async () => {
  const { customers } = invoices
  const replace = (email: string) =>
    callRpc(customers, customers.replaceCustomer, {
      sellerId: shop.sellerId,
      customerId: shop.customerId,
      fields: CustomerFields.fromPartial({ ...ANA, email }),
    })
  await replace('new@example.com')
  expect((await mail(invoices, invoice)).response.to).toBe('new@example.com')
  await replace('')
  await expect(mail(invoices, invoice)).rejects.toMatchObject({ reason: 'CUSTOMER_HAS_NO_EMAIL' })
  await callRpc(customers, customers.deleteCustomer, shop)
  expect((await mail(invoices, invoice)).response.to).toBe(ANA.email)
})

test('a letter waiting for a deleted customer goes to the address on the invoice, or nowhere', async () => {
  const { customers } = invoices
  const nowhere = await createCustomer(invoices, shop.sellerId, { email: '' })
  const printed = await create(invoices, invoiceFor({ ...shop, customerId: nowhere.id }))
  for (const customerId of [shop.customerId, nowhere.id]) {
    const fields = CustomerFields.fromPartial({ ...ANA, email: 'private@example.com' })
    await callRpc(customers, customers.replaceCustomer, { sellerId: shop.sellerId, customerId, fields })
  }
  for (const each of [invoice, printed])
    expect((await mail(invoices, each)).response.to).toBe('private@example.com')
  for (const customerId of [shop.customerId, nowhere.id])
    await callRpc(customers, customers.deleteCustomer, { sellerId: shop.sellerId, customerId })
  expect(await emailsOf(invoices, invoice)).toMatchObject([{ status: 'WAITING', recipient: ANA.email }])
  expect(await emailsOf(invoices, printed)).toMatchObject([{ status: 'OUTDATED' }])
})

test('without a mail server no e-mail is accepted', async () => {
  const silent = await startInvoices()
  const its = await create(silent, invoiceFor(await newShop(silent)))
  await expect(mail(silent, its)).rejects.toMatchObject({ reason: 'EMAIL_NOT_SET_UP' })
  await silent.stop()
})

test('repeats make one e-mail, even all at once', async () => {
  const ask = () => withKey('once', () => mail(invoices, invoice))
  const answers = await Promise.allSettled([ask(), ask(), ask(), ask()])
  for (const answer of answers) {
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_USE' })
  }
  expect(await ask()).toMatchObject({ replayed: true, response: { to: ANA.email } })
  expect(await emailsOf(invoices, invoice)).toHaveLength(1)
})

test('an invoice is mailed by hand five times an hour, for any number of requests at once', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 9 }, () => mail(invoices, invoice)))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(4)
  for (const each of refused) expect(each).toMatchObject({ reason: 'RATE_LIMITED', kind: 'rate_limited' })
  expect(refused[0].extra.retryAfterSeconds).toBeGreaterThan(3_000)
  expect(await emailsOf(invoices, invoice)).toHaveLength(5)
  const other = await create(invoices, invoiceFor(shop))
  await mail(invoices, other)
  await invoices.pool.query(`UPDATE emails SET created_at = created_at - interval '1 hour'`)
  await mail(invoices, invoice)
})

test('after five letters the next may follow an hour after the first of them', async () => {
  await mail(invoices, invoice)
  await invoices.pool.query(
    `UPDATE emails SET created_at = created_at - interval '30 minutes' WHERE invoice_id = $1`,
    [invoice.id],
  )
  for (let sent = 1; sent < 5; sent += 1) await mail(invoices, invoice)
  const refusal: { extra: { retryAfterSeconds: number } } = await mail(invoices, invoice).catch((err) => err)
  expect(refusal).toMatchObject({ reason: 'RATE_LIMITED' })
  expect(refusal.extra.retryAfterSeconds).toBeLessThanOrEqual(1_800)
  expect(refusal.extra.retryAfterSeconds).toBeGreaterThan(0)
})

test('letters that the service sends by itself do not count as mailed by hand', async () => {
  const { pool } = invoices
  const found = await readInvoice(pool, invoice)
  for (const days of [-7, -3, -1, 0, 1, 7]) {
    const at = Date.now() + days * DAY_MS
    const reason = { cause: `reminder:${days}`, kind: 'REMINDER', at } as const
    await withTransaction(pool, (tx) => queueEmail(tx, found, reason))
  }
  expect((await mail(invoices, invoice)).response.to).toBe(ANA.email)
})

test('an e-mail that cannot be saved leaves no mark: the request may be made again', async () => {
  const { pool } = invoices
  await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`)
  await pool.query('CREATE TRIGGER refuse BEFORE INSERT ON emails FOR EACH ROW EXECUTE FUNCTION refuse()')
  await expect(withKey('cut', () => mail(invoices, invoice))).rejects.toThrow()
  await pool.query('DROP TRIGGER refuse ON emails')
  expect(await withKey('cut', () => mail(invoices, invoice))).toMatchObject({ replayed: false })
})

test('a repeated cause makes one e-mail, and a rollback of its transaction removes it', async () => {
  const { pool } = invoices
  await pretendPaid(invoices, invoice)
  const paid = await readInvoice(pool, invoice)
  const pay = () => withTransaction(pool, (tx) => queueEmail(tx, paid, RECEIPT))
  const failed = withTransaction(pool, async (tx) => {
    await queueEmail(tx, paid, RECEIPT)
    throw new Error('not paid after all')
  })
  await expect(failed).rejects.toThrow('not paid')
  expect(await emailsOf(invoices, invoice)).toEqual([])
  const queued = await Promise.all([pay(), pay(), pay()])
  expect(queued).toMatchObject(Array.from({ length: 3 }, () => ({ to: ANA.email, language: 'pt-BR' })))
  expect(queued.filter((each) => each?.isNew)).toHaveLength(1)
  expect(await emailsOf(invoices, invoice)).toMatchObject([{ cause: 'receipt', kind: 'RECEIPT' }])
})

test('the letter that is shown before is the letter that is sent', async () => {
  const { client } = invoices
  const { sellerId, id: invoiceId } = invoice
  const asked = { sellerId, invoiceId, language: EmailLanguage.ENGLISH, sellerName: 'Padaria Sol' }
  const shown = await callRpc(client, client.writeInvoiceLetter, asked)
  expect(shown).toMatchObject({ to: ANA.email, language: EmailLanguage.ENGLISH })
  expect(await emailsOf(invoices, invoice)).toEqual([])
  await mail(invoices, invoice, { language: EmailLanguage.ENGLISH })
  await sendDue(invoices.emailDeps)
  const sent = invoices.server.mails.find(({ text }) => text?.includes(invoice.publicId))
  expect([sent?.subject, sent?.html?.trim(), sent?.text?.trim()]).toEqual([
    shown.subject,
    shown.html.trim(),
    shown.text.trim(),
  ])
})

test('no letter is shown that would not be sent, nor to another seller', async () => {
  const { client } = invoices
  const asked = { language: EmailLanguage.UNSPECIFIED, sellerName: '', invoiceId: invoice.id }
  const theirs = callRpc(client, client.writeInvoiceLetter, { ...asked, sellerId: newSeller() })
  await expect(theirs).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await voidInvoice(invoices, invoice)
  const voided = callRpc(client, client.writeInvoiceLetter, { ...asked, sellerId: invoice.sellerId })
  await expect(voided).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
})
