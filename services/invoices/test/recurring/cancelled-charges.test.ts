import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { moveClock } from '../../src/clock/billing-clock'
import { billedInvoice, chargeDue, declineWith, type Billed } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { answerAsUsual, captures, chargeOf, PAN, resolveLater, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { TRYING, PAID, STOPPED } = AutomaticChargeStatus
const CANCELLED = { status: STOPPED, reason: 'RECURRING_INVOICE_CANCELLED', nextAttemptAt: undefined }

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => moveClock(0))
afterAll(() => invoices.stop())

const authorizations = () => invoices.behind.orders.asked.authorize.length
const cancel = ({ invoice: { sellerId, recurringInvoiceId = 0 } }: Billed) =>
  callRpc(invoices.recurring, invoices.recurring.cancelRecurringInvoice, { sellerId, recurringInvoiceId })
const chargeOfNow = async ({ invoice }: Billed) => (await get(invoices, invoice)).automaticCharge

test.each([
  ['a card', {}],
  ['no card', { card: null }],
])('a cancelled recurring invoice stops its automatic charges: with %s', async (_name, wanted) => {
  const billed = await billedInvoice(invoices, wanted)
  const before = authorizations()
  await cancel(billed)
  expect(await chargeOfNow(billed)).toMatchObject({ ...CANCELLED, attempts: 0 })
  expect((await get(invoices, billed.invoice)).status).toBe(InvoiceStatus.CLOSED)
  await chargeDue(invoices, billed.dueAt + DAY_MS)
  expect(authorizations()).toBe(before)
})

test('retries stop, and those of other recurring invoices go on', async () => {
  invoices.behind.orders.hooks.outcome = declineWith({})
  const [billed, other] = [await billedInvoice(invoices), await billedInvoice(invoices)]
  const dueAt = Math.max(billed.dueAt, other.dueAt)
  await chargeDue(invoices, dueAt)
  await cancel(billed)
  answerAsUsual(invoices)
  await chargeDue(invoices, dueAt + DAY_MS)
  expect(await chargeOfNow(billed)).toMatchObject({ ...CANCELLED, attempts: 1 })
  expect(await chargeOfNow(other)).toMatchObject({ status: PAID, attempts: 2 })
})

test('other invoices of the same seller for the same customer are still charged', async () => {
  const billed = await billedInvoice(invoices)
  const { shop } = billed
  const { id: chosenCard } = invoices.behind.vault.store(shop.sellerId, PAN)
  const other = await billedInvoice(invoices, { shop, card: null, chosenCard })
  await cancel(billed)
  await chargeDue(invoices, Math.max(billed.dueAt, other.dueAt))
  expect(await chargeOfNow(billed)).toMatchObject({ ...CANCELLED, attempts: 0 })
  expect(await chargeOfNow(other)).toMatchObject({ status: PAID, attempts: 1 })
})

test.each([
  ['a success pays the invoice', captures, { status: PAID, attempts: 1 }],
  ['a decline is the last', declineWith({}), { ...CANCELLED, attempts: 1 }],
])('a charge under way is followed to its end: %s', async (_name, learned, expected) => {
  invoices.behind.orders.hooks.outcome = staysSilent
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  await cancel(billed)
  expect(await chargeOfNow(billed)).toMatchObject({ status: TRYING })
  chargeOf(invoices, billed.invoice, learned)
  await resolveLater(invoices)
  await resolveLater(invoices)
  expect(await chargeOfNow(billed)).toMatchObject(expected)
})
