import { AutomaticChargeStatus, Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
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

let last = 5_000
function made(fields: Parameters<typeof Invoice.fromPartial>[0]): string {
  const id = (last += 1)
  const owed = { status: InvoiceStatus.CLOSED, amount: 8_990, payableAmount: 8_990 }
  system.behind.invoices.invoices.set(
    id,
    Invoice.fromPartial({ id, sellerId, invoiceNumber: String(id), customer: {}, ...owed, ...fields }),
  )
  return `/portal/invoices/${id}`
}

const { GIVEN_UP, WAITING, STOPPED } = AutomaticChargeStatus

test('a card that was given up is charged once more after a page that asks', async () => {
  const path = made({ automaticCharge: { status: GIVEN_UP, attempts: 5 } })
  expect((await browser.get(path)).text).toContain(`href="${path}/retry"`)
  const asking = readable((await browser.get(`${path}/retry`)).text)
  expect(asking).toMatch(/is charged \S+\s89[.,]90 now\./)
  expect(await browser.submit(`${path}/retry`, {})).toMatchObject({ status: 303, location: path })
  const after = (await browser.get(path)).text
  expect(readable(after)).toContain('The card was charged.')
  expect(after).not.toContain(`href="${path}/retry"`)
})

test('what the card is not asked for is named before it is written off', async () => {
  const late = { payableAmount: 9_186, fineAmount: 180, interestAmount: 16 }
  const path = made({ automaticCharge: { status: GIVEN_UP, attempts: 5 }, ...late })
  const asking = readable((await browser.get(`${path}/retry`)).text)
  expect(asking).toMatch(/is charged \S+\s89[.,]90 now\. .*\S+\s1[.,]96 of fine and interest is written off/)
})

test.each([
  ['before the first try', { automaticCharge: { status: WAITING, attempts: 0 } }],
  ['once it is stopped', { automaticCharge: { status: STOPPED, attempts: 5 } }],
  ['in a pause', { automaticCharge: { status: WAITING, attempts: 1, reason: 'RECURRING_INVOICE_PAUSED' } }],
  ['of an invoice that no card is charged for', {}],
])('nothing is offered %s', async (_when, fields) => {
  const path = made(fields)
  expect((await browser.get(path)).text).not.toContain(`href="${path}/retry"`)
})
