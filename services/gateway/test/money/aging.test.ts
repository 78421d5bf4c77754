import { Aging, CustomerAging, OwedSum } from '@cofre/proto/invoices/v1/reports'
import { startGateway, type Gateway } from '../support/gateway'

const AGING = Aging.fromPartial({
  notDue: { count: 1, amount: 1_000 },
  days1To30: { count: 2, amount: 2_050 },
  over90Days: { count: 1, amount: 5_000 },
})

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  const { debtors, owed } = gateway.invoices.reports
  const names = ['Ana Souza', '=Bia', 'Caio']
  debtors.push(
    ...names.map((name, index) =>
      CustomerAging.fromPartial({
        day: '2026-03-12',
        customerId: index + 1,
        name,
        document: '12345678909',
        aging: AGING,
        fine: 100,
        interest: 20,
        daysLate: 95 - index,
        oldestInvoiceId: 70 + index,
        oldestInvoiceNumber: `00007${index}`,
      }),
    ),
  )
  Object.assign(owed, OwedSum.fromPartial({ day: '2026-03-12', aging: AGING }))
})
afterAll(() => gateway.stop())

const get = (path: string, headers?: Record<string, string>) =>
  gateway.call('GET', path, headers ? { headers } : {})

const SUMS = {
  owed: { count: 4, amountInCents: 8_050 },
  pastDue: { count: 3, amountInCents: 7_050 },
  notDue: { count: 1, amountInCents: 1_000 },
  days1To30: { count: 2, amountInCents: 2_050 },
  days31To60: { count: 0, amountInCents: 0 },
  days61To90: { count: 0, amountInCents: 0 },
  over90Days: { count: 1, amountInCents: 5_000 },
}

test('what a customer owes is read by the customer’s id', async () => {
  const { status, body } = await get('/api/v2/customers/1/aging')
  expect([status, body]).toEqual([
    200,
    {
      day: '2026-03-12',
      customer: { id: 1, name: 'Ana Souza', document: '12345678909', isDeleted: false },
      ...SUMS,
      fineInCents: 100,
      interestInCents: 20,
      daysLate: 95,
      oldestInvoice: { id: 70, invoiceNumber: '000070' },
      isLowerBound: false,
    },
  ])
  expect((await get('/api/v2/customers/4/aging')).status).toBe(404)
})

test('those who owe are read page by page, with the sums of all', async () => {
  const first = await get('/api/v2/reports/aging?size=2')
  expect(first.body).toMatchObject({
    total: SUMS,
    totalIsLowerBound: false,
    content: [{ daysLate: 95 }, { daysLate: 94 }],
    next: 2,
  })
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await get(new URL(link).pathname + new URL(link).search)
  expect(second.body).toMatchObject({ content: [{ customer: { name: 'Caio' } }], next: null })
  expect(second.headers.get('link')).toBeNull()
})

test('those who owe are exported, also for a spreadsheet in Portuguese', async () => {
  const english = await get('/api/v2/reports/aging/csv')
  expect(english.headers.get('content-disposition')).toBe('attachment; filename="customers-who-owe.csv"')
  expect(english.text.split('\r\n').slice(0, 3)).toEqual([
    'customerId,customerName,customerDocument,daysLate,invoices,owed,pastDue,notDue,days1To30,days31To60,days61To90,over90Days,fine,interest',
    '1,Ana Souza,123.456.789-09,95,4,80.50,70.50,10.00,20.50,0.00,0.00,50.00,1.00,0.20',
    "2,'=Bia,123.456.789-09,94,4,80.50,70.50,10.00,20.50,0.00,0.00,50.00,1.00,0.20",
  ])
  const portuguese = await get('/api/v2/reports/aging/csv', { 'Accept-Language': 'pt-BR' })
  expect(portuguese.text).toContain('1;Ana Souza;123.456.789-09;95;4;80,50;')
})

test.each([
  ['size=0', '#/size'],
  ['after=x', '#/after'],
  ['page=1', '#/page'],
])('%s is refused', async (query, pointer) => {
  const { status, body } = await get(`/api/v2/reports/aging?${query}`)
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer })]])
})
