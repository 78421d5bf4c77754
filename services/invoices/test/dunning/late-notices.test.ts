import { withTransaction } from '@cofre/platform/postgres/postgres'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { moveClock } from '../../src/clock/billing-clock'
import { planReminders } from '../../src/dunning/reminders/reminder-store'
import { remind } from '../../src/dunning/reminders/remind'
import { oldestHeldNoticeAge } from '../../src/dunning/late-notice-store'
import { BANK_AWAITED_MS, tellLate, tellLateJob } from '../../src/dunning/tell-late'
import { setClock } from '../support/dunning'
import { DAY_MS, get, voidInvoice } from '../support/invoices'
import type { BankSlip } from '../support/small-bank'
import { issue, newInvoice, receive, startBoletos, type TestBoletos } from '../support/start-boletos'

const HOUR_MS = 3_600_000
/** A Friday: banks report on Monday what was paid then. */
const FRIDAY = Date.parse('2027-03-05T12:00:00-03:00')
const TUESDAY = Date.parse('2027-03-09T00:00:00-03:00')

let boletos: TestBoletos
beforeAll(async () => {
  boletos = await startBoletos()
})
beforeEach(() => {
  boletos.bank.lie = {}
  boletos.bank.forget('query')
  setClock(FRIDAY - 5 * DAY_MS)
})
afterEach(async () => {
  moveClock(0)
  await boletos.pool.query('DELETE FROM late_notices; DELETE FROM reminders')
})
afterAll(() => boletos.stop())

async function withSlip(): Promise<{ invoice: Invoice; slip: BankSlip }> {
  const invoice = await newInvoice(boletos, { dueDate: FRIDAY })
  await issue(boletos, invoice)
  await withTransaction(boletos.pool, (tx) => planReminders(tx, [invoice], [1, 7]))
  return { invoice, slip: [...boletos.bank.slips.values()].at(-1) as BankSlip }
}

/** Runs both jobs at a moment, until they have nothing left to do. */
async function runAt(at: number, { deps } = boletos): Promise<void> {
  setClock(at)
  while ((await tellLate(deps, at)) > 0);
  while ((await remind(deps).run(at)).seen > 0);
}

async function heardOf({ id }: Invoice): Promise<{ told: number; reminded: string[] }> {
  const { rows } = await boletos.pool.query<{ type: string }>(
    `SELECT type FROM outbox WHERE key = $1 AND type = 'invoice.past_due'`,
    [String(id)],
  )
  const { rows: mails } = await boletos.pool.query<{ cause: string }>(
    `SELECT cause FROM emails WHERE invoice_id = $1 AND cause LIKE 'reminder:%' ORDER BY id`,
    [id],
  )
  return { told: rows.length, reminded: mails.map(({ cause }) => cause) }
}

const nothing = { told: 0, reminded: [] }

test('a boleto that was paid on the due day is neither reported past due nor reminded of', async () => {
  const { invoice, slip } = await withSlip()
  for (let at = FRIDAY; at < TUESDAY; at += 6 * HOUR_MS) await runAt(at)
  expect(await get(boletos, invoice)).toMatchObject({ status: InvoiceStatus.CLOSED, pastDue: true })
  receive(slip, invoice.amount, FRIDAY)
  for (const days of [0, 1, 2, 10]) await runAt(TUESDAY + days * DAY_MS + 10 * HOUR_MS)
  expect(await heardOf(invoice)).toEqual(nothing)
  expect(await get(boletos, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paidAmount: invoice.amount,
  })
})

test('an unpaid boleto is reported past due after the day of the report of the bank, and reminded of that morning', async () => {
  const { invoice } = await withSlip()
  const job = tellLateJob(boletos.deps)
  await runAt(FRIDAY + DAY_MS)
  expect(await job.nextDueAt()).toBe(TUESDAY)
  await runAt(TUESDAY - 1)
  expect(await heardOf(invoice)).toEqual(nothing)
  await runAt(TUESDAY)
  expect(await heardOf(invoice)).toEqual({ told: 1, reminded: [] })
  await runAt(TUESDAY + 9 * HOUR_MS)
  expect(await heardOf(invoice)).toEqual({ told: 1, reminded: ['reminder:1'] })
  await runAt(TUESDAY + 30 * DAY_MS)
  expect(await heardOf(invoice)).toEqual({ told: 1, reminded: ['reminder:1', 'reminder:7'] })
  expect(await job.nextDueAt()).toBeUndefined()
})

test('an invoice without a boleto is reported past due at once', async () => {
  const invoice = await newInvoice(boletos, { dueDate: FRIDAY })
  await runAt(FRIDAY + DAY_MS)
  expect(await heardOf(invoice)).toEqual({ told: 1, reminded: [] })
})

test('while the bank does not answer the notice waits, for three days', async () => {
  const { invoice } = await withSlip()
  boletos.bank.next('query', ...Array(200).fill('http_500'))
  await runAt(FRIDAY + DAY_MS)
  const heldAt = (at: number) => oldestHeldNoticeAge(boletos.pool, at, BANK_AWAITED_MS)
  expect(await heldAt(TUESDAY - HOUR_MS)).toBe(0)
  for (let hour = 0; hour < 72; hour += 8) await runAt(TUESDAY + hour * HOUR_MS)
  expect(await heardOf(invoice)).toEqual(nothing)
  expect(await heldAt(TUESDAY + 64 * HOUR_MS)).toBe(64 * 3_600)
  await runAt(TUESDAY + 3 * DAY_MS)
  expect(await heardOf(invoice)).toMatchObject({ told: 1 })
  expect(await heldAt(TUESDAY + 3 * DAY_MS)).toBe(0)
})

test('a boleto that the bank calls paid without reporting the money keeps the notice waiting', async () => {
  const { invoice } = await withSlip()
  boletos.bank.lie = { situacao: 'LIQUIDADO' }
  for (let day = -3; day < 6; day += 1) await runAt(TUESDAY + day * DAY_MS)
  expect(await heardOf(invoice)).toEqual(nothing)
})

test('money that no invoice took, found by that question, keeps the notice waiting for a person', async () => {
  const { invoice, slip } = await withSlip()
  receive(slip, invoice.amount - 1, FRIDAY)
  for (let day = -3; day < 2; day += 1) await runAt(TUESDAY + day * DAY_MS)
  expect(await heardOf(invoice)).toEqual(nothing)
})

test('an invoice that is voided while its notice waits is not reported', async () => {
  const { invoice } = await withSlip()
  await runAt(FRIDAY + DAY_MS)
  await voidInvoice(boletos, invoice)
  await runAt(TUESDAY)
  expect(await heardOf(invoice)).toEqual(nothing)
  expect(await tellLateJob(boletos.deps).nextDueAt()).toBeUndefined()
})

test('several processes at once report an invoice once', async () => {
  const { invoice } = await withSlip()
  await Promise.all([1, 2, 3].map(() => tellLate(boletos.deps, TUESDAY - DAY_MS)))
  await Promise.all([1, 2, 3, 4].map(() => tellLate(boletos.deps, TUESDAY)))
  expect(await heardOf(invoice)).toEqual({ told: 1, reminded: [] })
})
