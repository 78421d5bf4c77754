import { EmailLanguage, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { BillingFrequency, CollectionMethod, CreateBookletRequest } from '@cofre/proto/invoices/v1/recurring'
import { callRpc } from '@cofre/platform/grpc/client'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import { chargingTimeOf } from '../../src/dunning/rules/schedule'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { remind } from '../../src/dunning/reminders/remind'
import { chargeDue, declineWith, keep, setClock } from '../support/dunning'
import { mail, sendDue, startMailing, type MailingInvoices } from '../support/emails'
import { get, newShop, type Shop } from '../support/invoices'
import { answerAsUsual, PAN, pay } from '../support/payments'
import { billAll, createRecurring, cycleInvoices, recurringFor } from '../support/recurring'

const FIRST_DAY = '2055-01-31'
const HOUR_MS = 3_600_000

let invoices: MailingInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startMailing()
})
beforeEach(async () => {
  shop = await newShop(invoices)
  invoices.server.mails.length = 0
  answerAsUsual(invoices)
})
afterEach(async () => {
  setClock(Date.now())
  await invoices.pool.query('DELETE FROM reminders')
  await invoices.pool.query('DELETE FROM emails')
})
afterAll(() => invoices.stop())

/** The first invoice of a recurring invoice of Padaria Sol, on its cycle day. */
async function firstInvoice(language: EmailLanguage, collectionMethod: CollectionMethod): Promise<Invoice> {
  const asked = { language, collectionMethod, sellerName: 'Padaria Sol' }
  const recurring = await createRecurring(invoices, recurringFor(shop, asked))
  expect(recurring.language).toBe(language)
  setClock(startOf(FIRST_DAY))
  await billAll(billCycles(invoices.deps), startOf(FIRST_DAY))
  const [invoice] = await cycleInvoices(invoices, recurring)
  return get(invoices, { sellerId: shop.sellerId, id: invoice?.id ?? 0 })
}

async function remindAt(at: number): Promise<void> {
  setClock(at)
  while ((await remind(invoices.deps).run(at)).seen > 0);
}

/** Sends the letters that are due. Returns the sender's name and the subject of each. */
async function letters(): Promise<(string | undefined)[][]> {
  await sendDue(invoices.emailDeps)
  return invoices.server.mails.splice(0).map(({ from, subject }) => [from?.name, subject])
}

const WORDS: [string, EmailLanguage, Record<'issued' | 'reminder' | 'receipt' | 'declined', string>][] = [
  [
    'Portuguese',
    EmailLanguage.PORTUGUESE,
    {
      issued: 'Fatura 000001 de Padaria Sol: vence em 05/02/2055',
      reminder: 'A fatura 000001 de Padaria Sol vence hoje',
      receipt: 'Recibo da fatura 000001 de Padaria Sol',
      declined: 'Fatura 000001 de Padaria Sol: não conseguimos cobrar seu cartão',
    },
  ],
  [
    'English',
    EmailLanguage.ENGLISH,
    {
      issued: 'Invoice 000001 from Padaria Sol: due on 5 February 2055',
      reminder: 'Invoice 000001 from Padaria Sol is due today',
      receipt: 'Receipt for invoice 000001 from Padaria Sol',
      declined: 'Invoice 000001 from Padaria Sol: your card could not be charged',
    },
  ],
]

test.each(WORDS)(
  'the invoice of a cycle, its reminder and its receipt name the seller, in %s',
  async (_name, language, words) => {
    const invoice = await firstInvoice(language, CollectionMethod.SEND_INVOICE)
    expect(await letters()).toEqual([['Padaria Sol', words.issued]])
    await remindAt(invoice.dueDate + 9 * HOUR_MS)
    expect(await letters()).toEqual([['Padaria Sol', words.reminder]])
    await pay(invoices, invoice)
    expect(await letters()).toEqual([['Padaria Sol', words.receipt]])
  },
)

test.each(WORDS)(
  'a card that could not be charged: the letter names the seller, in %s',
  async (_name, language, words) => {
    await keep(invoices, shop, invoices.behind.vault.store(shop.sellerId, PAN).id)
    const invoice = await firstInvoice(language, CollectionMethod.CHARGE_AUTOMATICALLY)
    expect(await letters()).toEqual([])
    invoices.behind.orders.hooks.outcome = declineWith({ code: 'LOST_CARD', acquirerCode: '41' })
    await chargeDue(invoices, chargingTimeOf(dayOf(invoice.dueDate)))
    expect(await letters()).toEqual([['Padaria Sol', words.declined]])
  },
)

test('a letter sent by hand has the language of the recurring invoice, unless the request names another', async () => {
  const invoice = await firstInvoice(EmailLanguage.ENGLISH, CollectionMethod.SEND_INVOICE)
  const asked = async (language: EmailLanguage) =>
    (await mail(invoices, invoice, { language })).response.language
  expect(await asked(EmailLanguage.UNSPECIFIED)).toBe(EmailLanguage.ENGLISH)
  expect(await asked(EmailLanguage.PORTUGUESE)).toBe(EmailLanguage.PORTUGUESE)
})

test('the letter and the reminders of a booklet name the seller, in the language of the booklet', async () => {
  setClock(startOf(FIRST_DAY))
  const request = CreateBookletRequest.fromPartial({
    sellerId: shop.sellerId,
    customerId: shop.customerId,
    daysUntilDue: 10,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.SEND_INVOICE,
    charges: 1,
    recurringItem: { productId: shop.productId, quantity: 1, unitPriceInCents: 9_900 },
    language: EmailLanguage.ENGLISH,
    sellerName: 'Padaria Sol',
  })
  const booklet = await callRpc(invoices.recurring, invoices.recurring.createBooklet, request)
  expect(booklet.language).toBe(EmailLanguage.ENGLISH)
  expect(await letters()).toEqual([
    ['Padaria Sol', 'Booklet from Padaria Sol: 1 invoice, due on 10 February 2055'],
  ])
  await remindAt(startOf('2055-02-07') + 9 * HOUR_MS)
  expect(await letters()).toEqual([
    ['Padaria Sol', 'Reminder: invoice 000001 from Padaria Sol is due on 10 February 2055'],
  ])
})

test('a recurring invoice without its seller’s name sends letters in Portuguese without a name', async () => {
  const recurring = await createRecurring(invoices, recurringFor(shop))
  expect(recurring.language).toBe(EmailLanguage.PORTUGUESE)
  setClock(startOf(FIRST_DAY))
  await billAll(billCycles(invoices.deps), startOf(FIRST_DAY))
  expect(await letters()).toEqual([['Cofre', 'Fatura 000001: vence em 05/02/2055']])
})
