import { DomainError } from '@cofre/platform/errors'
import { BoletoStatus, UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { moveClock, now } from '../../src/clock/billing-clock'
import { BOLETOS } from '../../src/boletos/store/boleto-store'
import { get, voidInvoice } from '../support/invoices'
import {
  issue,
  look,
  newInvoice,
  noticeOf,
  receive,
  slipOf,
  startBoletos,
  tell,
  unexpected,
  type TestBoletos,
} from '../support/start-boletos'

const WEEK_DAYS = 7
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let boletos: TestBoletos
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(() => {
  restore()
  moveClock(0)
  boletos.bank.slips.clear()
})

/** Removes the account from the vault, which makes no call without one. */
function forget(): void {
  boletos.vaultHooks.onCall = (rpc) => {
    if (/forward/i.test(rpc)) throw new DomainError('failed_precondition', 'NO_ESTABLISHMENT', 'No account.')
  }
}
function restore(): void {
  boletos.vaultHooks.onCall = () => {}
}

/** Lets so many days pass; then the sweeper looks at the slips of an invoice. */
async function lookLater({ id }: Invoice, days = 0): Promise<void> {
  await boletos.pool.query(
    `UPDATE boletos SET ask_at = now() - interval '1 second', dispatch_deadline = dispatch_deadline - interval '1 minute',
       account_gone_at = account_gone_at - $2 * interval '1 day'
     WHERE invoice_id = $1 AND ask_at IS NOT NULL`,
    [id, days],
  )
  await look(boletos)
}

/** In how many hours the slip of an invoice is looked at; null: never again. */
async function nextLookOf({ id }: Invoice): Promise<number | null> {
  const { rows } = await boletos.pool.query(
    'SELECT round(extract(epoch FROM ask_at - now()) / 3600)::int AS hours FROM boletos WHERE invoice_id = $1',
    [id],
  )
  return rows[0]?.hours
}

async function issued() {
  const invoice = await newInvoice(boletos)
  const { boleto } = await issue(boletos, invoice)
  const publicId = boleto?.publicId ?? ''
  const status = async () => (await slipOf(boletos, publicId)).status
  return { invoice, status }
}

const withoutAccount = () => BOLETOS.countWithoutAccount(boletos.pool)

test('a slip whose seller lost its account is tried hourly and counted, until the account is back', async () => {
  const { invoice, status } = await issued()
  forget()
  await lookLater(invoice)
  await lookLater(invoice, 1)
  expect([await nextLookOf(invoice), await withoutAccount()]).toEqual([1, 1])
  restore()
  await lookLater(invoice)
  expect([await nextLookOf(invoice), await withoutAccount()]).toEqual([24, 0])
  expect(await status()).toBe(BoletoStatus.REGISTERED)
})

test('a withdrawal that cannot be made is given up after a week', async () => {
  const { invoice, status } = await issued()
  await voidInvoice(boletos, invoice)
  forget()
  await lookLater(invoice)
  expect(await withoutAccount()).toBe(1)
  await lookLater(invoice, WEEK_DAYS)
  expect([await nextLookOf(invoice), await withoutAccount()]).toEqual([null, 0])
  expect(await status()).toBe(BoletoStatus.CANCELLED)
})

test('a registration without an answer is refused after a week, and money that still comes waits for a person', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'answer_lost')
  const { boleto } = await issue(boletos, invoice)
  forget()
  await lookLater(invoice)
  await lookLater(invoice, WEEK_DAYS)
  expect((await slipOf(boletos, boleto?.publicId ?? '')).status).toBe(BoletoStatus.REFUSED)
  expect(await nextLookOf(invoice)).toBeNull()
  const slip = boletos.bank.only
  await tell(boletos, noticeOf(slip.nossoNumero, receive(slip, 9_980)))
  expect((await get(boletos, invoice)).paidAmount).toBe(0)
  expect(await unexpected(boletos, invoice)).toMatchObject([
    { reason: UnexpectedReason.UNKNOWN_BOLETO, unexpectedAmount: 9_980 },
  ])
})

test('a slip that payers hold stays until its last day, then it is over', async () => {
  const { invoice, status } = await issued()
  forget()
  await lookLater(invoice)
  await lookLater(invoice, WEEK_DAYS)
  expect([await nextLookOf(invoice), await status()]).toEqual([24, BoletoStatus.REGISTERED])
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-01-05', late_on = '2026-01-06', payable_until = '2026-01-05' WHERE invoice_id = $1",
    [invoice.id],
  )
  await lookLater(invoice)
  expect([await nextLookOf(invoice), await status()]).toEqual([null, BoletoStatus.EXPIRED])
})

test('after the billing clock moved, such a slip is tried hourly by that clock', async () => {
  moveClock(20 * DAY_MS)
  const { invoice } = await issued()
  forget()
  await lookLater(invoice)
  const readTimes = () =>
    boletos.pool.query<{ asked: Date; updated: Date; gone: Date }>(
      'SELECT ask_at AS asked, updated_at AS updated, account_gone_at AS gone FROM boletos WHERE invoice_id = $1',
      [invoice.id],
    )
  const { rows } = await readTimes()
  for (const moment of [rows[0]?.updated, rows[0]?.gone])
    expect(moment?.getTime()).toBeGreaterThan(now() - HOUR_MS)
  expect(rows[0]?.asked.getTime()).toBeGreaterThan(now())
  await look(boletos)
  expect((await readTimes()).rows).toEqual(rows)
  restore()
  await lookLater(invoice)
  expect((await readTimes()).rows[0]?.updated.getTime()).toBeGreaterThan(now() - HOUR_MS)
})
