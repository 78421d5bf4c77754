import { Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let sellerId: number
let email: string
let browser: Browser
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  email = await system.addPerson(sellerId, 'BOOKKEEPER')
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
})
afterAll(() => system.stop())

const RECEIPT = '/portal/receipts/12'
const words = (text: string) => readable(text).replaceAll('\u00a0', ' ')
const page = async (path: string) => words((await browser.get(path)).text)
const asked = () => system.behind.invoices.asked.money.at(-1)

test('a receipt shows what became of each part of it, with its invoice and the reference', async () => {
  const text = await page(RECEIPT)
  expect(text).toContain('What became of it')
  expect(text).toMatch(/Return Boleto None TED 1 -R\$ 0,20/)
  expect((await browser.get('/portal/movements')).text).toContain(`href="${RECEIPT}"`)
})

test.each([
  '12345670000000004',
  '00190.00009 01234.567004 00000.004176 2 15030000012345',
  '00190000090123456700400000004176215030000012345',
  'LIQ-1',
])('the search finds the money of a boleto by %s', async (q) => {
  const { text } = await browser.get(`/portal/search?q=${encodeURIComponent(q)}`)
  expect(text).toContain(`href="${RECEIPT}"`)
  expect(words(text)).toContain('TED 1')
})

describe('money that waits is applied', () => {
  const APPLY = `${RECEIPT}/apply`
  const ANA = { id: 3, name: 'Ana Souza', document: '52998224725' }
  const BIA = { id: 4, name: 'Bia Lima', document: '11144477735' }
  const applied = () =>
    system.behind.invoices.asked.money
      .filter(({ rpc }) => rpc === 'applyReceipt')
      .map(({ request }) => request)
  beforeAll(() => {
    for (const [id, invoiceNumber, customer] of [
      [77, '000077', ANA],
      [78, '000078', ANA],
      [79, '000079', BIA],
    ] as const) {
      const status = InvoiceStatus.CLOSED
      const fields = { id, sellerId, invoiceNumber, customer, status, amount: 5_000, balanceAmount: 5_000 }
      system.behind.invoices.invoices.set(id, Invoice.fromPartial(fields))
    }
  })

  test('to an invoice that is chosen among the open ones of its customer', async () => {
    const { text } = await browser.get(APPLY)
    expect(words(text)).toContain('000078 · Ana Souza · R$ 50,00')
    expect(text).not.toContain('Bia Lima')
    expect((await browser.submit(APPLY, { invoice: '78' })).status).toBe(303)
    expect(applied().at(-1)).toMatchObject({ receiptId: 12, invoiceId: 78, writeOffRest: false })
  })

  test('to another invoice of the customer by its number; a number that none has is refused', async () => {
    const before = applied().length
    const none = await browser.submit(APPLY, { invoice: '78', invoiceNumber: '000099' })
    expect([none.status, words(none.text)]).toEqual([
      422,
      expect.stringContaining('No open invoice has this number.'),
    ])
    expect(applied()).toHaveLength(before)
    expect((await browser.submit(APPLY, { invoice: '78', invoiceNumber: '000077' })).status).toBe(303)
    expect(applied().at(-1)).toMatchObject({ invoiceId: 77 })
  })

  test('to an invoice of somebody else only once that was said', async () => {
    const before = applied().length
    const fields = { invoice: '78', invoiceNumber: '000079' }
    const first = await browser.submit(APPLY, fields)
    expect([first.status, words(first.text)]).toEqual([
      422,
      expect.stringContaining('This invoice is of Bia Lima, who owes R$ 50,00.'),
    ])
    expect(applied()).toHaveLength(before)
    expect((await browser.submit(APPLY, { ...fields, isOthers: 'true' })).status).toBe(303)
    expect(applied().at(-1)).toMatchObject({ invoiceId: 79 })
  })

  test('and until then, the page of its invoice says that it waits, and leads to it', async () => {
    const { text } = await browser.get('/portal/invoices/77')
    expect(words(text)).toContain('Money that waits for you')
    expect(text).toContain(`href="${RECEIPT}"`)
    expect((await browser.get('/portal/invoices/78')).text).not.toContain(RECEIPT)
  })
})

test('a boleto’s money is not given back by Pix: its return is recorded, with the day and the reference', async () => {
  const { text } = await browser.get(RECEIPT)
  expect(text).toContain(`${RECEIPT}/record-return`)
  expect(text).not.toContain(`${RECEIPT}/return"`)
  const fields = { amountInCents: '0,20', returnedAt: '2026-01-02', reference: 'TED 9912' }
  const done = await browser.submit(`${RECEIPT}/record-return`, fields)
  expect(done.status).toBe(303)
  expect(asked()).toMatchObject({
    rpc: 'returnReceipt',
    request: { amount: 20, byPix: false, reference: 'TED 9912' },
  })
  expect(await page(RECEIPT)).toContain('The return was recorded.')
})

test('a return without a day is refused: the bank is asked for nothing', async () => {
  const before = system.behind.invoices.asked.money.length
  const { status } = await browser.submit(`${RECEIPT}/record-return`, { amountInCents: '0,20' })
  expect(status).toBe(422)
  expect(system.behind.invoices.asked.money.slice(before).map(({ rpc }) => rpc)).not.toContain(
    'returnReceipt',
  )
})

test('more than waits is refused with the sum that is left', async () => {
  const { status, text } = await browser.submit(`${RECEIPT}/record-return`, {
    amountInCents: '0,21',
    returnedAt: '2026-01-02',
  })
  expect([status, words(text)]).toEqual([422, expect.stringContaining('At most R$ 0,20.')])
})

test('who may read the audit sees who did what on the page of a thing, and nobody else does', async () => {
  const fields = { amountInCents: '0,20', returnedAt: '2026-01-02', reference: 'TED 4711' }
  await browser.submit(`${RECEIPT}/record-return`, fields)
  const text = await page(RECEIPT)
  expect(text).toMatch(new RegExp(`Done in the portal .*${email} Record a return R\\$ 0,20, TED 4711`))
  const other = openBrowser(system.url)
  await other.signIn(await system.addPerson(sellerId, 'READ_ONLY'), PASSWORD)
  expect(words((await other.get(RECEIPT)).text)).not.toContain('Done in the portal')
})

test('another shop’s people see nothing of what was done in this one', async () => {
  const stranger = openBrowser(system.url)
  await stranger.signIn((await system.makeSeller()).email, PASSWORD)
  expect(words((await stranger.get(RECEIPT)).text)).not.toContain(email)
})

test('in Portuguese each list is named in its own gender', async () => {
  await browser.get(`${RECEIPT}?language=pt-BR`)
  expect(await page(RECEIPT)).toContain('Aguardando você')
  const kinds = await page('/portal/movements')
  expect(kinds).toContain('Estorno')
  expect(kinds).not.toContain('Estornar')
  const statuses = await page('/portal/charges')
  for (const each of ['Qualquer', 'Negada', 'Capturada', 'Cancelada', 'Expirada', 'Estornada']) {
    expect(statuses).toContain(each)
  }
  await browser.get(`${RECEIPT}?language=en`)
})
