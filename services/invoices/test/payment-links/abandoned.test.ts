import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { moveClock } from '../../src/clock/billing-clock'
import { tellLate } from '../../src/dunning/tell-late'
import { setClock } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import {
  answerAsUsual,
  captures,
  chargeOf,
  eventsSent,
  pay,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { buy, newProduct } from './buying'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CLOSED, CANCELLED, PAID } = InvoiceStatus

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterEach(() => {
  moveClock(0)
  answerAsUsual(invoices)
})
afterAll(() => invoices.stop())

/** Runs the job that finds late invoices at a moment, until nothing is left. */
async function runAt(at: number): Promise<void> {
  setClock(at)
  while ((await tellLate(invoices.deps, at)) > 0);
}

const mails = async ({ id }: Invoice) =>
  (await invoices.pool.query('SELECT FROM emails WHERE invoice_id = $1', [id])).rows.length

test('a purchase that nobody paid is voided the day after its last, and nobody is told to pay', async () => {
  const bought = await buy(invoices, await newProduct(invoices))
  await runAt(bought.dueDate + DAY_MS / 2)
  expect(await get(invoices, bought)).toMatchObject({ status: CLOSED })
  await runAt(bought.dueDate + DAY_MS * 1.5)
  expect(await get(invoices, bought)).toMatchObject({ status: CANCELLED })
  expect(await eventsSent(invoices, bought)).toEqual([
    'invoice.created',
    'invoice.finalized',
    'invoice.voided',
  ])
  expect(await mails(bought)).toBe(0)
})

test('a purchase whose card has no answer yet waits for it, and its money is taken', async () => {
  const bought = await buy(invoices, await newProduct(invoices))
  invoices.behind.orders.hooks.outcome = staysSilent
  await pay(invoices, bought).catch(() => {})
  for (const days of [1.5, 2.5]) await runAt(bought.dueDate + days * DAY_MS)
  expect(await get(invoices, bought)).toMatchObject({ status: CLOSED })
  chargeOf(invoices, bought, captures)
  await resolveLater(invoices)
  expect(await get(invoices, bought)).toMatchObject({ status: PAID })
})
