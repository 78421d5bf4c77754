import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { Language } from '../../src/http/route'
import { csvLines } from '../../src/api/csv/csv'
import { INVOICE_COLUMNS } from '../../src/api/invoices/invoice-csv'
import { newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const CSV = '/api/v2/invoices/csv'
/** The time at which the stand-in reads the first page. */
const NEW_YEAR = Date.UTC(2026, 0, 1)
const HEAD =
  'id,invoiceNumber,status,customerName,customerDocument,dueDate,closeDate,paymentDate,amount,fine,interest,discount,payable,paid,refunded,writtenOff,balance,disputed'
const create = (over: Record<string, unknown> = {}) =>
  gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/invoices`, { body: { ...newInvoice, ...over } })

test('the file has a line for each invoice, the newest first, and only the seller’s own', async () => {
  const foreign = { token: gateway.other.token, body: newInvoice }
  await gateway.call('POST', `/api/v2/sellers/${gateway.other.sellerId}/invoices`, foreign)
  const { body: first } = await create({ invoiceNumber: 'A-1' })
  const { body: second } = await create({ invoiceNumber: '=1+1' })
  await gateway.call('POST', `/api/v2/invoices/${first.id}/finalize`)
  const { status, headers, text } = await gateway.call('GET', CSV)
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="invoices.csv"'])
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(text.split('\r\n')).toEqual([
    HEAD,
    `${second.id},'=1+1,OPEN,Ana Souza,123.456.789-09,2026-03-02,,,99.80,0.00,0.00,0.00,99.80,0.00,0.00,0.00,0.00,0.00`,
    `${first.id},A-1,CLOSED,Ana Souza,123.456.789-09,2026-03-02,2025-12-31,,99.80,0.00,0.00,0.00,99.80,0.00,0.00,0.00,0.00,0.00`,
    '',
  ])
})

test('in Portuguese it has semicolons, decimal commas and a byte order mark', async () => {
  const response = await fetch(`${gateway.url}${CSV}`, {
    headers: { authorization: `Bearer ${gateway.token}`, 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' },
  })
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8')
  expect(text.startsWith(`\uFEFF${HEAD.replaceAll(',', ';')}\r\n`)).toBe(true)
  expect(text).toContain(';99,80;')
  expect(response.headers.get('content-language')).toBe('pt-BR')
  expect(response.headers.get('vary')).toContain('Accept-Language')
})

const invoiceOf = (customerName: string, invoiceNumber = '1'): Invoice =>
  ({
    id: 1,
    status: InvoiceStatus.OPEN,
    invoiceNumber,
    customer: { name: customerName, document: '12345678909' },
    dueDate: Date.parse('2026-11-23T02:59:59Z'),
    amount: 5,
    fineAmount: 2,
    interestAmount: 1,
    discountAmount: 6,
    writtenOffAmount: 3,
    balanceAmount: 4,
    payableAmount: 1_234_567_890,
    paidAmount: 0,
    refundedAmount: 0,
    disputedAmount: 0,
  }) as Invoice

test.each([
  ['=cmd|calc', "'=cmd|calc"],
  ['+55 11', "'+55 11"],
  ['-1', "'-1"],
  ['@import', "'@import"],
  ['\t=1', "'\t=1"],
  ['Souza, Ana', '"Souza, Ana"'],
  ['Ana "Bia" Souza', '"Ana ""Bia"" Souza"'],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['two\r\nlines', '"two\r\nlines"'],
  ['Ana; Bia', '"Ana; Bia"'],
  ['\n=1+1', '"\'\n=1+1"'],
])('the name %j is the cell %j', (name, cell) => {
  expect(csvLines(INVOICE_COLUMNS, [invoiceOf(name)], 'en')).toBe(
    `1,1,OPEN,${cell},123.456.789-09,2026-11-22,,,0.05,0.02,0.01,0.06,12345678.90,0.00,0.00,0.03,0.04,0.00\r\n`,
  )
})

test('the paid, the refunded and the disputed amounts are in their columns', () => {
  const money = { payableAmount: 0, paidAmount: 12_345, refundedAmount: 67, disputedAmount: 89 }
  const refunded = { ...invoiceOf('Ana'), ...money }
  expect(csvLines(INVOICE_COLUMNS, [refunded], 'en')).toContain(
    ',0.05,0.02,0.01,0.06,0.00,123.45,0.67,0.03,0.04,0.89\r\n',
  )
})

test.each<[Language, string, string]>([
  ['en', "x;=cmd|'/C calc'!A0;y", ';'],
  ['pt-BR', 'x,=1+1,y', ','],
  ['en', 'x; \t@SUM(A1)', ';'],
  ['en', 'a;"=1+1;b', ';'],
  ['en', 'a\t"=1+1\tb', '\t'],
  ['pt-BR', 'a,"=1+1,b', ','],
  ['pt-BR', 'a\t""+1\tb', '\t'],
  ['en', 'a\n"=1+1;b', '\n'],
  ['en', 'a;＝1+1', ';'],
  ['pt-BR', 'a,＠SUM(1)', ','],
])(
  'in the file of %s the name %j begins no formula, also where cells end at %j',
  (language, name, separator) => {
    const cells = csvLines(INVOICE_COLUMNS, [invoiceOf(name)], language).split(separator)
    expect(cells.filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell))).toEqual([])
  },
)

