import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { InvoiceDay } from '@cofre/proto/invoices/v1/reports'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { ChargeDay } from '@cofre/proto/orders/v1/reports'
import { VoucherDay } from '@cofre/proto/vouchers/v1/reports'
import { openBrowser, readable, type Browser } from '../browser'
import { captured, CREATED_AT } from '../charge-samples'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number
let today: string
beforeAll(async () => {
  system = await startPortal()
  system.behind.noClock = true
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
})
afterAll(() => system.stop())

/** What today and the same day last week add up to. */
beforeEach(() => {
  today = dayOf(Date.now())
  const { orders, invoices } = system.behind
  const sum = (count: number, amount: number) => ({ count, amount })
  orders.reports.days.splice(
    0,
    Infinity,
    ChargeDay.fromPartial({
      day: addDays(today, -7),
      approved: sum(3, 30_000),
      denied: sum(1, 10_000),
      captured: sum(3, 30_000),
    }),
    ChargeDay.fromPartial({
      day: today,
      approved: sum(2, 15_000),
      approvedPix: sum(1, 5_000),
      denied: sum(2, 9_000),
      captured: sum(3, 20_000),
      refunded: sum(1, 2_500),
      declines: [
        { code: 'INSUFFICIENT_FUNDS', count: 2 },
        { code: 'A_NEW_CODE', count: 1 },
      ],
      methods: [
        { method: 'PIX', captured: sum(1, 5_000) },
        { method: 'VISA', captured: sum(2, 15_000), refunded: sum(1, 2_500) },
      ],
      dispute: sum(1, 4_000),
      disputeWon: sum(1, 1_500),
    }),
  )
  invoices.reports.days.splice(
    0,
    Infinity,
    InvoiceDay.fromPartial({
      day: today,
      payment: sum(2, 9_900),
      refund: sum(1, 900),
      dispute: sum(1, 2_000),
      fee: 100,
      methods: [
        { method: MovementMethod.BOLETO, payment: sum(1, 6_900), refund: sum(1, 900) },
        { method: MovementMethod.EXTERNAL, payment: sum(1, 3_000) },
      ],
    }),
  )
  system.behind.vouchers.reports.days.splice(
    0,
    Infinity,
    VoucherDay.fromPartial({
      day: today,
      brands: [{ brand: 'VR', paid: sum(2, 4_400), canceled: sum(1, 2_200) }],
    }),
  )
  Object.assign(invoices.reports.pastDue, sum(3, 45_000))
  system.behind.charges = []
  system.behind.downFor = undefined
})

const seen = async (path: string, by = browser) => {
  const { status, text } = await by.get(path)
  return { status, text, words: readable(text).replaceAll('\u00a0', ' ') }
}

test('the home page shows today beside the same day last week, and each figure leads to its list', async () => {
  const { text, words } = await seen('/portal')
  expect(words).toContain(
    'Sold today R$ 343,00 Sales: 7. The whole of the same day last week: R$ 300,00 (3). Everything that came in:',
  )
  expect(words).toContain('Cards approved 50%')
  expect(words).toContain('2 denied. The same day last week: 75%.')
  expect(words).toContain('Not enough limit or balance 2 A_NEW_CODE 1')
  expect(words).toContain('Invoices past due 3 R$ 450,00 are owed, without fine and interest.')
  for (const path of [
    `reports?from=${today}&amp;to=${today}`,
    `charges?status=DENIED&amp;createdFrom=${today}&amp;createdTo=${today}`,
    'charges?status=PENDING',
    'invoices?pastDue=true',
    'receipts?resolved=false',
    'disputes?status=NEEDS_RESPONSE',
    'endpoints',
  ]) {
    expect(text).toContain(`href="/portal/${path}"`)
    expect((await browser.get(`/portal/${path.replaceAll('&amp;', '&')}`)).status).toBe(200)
  }
})

test('the last 30 days are a picture of bars, with each day in a table', async () => {
  const { text, words } = await seen('/portal')
  expect(text.match(/<rect /g)).toHaveLength(30)
  expect(text.match(/height="0"/g)).toHaveLength(28)
  expect(words).toContain('Sales of the last 30 days Reports R$ 643,00')
  expect(words).toMatch(/R\$ 200,00 R\$ 99,00 R\$ 44,00 R\$ 343,00/)
})

test('pending charges are counted, with the oldest', async () => {
  system.behind.charges = [1, 2, 3].map((id) =>
    captured({ id, sellerId, status: ChargeStatus.PENDING, createdAt: CREATED_AT + id * 60_000 }),
  )
  expect((await seen('/portal')).words).toContain('Pending charges 3 The oldest is of 5 Mar 2026, 14:06.')
})

test('while one question has no answer, the rest is shown', async () => {
  system.behind.downFor = 'listCharges'
  const { status, words } = await seen('/portal')
  expect([status, words]).toEqual([200, expect.stringContaining('Some figures cannot be shown right now.')])
  expect(words).toContain('Invoices past due 3')
  expect(words).not.toContain('Pending charges')
  system.behind.downFor = 'sumDays'
  const without = (await seen('/portal')).words
  expect(without).toContain('Pending charges 0')
  expect(without).not.toContain('Sales of the last 30 days')
})

test('a shop that sold nothing is told how to begin', async () => {
  system.behind.orders.reports.days.length = 0
  system.behind.invoices.reports.days.length = 0
  system.behind.vouchers.reports.days.length = 0
  const { text, words } = await seen('/portal')
  expect(words).toContain('Nothing was sold yet')
  expect(text).toContain('href="/portal/invoices/new"')
  expect(text).toContain('href="/docs"')
})

