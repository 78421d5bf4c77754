import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus } from '@cofre/proto/invoices/v1/invoices'
import { moveClock } from '../../src/clock/billing-clock'
import { oldestDueChargeAge } from '../../src/dunning/automatic-charge-store'
import { chargeAutomatically } from '../../src/dunning/charge-automatically'
import {
  billedInvoice,
  chargeDue,
  declineWith,
  setClock,
  stopCharging,
  type Billed,
} from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { answerAsUsual, chargeOf, resolveLater, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, NEEDS_CARD, TRYING, PAID, STOPPED } = AutomaticChargeStatus
const HELD = { reason: 'RECURRING_INVOICE_PAUSED', nextAttemptAt: undefined }

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(async () => {
  await stopCharging(invoices)
  moveClock(0)
})
afterAll(() => invoices.stop())

const authorizations = () => invoices.behind.orders.asked.authorize.length
const keyOf = ({ invoice: { sellerId, recurringInvoiceId = 0 } }: Billed) => ({
  sellerId,
  recurringInvoiceId,
})
const pause = (billed: Billed) =>
  callRpc(invoices.recurring, invoices.recurring.pauseRecurringInvoice, keyOf(billed))
const resume = (billed: Billed) =>
  callRpc(invoices.recurring, invoices.recurring.resumeRecurringInvoice, keyOf(billed))
const cancel = (billed: Billed) =>
  callRpc(invoices.recurring, invoices.recurring.cancelRecurringInvoice, keyOf(billed))
const chargeOfNow = async ({ invoice }: Billed) => (await get(invoices, invoice)).automaticCharge

test('a paused recurring invoice charges no card; resumed, it charges the card at once and for the agreed amount', async () => {
  const terms = { fine: { percentageBps: 200, startsAfterDays: 1 } }
  const billed = await billedInvoice(invoices, { terms })
  const before = authorizations()
  await pause(billed)
  expect(await chargeOfNow(billed)).toMatchObject({ status: WAITING, attempts: 0, ...HELD })
  for (const day of [0, 1, 9]) await chargeDue(invoices, billed.dueAt + day * DAY_MS)
  expect(authorizations()).toBe(before)
  expect(await chargeAutomatically(invoices.deps).nextDueAt()).toBeUndefined()
  expect(await oldestDueChargeAge(invoices.pool, billed.dueAt + DAY_MS)).toBe(0)
  await resume(billed)
  expect(await chargeOfNow(billed)).toMatchObject({
    status: WAITING,
    nextAttemptAt: billed.dueAt,
    reason: '',
  })
  await chargeDue(invoices, billed.dueAt + 10 * DAY_MS)
  expect(await chargeOfNow(billed)).toMatchObject({ status: PAID, attempts: 1 })
  expect(await get(invoices, billed.invoice)).toMatchObject({ paidAmount: billed.invoice.amount })
})

test('a retry and the search for a card are held too, and go on', async () => {
  invoices.behind.orders.hooks.outcome = declineWith({})
  const [tried, needing] = [await billedInvoice(invoices), await billedInvoice(invoices, { card: null })]
  await chargeDue(invoices, Math.max(tried.dueAt, needing.dueAt))
  await Promise.all([pause(tried), pause(needing)])
  expect(await chargeOfNow(tried)).toMatchObject({ status: WAITING, attempts: 1, ...HELD })
  expect(await chargeOfNow(needing)).toMatchObject({ status: NEEDS_CARD, ...HELD })
  answerAsUsual(invoices)
  await chargeDue(invoices, tried.dueAt + 2 * DAY_MS)
  expect(await chargeOfNow(tried)).toMatchObject({ status: WAITING, attempts: 1 })
  await resume(tried)
  await chargeDue(invoices, tried.dueAt + 2 * DAY_MS)
  expect(await chargeOfNow(tried)).toMatchObject({ status: PAID, attempts: 2 })
})

test('what follows from a charge under way waits for the end of the pause', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  await pause(billed)
  expect(await chargeOfNow(billed)).toMatchObject({ status: TRYING, reason: '' })
  chargeOf(invoices, billed.invoice, declineWith({}))
  await resolveLater(invoices)
  await resolveLater(invoices)
  expect(await chargeOfNow(billed)).toMatchObject({ status: WAITING, attempts: 1, ...HELD })
})

test('a pause at the moment of the charge leaves one charge, or none', async () => {
  const made = [1, 2, 3, 4].map(() => billedInvoice(invoices))
  const billed: Billed[] = []
  for (const each of made) billed.push(await each)
  const at = Math.max(...billed.map(({ dueAt }) => dueAt))
  setClock(at)
  const job = chargeAutomatically(invoices.deps)
  await Promise.all([job.run(at), ...billed.map(pause)])
  await chargeDue(invoices, at)
  for (const each of billed) {
    const charge = await chargeOfNow(each)
    expect([`${PAID} 1`, `${WAITING} 0`]).toContain(`${charge?.status} ${charge?.attempts}`)
  }
})

test('cancelled during the pause, its charges are stopped', async () => {
  const billed = await billedInvoice(invoices)
  await pause(billed)
  await cancel(billed)
  expect(await chargeOfNow(billed)).toMatchObject({ status: STOPPED, reason: 'RECURRING_INVOICE_CANCELLED' })
})
