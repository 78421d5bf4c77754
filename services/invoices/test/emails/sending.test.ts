import { eventually } from '@cofre/testing/testing'
import { EmailLanguage, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { forgetEmails, waitingEmails } from '../../src/letters/queue/email-store'
import { saveTheme } from '../../src/catalog/themes/theme-store'
import { DEFAULT_THEME } from '../../src/catalog/themes/theme'
import { startSendingEmails, takeEmails } from '../../src/letters/send-emails'
import { createCustomer } from '../support/customers'
import {
  emailsOf,
  mail,
  passTime,
  pretendPaid,
  sendDue,
  startMailing,
  type MailingInvoices,
} from '../support/emails'
import { create, DAY_MS, invoiceFor, newShop, voidInvoice, type Shop } from '../support/invoices'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

let invoices: MailingInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startMailing()
})
beforeEach(async () => {
  shop = await newShop(invoices)
  invoice = await create(invoices, invoiceFor(shop))
  invoices.server.mails.length = 0
  await invoices.pool.query('DELETE FROM emails')
})
afterEach(() => {
  Object.assign(invoices.server.hooks, {
    onFrom: () => undefined,
    onRecipient: () => undefined,
    onMail: () => undefined,
  })
})
afterAll(() => invoices.stop())

const statuses = async () => (await emailsOf(invoices, invoice)).map(({ status }) => status)
const send = () => sendDue(invoices.emailDeps)

test('an e-mail arrives in the seller’s name and colors, with the link for paying', async () => {
  await saveTheme(invoices.pool, {
    ...DEFAULT_THEME,
    primaryColor: '#0B7A4B',
    sellerId: shop.sellerId,
    updatedAt: Date.now(),
  })
  await mail(invoices, invoice, { language: EmailLanguage.ENGLISH })
  expect(await send()).toBe(1)
  expect(await statuses()).toEqual(['SENT'])
  const [arrived, ...others] = invoices.server.mails
  expect(others).toEqual([])
  expect(arrived).toMatchObject({
    recipients: ['ana@example.com'],
    from: { name: 'Padaria Sol', address: 'billing@example.com' },
    to: [{ name: 'Ana Souza', address: 'ana@example.com' }],
    subject: expect.stringMatching(/^Invoice 000001 from Padaria Sol: due on /),
    messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/),
  })
  expect(arrived?.text).toContain(`https://pay.example.com/checkout/${invoice.publicId}`)
  expect(arrived?.html).toContain('#0B7A4B')
  expect(await send()).toBe(0)
})

test('a letter names the seller by the invoice’s own name, and a receipt says how it was paid', async () => {
  const named = await create(invoices, { ...invoiceFor(shop), sellerName: 'Ateliê Barro' })
  await pretendPaid(invoices, named)
  await mail(invoices, named, { sellerName: '' })
  await send()
  const [arrived] = invoices.server.mails
  expect(arrived).toMatchObject({
    from: { name: 'Ateliê Barro' },
    subject: expect.stringMatching(/^Recibo da fatura \d+ de Ateliê Barro$/),
  })
  expect(arrived?.text).toContain('Forma de pagamento: Pago diretamente à loja')
})

test('a mail server that is away delays and loses nothing', async () => {
  await invoices.server.leave()
  await mail(invoices, invoice)
  await send()
  expect(await emailsOf(invoices, invoice)).toMatchObject([{ status: 'WAITING', asks: 1 }])
  expect(await send()).toBe(0)
  await passTime(invoices, MINUTE_MS)
  await send()
  await invoices.server.comeBack()
  await passTime(invoices, 2 * MINUTE_MS)
  expect(await send()).toBe(1)
  expect(await statuses()).toEqual(['SENT'])
  expect(invoices.server.mails).toHaveLength(1)
})

test('each try waits longer than the one before, up to an hour', async () => {
  invoices.server.hooks.onRecipient = () => ({ status: 451 })
  const many = await Promise.all(Array.from({ length: 9 }, () => create(invoices, invoiceFor(shop))))
  await Promise.all(many.map((each) => mail(invoices, each)))
  // Gives the first e-mail no tries, the next one one try, and so on.
  await invoices.pool.query('UPDATE emails SET asks = id - (SELECT min(id) FROM emails)')
  await send()
  const tried = (await Promise.all(many.map((each) => emailsOf(invoices, each)))).flat()
  expect(new Set(tried.map(({ asks }) => asks))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]))
  for (const { asks, waitMs } of tried) {
    const expected = Math.min(30_000 * 2 ** (asks - 1), HOUR_MS)
    expect(waitMs).toBeLessThanOrEqual(expected)
    expect(waitMs).toBeGreaterThan(expected / 2)
  }
})

test.each<[string, 'onRecipient' | 'onMail', number]>([
  ['an address that the server does not know', 'onRecipient', 550],
  ['a letter that the server does not take', 'onMail', 554],
])('%s ends the e-mail', async (_name, step, status) => {
  invoices.server.hooks[step] = () => ({ status })
  await mail(invoices, invoice)
  await send()
  expect(await statuses()).toEqual(['REFUSED'])
  await passTime(invoices, HOUR_MS)
  expect(await send()).toBe(0)
})