test('in Portuguese both separators are quoted too', () => {
  const lineOf = (name: string) =>
    csvLines(INVOICE_COLUMNS, [invoiceOf(name)], 'pt-BR').split('123.456.789-09')[0]
  expect(lineOf('Ana; Bia')).toBe('1;1;OPEN;"Ana; Bia";')
  expect(lineOf('Souza, Ana')).toBe('1;1;OPEN;"Souza, Ana";')
})

test('many pages make one file: a short first one, then longer ones, as of the moment of the first', async () => {
  const { body: first } = await create()
  const { invoices } = gateway.invoices
  const made = invoices.get(first.id) as Invoice
  for (let id = 1_000; id < 2_200; id += 1) invoices.set(id, { ...made, id, invoiceNumber: String(id) })
  const { text } = await gateway.call('GET', `${CSV}?status=OPEN`)
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[0]))
  expect(ids.slice(0, 1_200)).toEqual(Array.from({ length: 1_200 }, (_, at) => 2_199 - at))
  const asked = gateway.invoices.asked.invoices.list.slice(-5)
  expect(asked.map(({ size, after, at }) => [size, after, at])).toEqual([
    [50, undefined, undefined],
    [100, 2_150, NEW_YEAR],
    [200, 2_050, NEW_YEAR],
    [400, 1_850, NEW_YEAR],
    [500, 1_450, NEW_YEAR],
  ])
  expect(asked[0]?.statuses).toEqual([InvoiceStatus.OPEN])
})

test('a bad filter is a problem, not a file, and the export needs its scope', async () => {
  const { status, body } = await gateway.call('GET', `${CSV}?status=DRAFT`)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const reader = { token: (await gateway.tokenWith(['invoices:write'])).accessToken }
  expect((await gateway.call('GET', CSV, reader)).status).toBe(403)
})

test('HEAD has the headers and reads no invoices beyond the first page', async () => {
  const before = gateway.invoices.asked.invoices.list.length
  const { status, text } = await gateway.call('HEAD', CSV)
  expect([status, text, gateway.invoices.asked.invoices.list.length - before]).toEqual([200, '', 1])
})

test.each(['identity', 'gzip', 'br'])(
  'a file that fails on the way is cut, and ends incomplete: %s',
  async (encoding) => {
    const { asked } = gateway.invoices
    const before = asked.invoices.list.length
    // The stand-in refuses the second page.
    gateway.invoices.hooks.onCall = () => {
      if (asked.invoices.list.length > before) throw new Error('of the test')
    }
    const response = await fetch(`${gateway.url}${CSV}`, {
      headers: { authorization: `Bearer ${gateway.token}`, 'accept-encoding': encoding },
    })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    gateway.invoices.hooks.onCall = () => {}
    expect((await gateway.call('GET', CSV)).status).toBe(200)
  },
)
