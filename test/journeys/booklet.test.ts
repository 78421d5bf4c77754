import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'
import type { Browser, Page } from 'playwright-core'
import { prepareReader, readBars } from '../../services/invoices/test/support/barcode-reader'
import { oracleLine } from '../../services/invoices/test/support/boleto-oracle'
import { describeInChromium, faultsOf, openWindow, startChromium } from './chromium'
import { pagesOf, printedBars } from './printed-bars'
import { INVOICES, move, newShop, read, write, type Shop } from './shop'
import { discard, startSystem, type System } from './system'

const RECURRING = '/api/v2/recurring-invoices'
const SETTLED_MS = 90_000
const MM = 72 / 25.4

let system: System
let shop: Shop
let browser: Browser

type Generated = {
  invoiceId: number
  boleto: { status: string; digitableLine: string; barcode: string } | null
}

async function newBooklet(changes: object = {}) {
  const body = {
    customerId: shop.customerId,
    daysUntilDue: 5,
    billingFrequency: 'MONTHLY',
    chargesByBooklet: 12,
    recurringItem: { productId: shop.productId, quantity: 2, unitPriceInCents: 4_990 },
    acceptedPaymentMethods: [{ method: 'BOLETO', boletoSettings: { instructions: ['Mensalidade.'] } }],
    fine: { percentageBps: 200 },
    interest: { monthlyPercentageBps: 100 },
    ...changes,
  }
  const {
    status,
    body: booklet,
    headers,
  } = await write(system, 'POST', `/api/v2/sellers/${system.ready.sellerId}/booklet`, {
    body,
    key: randomUUID(),
  })
  expect([status, booklet.status, booklet.cyclesBilled]).toEqual([201, 'FINISHED', booklet.chargesByBooklet])
  expect(booklet.recurringItem).toMatchObject(body.recurringItem)
  const self = `${system.ready.baseUrl}${RECURRING}/${booklet.id}`
  expect(headers.get('location')).toBe(self)
  for (const [rel, url] of [
    ['self', self],
    ['subscription', `${self}/subscription`],
    ['invoices', `${self}/invoices`],
    ['booklet', `${self}/booklet`],
  ]) {
    expect(headers.get('link')).toContain(`<${url}>; rel="${rel}"`)
  }
  return booklet as { id: number }
}

/** The boletos of a booklet, once the bank has registered all of them. */
function registered({ id }: { id: number }, count: number): Promise<Generated[]> {
  return eventually(async () => {
    const { status, body } = await write(system, 'POST', `${RECURRING}/${id}/boleto/generate-bulk`)
    expect(status).toBe(200)
    const states = (body as Generated[]).map(({ boleto }) => boleto?.status)
    expect(states).toEqual(Array.from({ length: count }, () => 'REGISTERED'))
    return body
  }, SETTLED_MS)
}