test.each<[string, 'onFrom' | 'onRecipient', number]>([
  ['does not take our own address', 'onFrom', 550],
  ['asks for a password', 'onRecipient', 530],
])('a server that %s loses nothing: the e-mail is tried again', async (_name, step, status) => {
  invoices.server.hooks[step] = () => ({ status })
  await mail(invoices, invoice)
  await send()
  expect(await statuses()).toEqual(['WAITING'])
})

test('an e-mail that never got through is given up after five days', async () => {
  invoices.server.hooks.onRecipient = () => ({ status: 421 })
  await mail(invoices, invoice)
  await passTime(invoices, 5 * DAY_MS - HOUR_MS)
  await send()
  expect(await statuses()).toEqual(['WAITING'])
  await passTime(invoices, 2 * HOUR_MS)
  await send()
  expect(await statuses()).toEqual(['EXPIRED'])
})

test('no e-mail asks for an invoice that was voided or paid meanwhile', async () => {
  const paid = await create(invoices, invoiceFor(shop))
  await mail(invoices, invoice)
  await mail(invoices, paid)
  await voidInvoice(invoices, invoice)
  await pretendPaid(invoices, paid)
  await send()
  expect([...(await statuses()), (await emailsOf(invoices, paid))[0]?.status]).toEqual([
    'OUTDATED',
    'OUTDATED',
  ])
  await mail(invoices, paid)
  await send()
  expect(invoices.server.mails.map(({ subject }) => subject)).toEqual([
    'Recibo da fatura 000002 de Padaria Sol',
  ])
})

test('each e-mail arrives once, for any number of replicas that send', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, () => create(invoices, invoiceFor(shop))))
  await Promise.all(many.map((each) => mail(invoices, each)))
  const other = await invoices.startReplica()
  const sweepers = [invoices.deps.pool, other.deps.pool, other.deps.pool].map((pool) =>
    startSendingEmails({ ...invoices.emailDeps, pool }),
  )
  await eventually(async () => expect((await waitingEmails(invoices.pool)).count).toBe(0))
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
  const ids = invoices.server.mails.map(({ messageId }) => messageId)
  expect([ids.length, new Set(ids).size]).toEqual([12, 12])
})

test('an e-mail that was leased and not sent is sent after its lease, under the same Message-ID', async () => {
  await mail(invoices, invoice)
  // A process leases the e-mail, sends it, and dies before it saves that.
  const [taken] = await takeEmails(invoices.pool, 100)
  expect(await send()).toBe(0)
  await passTime(invoices, MINUTE_MS)
  expect(await send()).toBe(1)
  expect(invoices.server.mails.map(({ messageId }) => messageId)).toEqual([
    `<${taken?.messageId}@example.com>`,
  ])
})

test('when the server’s answer is lost, the e-mail comes again under the same Message-ID', async () => {
  const { server } = invoices
  server.hooks.onMail = (arrived) => {
    server.mails.push(arrived)
    return { status: 451 }
  }
  await mail(invoices, invoice)
  await send()
  server.hooks.onMail = () => undefined
  await passTime(invoices, HOUR_MS)
  await send()
  expect(await statuses()).toEqual(['SENT'])
  const [first, second] = server.mails.map(({ messageId }) => messageId)
  expect([server.mails.length, first]).toEqual([2, second])
})

test('a name with line breaks adds no header, and no other recipient', async () => {
  const name = 'Ana\r\nBcc: all@example.com\r\n\r\n<script>'
  const { id: customerId } = await createCustomer(invoices, shop.sellerId, { name })
  const tricky = await create(
    invoices,
    invoiceFor(shop, { customerId, invoiceNumber: 'A\r\nBcc: b@example.com' }),
  )
  await mail(invoices, tricky, { sellerName: 'Sol\r\nBcc: c@example.com' })
  await send()
  const [arrived] = invoices.server.mails
  expect(arrived).toMatchObject({ recipients: ['ana@example.com'] })
  expect(arrived?.bcc).toBeUndefined()
  expect(arrived?.headers.map(({ key }) => key)).not.toContain('bcc')
  expect(arrived?.html).not.toContain('<script>')
})

test('waiting e-mails are counted, and those a month old are deleted', async () => {
  expect(await waitingEmails(invoices.pool)).toEqual({ count: 0, oldestSeconds: 0 })
  await mail(invoices, invoice)
  await passTime(invoices, HOUR_MS)
  const { count, oldestSeconds } = await waitingEmails(invoices.pool)
  expect([count, Math.round(oldestSeconds / 3_600)]).toEqual([1, 1])
  await passTime(invoices, 29 * DAY_MS)
  expect(await forgetEmails(invoices.pool)).toBe(0)
  await passTime(invoices, DAY_MS)
  expect(await forgetEmails(invoices.pool)).toBe(1)
})