test('who may not see webhooks has no figure of them', async () => {
  const clerk = openBrowser(system.url)
  await clerk.signIn(await system.addPerson(sellerId, 'SUPPORT'), PASSWORD)
  const { words } = await seen('/portal', clerk)
  expect(words).toContain('Sold today')
  expect(words).not.toContain('Webhooks that fail')
  expect((await seen('/portal/reports', clerk)).status).toBe(200)
})

test('the report adds both up once: by day, by month, and as CSV', async () => {
  const { words } = await seen(`/portal/reports?from=${today}&to=${today}&by=month`)
  expect(words).toContain(
    'R$ 200,00 R$ 99,00 R$ 44,00 R$ 1,00 R$ 56,00 R$ 60,00 R$ 15,00 R$ 241,00 Total R$ 200,00',
  )
  const { text } = await browser.get(`/portal/reports?from=${addDays(today, -6)}&to=${today}`)
  expect(text.match(/data-name="Period"/g)).toHaveLength(8)
  const csv = await browser.get(`/portal/reports.csv?from=${today}&to=${today}`)
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="sales.csv"')
  expect(csv.text).toBe(
    `from,to,captured,paid,vouchers,fees,refunded,disputed,won,net\r\n${today},${today},200.00,99.00,44.00,1.00,56.00,60.00,15.00,241.00\r\n`,
  )
})

test('the report says what each method brought, and each leads to its list', async () => {
  const query = `from=${addDays(today, -7)}&to=${today}`
  const { text, words } = await seen(`/portal/reports?${query}`)
  const table = words.slice(words.indexOf('Method Payments Gross Amount refunded Net'))
  expect(table).toContain(
    [
      'Pix 1 R$ 50,00 R$ 50,00',
      'Visa 2 R$ 150,00 R$ 25,00 R$ 125,00',
      'Boleto, of invoices 1 R$ 69,00 R$ 9,00 R$ 60,00',
      'Outside Cofre, of invoices 1 R$ 30,00 R$ 30,00',
      'Voucher VR 2 R$ 44,00 R$ 22,00 R$ 22,00',
      'Total 7 R$ 343,00 R$ 56,00 R$ 287,00',
    ].join(' '),
  )
  for (const path of [
    `charges?createdFrom=${addDays(today, -7)}&amp;createdTo=${today}`,
    `movements?from=${addDays(today, -7)}&amp;to=${today}&amp;method=BOLETO`,
    `vouchers?createdFrom=${addDays(today, -7)}&amp;createdTo=${today}`,
  ]) {
    expect(text).toContain(`href="/portal/${path}"`)
    expect((await browser.get(`/portal/${path.replaceAll('&amp;', '&')}`)).status).toBe(200)
  }
  const csv = await browser.get(`/portal/reports-by-method.csv?from=${today}&to=${today}`)
  expect(csv.text.split('\r\n').slice(0, 4)).toEqual([
    'from,to,source,method,count,gross,refunded,net',
    `${today},${today},charges,PIX,1,50.00,0.00,50.00`,
    `${today},${today},charges,VISA,2,150.00,25.00,125.00`,
    `${today},${today},invoices,BOLETO,1,69.00,9.00,60.00`,
  ])
})

test('what was sold today is not shown while a part of it is not known', async () => {
  system.behind.downFor = 'sumPastDue'
  const { words } = await seen('/portal')
  expect(words).not.toContain('Sold today')
  expect(words).toContain('Cards approved 50%')
})

test('in Portuguese too, the home page says what counts as sold', async () => {
  const reader = openBrowser(system.url)
  await reader.signIn(await system.addPerson(sellerId, 'READ_ONLY'), PASSWORD)
  await reader.get('/portal?language=pt-BR')
  const { words } = await seen('/portal', reader)
  expect(words).toContain(
    'Vendido hoje R$ 343,00 Vendas: 7. No mesmo dia da semana passada, o dia inteiro: R$ 300,00 (3).',
  )
  expect(words).toContain('Tudo o que entrou: cartões quando capturados')
})

test.each(['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'from=2001-01-01'])(
  'the report of %s is refused beside its field',
  async (query) => {
    const { status, words, text } = await seen(`/portal/reports?${query}`)
    expect([status, words]).toEqual([422, expect.stringContaining('Enter a valid value.')])
    expect(text).toMatch(/aria-invalid="true"/)
  },
)

test.each(['reports', 'movements'])('%s lead to this month and the last one, whole', async (page) => {
  const { text } = await browser.get(`/portal/${page}`)
  const months = [
    ...text.matchAll(/from=(\d{4}-\d\d-\d\d)&(?:amp;)?to=(\d{4}-\d\d-\d\d)">(?:This|Last) month/g),
  ]
  const before = addDays(`${today.slice(0, 8)}01`, -1)
  expect(months.map(([, from, to]) => [from, to])).toEqual([
    [`${today.slice(0, 8)}01`, today],
    [`${before.slice(0, 8)}01`, before],
  ])
})

test('a report has what disputes took and gave back, and leads to them', async () => {
  const { text } = await browser.get('/portal/reports?from=2026-03-01&to=2026-03-31')
  expect(text).toContain('Taken by disputes')
  expect(text).toContain('Given back by disputes')
  expect(text).toMatch(/href="\/portal\/disputes\?openedFrom=2026-03-01&(amp;)?openedTo=2026-03-31"/)
})

test('on paper a page has the name of the shop and the time, and nothing to click', async () => {
  const { text } = await browser.get('/portal/reports')
  expect(text).toMatch(/<p class="printed"><strong>Loja<\/strong> · \d/)
  const style = /href="([^"]+style\.css[^"]*)"/.exec(text)?.[1] ?? ''
  expect((await browser.get(style)).text).toMatch(/@media print/)
})
