import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { chargingTimeOf } from '../../src/dunning/rules/schedule'
import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { chargeDue, declineWith, givenUp, setClock, stopCharging } from '../support/dunning'
import { create, DAY_MS, finalize, get, invoiceFor, type Shop } from '../support/invoices'
import { answerAsUsual, pay, sealed } from '../support/payments'
import { cancelRecurring } from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID, WAITING, GIVEN_UP } = AutomaticChargeStatus

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const charged = () => invoices.behind.orders.asked.authorize.map(({ payments }) => payments[0]?.cardToken)

/** The customer pays another invoice, and keeps the card for automatic charges. */
async function keepByPaying(shop: Shop): Promise<void> {
  const other = await create(invoices, invoiceFor(shop))
  await finalize(invoices, other)
  await pay(invoices, other, { card: sealed(), keepCard: true })
  invoices.behind.orders.asked.authorize.length = 0
}

test('a card that is kept after the last try is tried once, in the morning of the next day', async () => {
  const { invoice, shop, at } = await givenUp(invoices)
  setClock(at)
  await keepByPaying(shop)
  const tomorrow = chargingTimeOf(addDays(dayOf(at), 1))
  expect((await get(invoices, invoice)).automaticCharge).toMatchObject({
    status: WAITING,
    nextAttemptAt: tomorrow,
  })
  await chargeDue(invoices, tomorrow - 60_000)
  expect(charged()).toEqual([])
  await chargeDue(invoices, tomorrow)
  expect(charged()).toHaveLength(1)
  expect(await get(invoices, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    automaticCharge: { status: PAID, attempts: 6 },
  })
})

test('declined, it is given up again; neither it nor the former card is tried any more', async () => {
  const { invoice, shop, at } = await givenUp(invoices)
  setClock(at)
  await keepByPaying(shop)
  invoices.behind.orders.hooks.outcome = declineWith({})
  for (let day = 1; day <= 10; day += 1) await chargeDue(invoices, at + day * DAY_MS)
  expect(charged()).toHaveLength(1)
  expect((await get(invoices, invoice)).automaticCharge).toMatchObject({ status: GIVEN_UP, attempts: 6 })
})

test('an invoice of a plan that is over, or one given up more than a month ago, stays given up', async () => {
  const over = await givenUp(invoices)
  await cancelRecurring(invoices, {
    sellerId: over.invoice.sellerId,
    id: over.invoice.recurringInvoiceId ?? 0,
  })
  setClock(over.at)
  await keepByPaying(over.shop)
  expect((await get(invoices, over.invoice)).automaticCharge?.status).toBe(GIVEN_UP)
  const old = await givenUp(invoices)
  setClock(old.at + 40 * DAY_MS)
  await keepByPaying(old.shop)
  expect((await get(invoices, old.invoice)).automaticCharge?.status).toBe(GIVEN_UP)
})
