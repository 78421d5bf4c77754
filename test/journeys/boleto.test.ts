import { databaseOf } from '@cofre/platform/service/services'
import { eventually } from '@cofre/testing/testing'
import type { InvoiceJson } from '@cofre/api/invoice'
import {
  INVOICES,
  invoiceOf,
  listen,
  move,
  newInvoice,
  newShop,
  read,
  toldIn,
  write,
  type Shop,
} from './shop'
import { withDatabase } from '../probed/places'
import { discard, startSystem, type System } from './system'

const DAY_MS = 86_400_000
const SETTLED_MS = 60_000
const AMOUNT = 9_980
const INBOX = 'boletos'

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
  await listen(system, INBOX)
})
afterAll(async () => {
  await discard(system)
})

const fine = { amountInCents: 200, startsAfterDays: 1 }
const acceptedPaymentMethods = [{ method: 'BOLETO', boletoSettings: { daysAfterDueDate: 30 } }]
const bill = (changes: object = {}) =>
  newInvoice(system, invoiceOf(shop, { fine, acceptedPaymentMethods, ...changes }))
const issue = ({ id }: Pick<InvoiceJson, 'id'>) => write(system, 'POST', `${INVOICES}/${id}/boleto`)
const readInvoice = async (id: number) => (await read(system, `${INVOICES}/${id}`)).body
const pay = (line: string, body: object = {}) => system.sandbox('POST', `/boletos/${line}/pay`, body)

/** The boleto as the bank records it; undefined when the bank has none. */
async function atBank(line: string) {
  const slips: { digitableLine: string; status: string; ourNumber: string }[] = await system.sandbox(
    'GET',
    '/boletos',
  )
  return slips.find(({ digitableLine }) => digitableLine === line)
}

const waitingFor = async (invoiceId: number | null) =>
  (await read(system, `${INVOICES}/unexpected-receipts?resolved=false&size=100`)).body.content.filter(
    (receipt: { invoiceId: number | null }) => receipt.invoiceId === invoiceId,
  )

async function issued(changes: object = {}) {
  const invoice = await bill(changes)
  const { status, body } = await issue(invoice)
  expect([status, body.status]).toEqual([201, 'REGISTERED'])
  return { invoice, line: body.digitableLine as string, pdfUrl: body.pdfUrl as string }
}

test('the story: a boleto is issued, printed, paid at the bank, and the invoice is PAID', async () => {
  const { invoice, line, pdfUrl } = await issued()
  expect((await issue(invoice)).status).toBe(200)
  const slip = await fetch(pdfUrl)
  expect([slip.status, slip.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await slip.text()).slice(0, 5)).toBe('%PDF-')
  await pay(line)
  await eventually(async () => {
    expect(await readInvoice(invoice.id)).toMatchObject({
      status: 'PAID',
      paidInCents: AMOUNT,
      charge: { status: 'PAID', method: 'BOLETO' },
      transactions: [{ type: 'BOLETO', status: 'SUCCEEDED', amountInCents: AMOUNT }],
    })
  }, SETTLED_MS)
  expect(await waitingFor(invoice.id)).toEqual([])
})

const inDays = (days: number) => ({ paidAt: Date.now() + days * DAY_MS })

/** The types of the events that the inbox got of an invoice, in order, without their prefix. */
const toldOf = async (id: number) =>
  ((await toldIn(system, INBOX)).get(id) ?? []).map(({ type }) => type.replace('invoice.', ''))

const NOT_PAID = ['created', 'finalized']
const IS_PAID = [...NOT_PAID, 'paid']

test.each([
  ['exactly', [{}], 'PAID', [], IS_PAID],
  ['too little', [{ amountInCents: AMOUNT - 1 }], 'CLOSED', ['UNDERPAID'], NOT_PAID],
  ['too much', [{ amountInCents: AMOUNT + 20 }], 'PAID', ['OVERPAID'], IS_PAID],
  ['late, with what the bank adds', [inDays(25)], 'PAID', [], IS_PAID],
  ['late, without it', [{ amountInCents: AMOUNT, ...inDays(25) }], 'PAID', [], IS_PAID],
  ['late, with less', [{ amountInCents: AMOUNT - 1, ...inDays(25) }], 'CLOSED', ['UNDERPAID'], NOT_PAID],
  ['twice', [{}, {}], 'PAID', ['ALREADY_PAID'], IS_PAID],
  ['after its last day', [inDays(60)], 'CLOSED', ['AFTER_EXPIRY'], NOT_PAID],
])('a boleto that is paid %s settles right', async (_how, payments, status, reasons, events) => {
  const { invoice, line } = await issued()
  for (const payment of payments) await pay(line, payment)
  await eventually(async () => {
    const waiting: { reason: string }[] = await waitingFor(invoice.id)
    expect(waiting.map(({ reason }) => reason)).toEqual(reasons)
    expect((await readInvoice(invoice.id)).status).toBe(status)
    expect(await toldOf(invoice.id)).toEqual(events)
  }, SETTLED_MS)
})

