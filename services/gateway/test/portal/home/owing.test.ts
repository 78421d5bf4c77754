import { Customer } from '@cofre/proto/invoices/v1/customers'
import { CustomerAging } from '@cofre/proto/invoices/v1/reports'
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

beforeEach(() => {
  system.behind.invoices.reports.debtors.length = 0
})

const aging = { days1To30: { count: 2, amount: 20_050 }, over90Days: { count: 1, amount: 30_000 } }

function owes(customerId: number, changes: Partial<CustomerAging> = {}): void {
  const debtor = CustomerAging.fromPartial({
    day: '2026-03-12',
    customerId,
    name: `Cliente ${customerId}`,
    document: '12345678909',
    aging,
    fine: 1_000,
    interest: 234,
    daysLate: 95,
    oldestInvoiceId: 77,
    oldestInvoiceNumber: '000077',
    ...changes,
  })
  system.behind.invoices.reports.debtors.push(debtor)
}

const seen = async (path: string, by = browser) => {
  const { status, text } = await by.get(path)
  return { status, text, words: readable(text).replaceAll('\u00a0', ' ') }
}

test('home and reports lead to the customers who owe, with the sums of all of them', async () => {
  for (const page of ['/portal', '/portal/reports'])
    expect((await seen(page)).text).toContain('href="/portal/owing"')
  owes(5)
  owes(6, { isDeleted: true })
  Object.assign(system.behind.invoices.reports.owed, { day: '2026-03-12', aging })
  const { words, text } = await seen('/portal/owing')
  expect(words).toContain('Customers who owe 12 Mar 2026')
  expect(words).toContain('Cliente 5 95 R$ 200,50 R$ 300,00 R$ 500,50 R$ 12,34')
  expect(words).toContain('All customers R$ 200,50 R$ 300,00 R$ 500,50')
  expect(text).toContain('href="/portal/customers/5"')
  expect(text).toMatch(/href="\/portal\/invoices\?status=CLOSED&(amp;)?document=12345678909"/)
})

test('the list is read page by page', async () => {
  for (let id = 1; id <= 27; id += 1) owes(id)
  const first = await seen('/portal/owing')
  expect(first.words).toContain('Cliente 25 95')
  expect(first.words).not.toContain('Cliente 26 95')
  const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1] ?? ''
  const second = await seen(next)
  expect(second.words).toContain('Cliente 27 95')
  expect(second.text).toContain('href="/portal/owing">First page')
  expect(second.text).not.toContain('rel="next"')
})

test('where nobody owes, the page says so, in both languages', async () => {
  expect((await seen('/portal/owing')).words).toContain('Nobody owes you anything.')
  const portuguese = openBrowser(system.url)
  await portuguese.signIn(await system.addPerson(sellerId, 'BOOKKEEPER'), PASSWORD)
  await portuguese.get('/portal?language=pt-BR')
  const { words } = await seen('/portal/owing', portuguese)
  expect(words).toContain('Clientes em débito')
  expect(words).toContain('Ninguém deve nada a você.')
})

test('the list is exported as CSV', async () => {
  owes(5)
  const { headers, text } = await browser.get('/portal/owing.csv')
  expect(headers.get('content-disposition')).toBe('attachment; filename="customers-who-owe.csv"')
  expect(text).toContain('5,Cliente 5,123.456.789-09,95,3,500.50,500.50,0.00,200.50,')
})

test('the page of a customer says what the customer owes, and for how long', async () => {
  system.behind.invoices.customers.set(
    5,
    Customer.fromPartial({ id: 5, sellerId, fields: { name: 'Ana', document: '12345678909' } }),
  )
  owes(5)
  const { words, text } = await seen('/portal/customers/5')
  expect(words).toContain(
    'What the customer owes Owed R$ 500,50 Of that, past due R$ 500,50 Oldest invoice 000077 Days late 95 Fine on top R$ 10,00 Interest on top R$ 2,34',
  )
  expect(words).toContain('1 to 30 days 2 R$ 200,50 Over 90 days 1 R$ 300,00')
  expect(text).toContain('href="/portal/invoices/77"')
  system.behind.invoices.reports.debtors.length = 0
  owes(5, { aging: undefined, oldestInvoiceId: undefined, daysLate: 0 })
  expect((await seen('/portal/customers/5')).words).toContain('The customer owes nothing.')
})