/** Opens a booklet in a browser that sends the seller's token; collects its console messages and errors. */
async function open({ id }: { id: number }): Promise<{ page: Page; complaints: string[] }> {
  const page = await openWindow(browser, 'pt-BR')
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${system.ready.token}` })
  const answer = await page.goto(`${system.ready.baseUrl}${RECURRING}/${id}/booklet`)
  expect(answer?.status()).toBe(200)
  expect(answer?.headers()['content-type']).toBe('text/html; charset=utf-8')
  return { page, complaints }
}

/** Prints a page as the browser's dialog does, without backgrounds. SCREENSHOTS names a folder for a copy. */
async function print(page: Page, name: string): Promise<Buffer> {
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  return page.pdf({
    preferCSSPageSize: true,
    printBackground: false,
    ...(folder === undefined ? {} : { path: join(folder, `${name}.pdf`) }),
  })
}

/** How many pixels are cut off from each digitable line, stub or label that is too long. */
const hidden = (page: Page): Promise<number[]> =>
  page
    .locator('.line, .stub h2, .stub .kind, .cells dt')
    .evaluateAll((elements: any[]) =>
      elements
        .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
        .filter((pixels) => pixels > 0),
    )

describeInChromium('a booklet', () => {
  beforeAll(async () => {
    await prepareReader()
    system = await startSystem()
    shop = await newShop(system)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    await discard(system)
  })

  test.each([
    [12, 'MONTHLY'],
    [60, 'WEEKLY'],
  ])('of %i is printed three to a sheet, and every barcode is read back', async (count, billingFrequency) => {
    const booklet = await newBooklet({ chargesByBooklet: count, billingFrequency })
    const generated = await registered(booklet, count)
    const { page, complaints } = await open(booklet)
    expect(await page.locator('article').count()).toBe(count)
    const pdf = await print(page, `booklet-${count}`)
    expect(pagesOf(pdf)).toBe(Math.ceil(count / 3))
    expect(await hidden(page)).toEqual([])

    const printed = printedBars(pdf)
    expect(printed).toHaveLength(count)
    for (const { bars, width, height } of printed) {
      expect(bars).toHaveLength(114)
      // FEBRABAN: 103 by 13 millimetres.
      expect(Math.abs(width - 103 * MM)).toBeLessThan(0.5)
      expect(Math.abs(height - 13 * MM)).toBeLessThan(0.5)
    }
    const codes = await Promise.all(printed.map(({ bars }) => readBars(bars)))
    expect(codes).toEqual(generated.map(({ boleto }) => boleto?.barcode))
    const lines = await page.locator('.line').allTextContents()
    expect(lines.map((line) => line.replaceAll(/\D/g, ''))).toEqual(
      codes.map((code) => oracleLine(code ?? '')),
    )
    expect(complaints).toEqual([])
  })

  test('marks paid, voided and unregistered boletos, on desktop and phone, light and dark', async () => {
    const colors = {
      primaryColor: '#FFE500',
      secondaryColor: '#DDDDDD',
      colors: {
        headerBackground: '#FFF3B0',
        headerText: '#FFFFFF',
        bodyBackground: '#FFFDE7',
        bodyText: '#EEEEEE',
      },
    }
    expect((await write(system, 'PUT', `${INVOICES}/themes`, { body: colors })).status).toBe(200)
    const silent = { partner: 'BANK', kind: 'ANSWER_LOST', times: 1_000, queries: true }
    await system.sandbox('POST', '/faults', silent)
    const booklet = await newBooklet({ chargesByBooklet: 4 })
    const waiting = await open(booklet)
    await system.sandbox('DELETE', '/faults')
    expect(await waiting.page.getByText('Em registro', { exact: true }).count()).toBe(4)
    expect(await waiting.page.locator('.line, .bars').count()).toBe(0)

    const [first, second] = await registered(booklet, 4)
    await system.sandbox('POST', `/boletos/${first?.boleto?.digitableLine}/pay`, {})
    await move(system, second?.invoiceId ?? 0, 'void')
    await eventually(async () => {
      expect((await read(system, `${INVOICES}/${first?.invoiceId}`)).body.status).toBe('PAID')
    }, SETTLED_MS)
    const later = await open(booklet)
    const across = await later.page.locator('.across text').allTextContents()
    expect(across).toEqual(['PAGO', 'CANCELADO', 'NÃO PAGÁVEL', 'NÃO PAGÁVEL'])
    expect([...(await faultsOf(later.page, 'booklet-mixed')), ...later.complaints]).toEqual([])
  })

  test('that takes only cards has no boletos, and links to the page on which each invoice is paid', async () => {
    const booklet = await newBooklet({
      chargesByBooklet: 2,
      acceptedPaymentMethods: [{ method: 'CREDIT_CARD' }],
    })
    const { body } = await write(system, 'POST', `${RECURRING}/${booklet.id}/boleto/generate-bulk`)
    expect((body as { boleto: null; error: { code: string } }[]).map(({ error }) => error.code)).toEqual(
      Array.from({ length: 2 }, () => 'PAYMENT_METHOD_NOT_ACCEPTED'),
    )
    const { page } = await open(booklet)
    const links = await page.locator('.absent a').evaluateAll((found: any[]) => found.map(({ href }) => href))
    const { body: invoices } = await read(system, `${RECURRING}/${booklet.id}/invoices`)
    const pages = invoices.content.map(({ paymentUrl }: { paymentUrl: string }) => paymentUrl)
    expect(new Set(links)).toEqual(new Set(pages))
  })
})