test('an invoice due on a Saturday and paid on the next business day has no fine', async () => {
  const days = (6 - new Date(Date.now() - 3 * 3_600_000).getUTCDay() + 7) % 7
  const dueDate = Date.now() + (days + 7) * DAY_MS
  const { invoice, line } = await issued({ dueDate })
  await pay(line, { amountInCents: AMOUNT, paidAt: dueDate + 2 * DAY_MS })
  await eventually(async () => {
    expect(await readInvoice(invoice.id)).toMatchObject({ status: 'PAID', paidInCents: AMOUNT })
    expect(await toldOf(invoice.id)).toEqual(IS_PAID)
  }, SETTLED_MS)
  expect(await waitingFor(invoice.id)).toEqual([])
})

test('voiding an invoice cancels its boleto at the bank; a payment that still comes waits for a person', async () => {
  const { invoice, line } = await issued()
  await move(system, invoice.id, 'void')
  await eventually(async () => expect((await atBank(line))?.status).toBe('BAIXADO'), SETTLED_MS)
  await pay(line)
  await eventually(
    async () => expect(await waitingFor(invoice.id)).toMatchObject([{ reason: 'INVOICE_VOIDED' }]),
    SETTLED_MS,
  )
  expect((await readInvoice(invoice.id)).status).toBe('CANCELLED')
  expect(await toldOf(invoice.id)).toEqual([...NOT_PAID, 'voided'])
})

/** Takes the database of invoices back to before a slip was made, as a restore does. */
async function forgetSlip(ourNumber: string): Promise<void> {
  const [account, sequence] = [ourNumber.slice(0, 7), Number(ourNumber.slice(7))]
  await withDatabase(system.runDir, databaseOf('invoices'), async (client) => {
    await client.query('DELETE FROM boletos WHERE our_number = $1', [ourNumber])
    await client.query('UPDATE boleto_numbers SET next = $1 WHERE account = $2', [sequence, account])
  })
}

test('after a restore that lost a slip, its number is given to no other, and its money waits for a person', async () => {
  const { line: lost } = await issued()
  const number = (await atBank(lost))?.ourNumber ?? ''
  await forgetSlip(number)
  const { invoice, line } = await issued()
  expect([line === lost, (await atBank(line))?.ourNumber === number]).toEqual([false, false])
  await pay(lost)
  await eventually(
    async () =>
      expect(await waitingFor(null)).toMatchObject([{ reason: 'UNKNOWN_BOLETO', ourNumber: number }]),
    SETTLED_MS,
  )
  expect((await readInvoice(invoice.id)).status).toBe('CLOSED')
  const [{ id }] = await waitingFor(null)
  const note = { body: { note: 'Devolvido.' } }
  await system.api('POST', `${INVOICES}/unexpected-receipts/${id}/resolve`, note)
  await pay(line)
  await eventually(async () => expect((await readInvoice(invoice.id)).status).toBe('PAID'), SETTLED_MS)
})

test('money for an unknown boleto waits until a person resolves it', async () => {
  const { line } = await issued()
  const agreement = (await atBank(line))?.ourNumber.slice(0, 7)
  await system.sandbox('POST', '/bank/receipts', { ourNumber: `${agreement}9999999999`, amountInCents: 700 })
  await eventually(
    async () => expect(await waitingFor(null)).toMatchObject([{ reason: 'UNKNOWN_BOLETO' }]),
    SETTLED_MS,
  )
  const [{ id }] = await waitingFor(null)
  const note = { body: { note: 'Devolvido.' } }
  const seen = await system.api('POST', `${INVOICES}/unexpected-receipts/${id}/resolve`, note)
  expect(seen.body).toMatchObject({ resolution: 'Devolvido.' })
  expect(await waitingFor(null)).toEqual([])
})

test('when the bank’s answer is lost, the boleto is PENDING; then the same boleto is REGISTERED, once', async () => {
  const invoice = await bill()
  await system.sandbox('POST', '/faults', { partner: 'BANK', kind: 'ANSWER_LOST' })
  const { status, body, headers } = await issue(invoice)
  expect([status, body.status, headers.get('retry-after')]).toEqual([201, 'PENDING', '2'])
  const registered = await eventually(async () => {
    const again = await issue(invoice)
    expect([again.status, again.body.status]).toEqual([200, 'REGISTERED'])
    return again.body
  }, SETTLED_MS)
  expect(registered.id).toBe(body.id)
  await pay(registered.digitableLine)
  await eventually(async () => expect((await readInvoice(invoice.id)).status).toBe('PAID'), SETTLED_MS)
})

test('a payment that the bank reports twice counts once', async () => {
  const { invoice, line } = await issued()
  await pay(line, { amountInCents: AMOUNT + 5 })
  await eventually(async () => expect(await waitingFor(invoice.id)).toHaveLength(1), SETTLED_MS)
  await system.sandbox('POST', `/boletos/${line}/tell-again`)
  await pay(line, { amountInCents: 1 })
  await eventually(async () => expect(await waitingFor(invoice.id)).toHaveLength(2), SETTLED_MS)
})

test('a payer who pays now pays on the day of the moved clock, with what is asked then', async () => {
  const { invoice, line } = await issued()
  const later = invoice.dueDate + 20 * DAY_MS
  const moved = await write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to: later } })
  expect(moved.status).toBe(200)
  await pay(line)
  await eventually(async () => expect((await readInvoice(invoice.id)).status).toBe('PAID'), SETTLED_MS)
  const { paidInCents, paymentDate } = await readInvoice(invoice.id)
  expect(paidInCents).toBe(AMOUNT + fine.amountInCents)
  expect(paymentDate).toBeGreaterThanOrEqual(later)
})
