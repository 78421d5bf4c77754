import { DomainError } from '@cofre/platform/errors'
import { AutomaticChargeStatus, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { billedInvoice, chargeDue, followAll, type Billed, stopCharging } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { answerAsUsual, chargeOf, eventsSent, holds, resolveLater } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, PAID, GIVEN_UP } = AutomaticChargeStatus
const HOUR_MS = 3_600_000

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const mailsOf = async ({ invoice }: Billed): Promise<string[]> => {
  const { rows } = await invoices.pool.query('SELECT cause FROM emails WHERE invoice_id = $1', [invoice.id])
  return rows.map(({ cause }) => cause)
}
const failuresTold = async (invoice: Invoice) =>
  (await eventsSent(invoices, invoice)).filter((type) => type === 'invoice.payment_failed').length
const authorizations = () => invoices.behind.orders.asked.authorize.length

const fails = (charge: Charge): Charge => ({ ...charge, status: ChargeStatus.FAILED, capturedAmount: 0 })

test('a rate-limited charge waits as long as asked, plus some hours at most, and does not count', async () => {
  const retryAfterSeconds = 40
  invoices.behind.orders.hooks.before = async () => {
    const message = 'Too many declined payments with cards like this one.'
    throw new DomainError('rate_limited', 'RATE_LIMITED', message, { retryAfterSeconds })
  }
  const billed = await billedInvoice(invoices)
  let at = billed.dueAt
  for (let tries = 0; tries < 8; tries += 1) {
    await chargeDue(invoices, at)
    const { automaticCharge } = await get(invoices, billed.invoice)
    expect(automaticCharge).toMatchObject({ status: WAITING, attempts: 0, reason: '' })
    const waits = (automaticCharge?.nextAttemptAt ?? 0) - at
    expect(waits).toBeGreaterThanOrEqual(retryAfterSeconds * 1_000)
    expect(waits).toBeLessThan(retryAfterSeconds * 1_000 + 3 * HOUR_MS)
    at += waits
  }
  expect(await mailsOf(billed)).toEqual([])
  answerAsUsual(invoices)
  await chargeDue(invoices, at)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: PAID, attempts: 1 },
  })
})

test('a charge that fails without a decline counts, and is made again on the next day of the schedule', async () => {
  invoices.behind.orders.hooks.outcome = fails
  const billed = await billedInvoice(invoices)
  const before = authorizations()
  await chargeDue(invoices, billed.dueAt)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: WAITING,
    attempts: 1,
    nextAttemptAt: billed.dueAt + DAY_MS,
    reason: 'CHARGE_FAILED',
  })
  const { days, ended } = await followAll(invoices, billed, 12)
  expect(days).toEqual([0, 1, 3, 5, 7])
  expect(authorizations() - before).toBe(5)
  expect(ended).toMatchObject({
    status: InvoiceStatus.CLOSED,
    automaticCharge: { status: GIVEN_UP, attempts: 5, reason: 'CHARGE_FAILED' },
  })
  expect(await failuresTold(billed.invoice)).toBe(5)
})

test('an invoice whose charges all failed is uncollectible if the seller chose so', async () => {
  invoices.behind.orders.hooks.outcome = fails
  const billed = await billedInvoice(invoices, { givesUp: true })
  const { ended } = await followAll(invoices, billed, 12)
  expect(ended).toMatchObject({
    status: InvoiceStatus.UNCOLLECTIBLE,
    automaticCharge: { status: GIVEN_UP, attempts: 5, reason: 'CHARGE_FAILED' },
  })
})

test('a charge that fails shortly before the next day is made again after a second look at the acquirer', async () => {
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt - 1)
  invoices.behind.orders.hooks.outcome = (charge) => ({
    ...charge,
    status: ChargeStatus.PENDING,
    capturedAmount: 0,
  })
  await chargeDue(invoices, billed.dueAt)
  chargeOf(invoices, billed.invoice, fails)
  await chargeDue(invoices, billed.dueAt + DAY_MS - HOUR_MS)
  await resolveLater(invoices)
  await resolveLater(invoices)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: WAITING,
    attempts: 1,
    nextAttemptAt: billed.dueAt + 3 * DAY_MS,
  })
})

test('a card that is authorized and not captured is tried twice, and is not blamed', async () => {
  invoices.behind.orders.hooks.outcome = holds
  const billed = await billedInvoice(invoices, { givesUp: false })
  const before = authorizations()
  for (let day = 0; day <= 9; day += 1) {
    await chargeDue(invoices, billed.dueAt + day * DAY_MS)
    for (const [id, charge] of invoices.behind.orders.charges) {
      const isHeld = charge.status === ChargeStatus.AUTHORIZED
      if (isHeld) invoices.behind.orders.charges.set(id, { ...charge, status: ChargeStatus.VOIDED })
    }
    await resolveLater(invoices)
    await resolveLater(invoices)
  }
  expect(authorizations() - before).toBe(2)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: GIVEN_UP,
    attempts: 2,
    reason: 'NOT_CAPTURED',
  })
  expect(await mailsOf(billed)).toEqual([])
})
