import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { CollectionMethod, InvoiceTerms, RecurringInvoiceStatus } from '@cofre/proto/invoices/v1/recurring'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import { endOf, startOf } from '@cofre/platform/calendar-day'
import { setClock } from '../support/dunning'
import { ANA } from '../support/customers'
import { get, latestCharge, newShop, type Shop } from '../support/invoices'
import { PAN } from '../support/payments'
import {
  billAll,
  billUntil,
  createRecurring,
  cycleInvoices,
  DAYS_OF_A_YEAR,
  daysOf,
  getRecurring,
  recurringFor,
} from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
let shop: Shop
beforeEach(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
afterEach(() => invoices.stop())

test('an invoice that is due on its cycle day costs neither fine nor interest on that day', async () => {
  const fine = { percentageBps: 200, startsAfterDays: 1 }
  const interest = { monthlyPercentageBps: 100, startsAfterDays: 1 }
  const terms = InvoiceTerms.fromPartial({ fine, interest })
  const monday = { billingCycleStartDate: startOf('2055-02-01'), daysUntilDue: 0 }
  const recurring = await createRecurring(invoices, recurringFor(shop, { ...monday, terms }))
  await billAll(billCycles(invoices.deps), startOf('2055-02-01'))
  const [entry] = await cycleInvoices(invoices, recurring)
  const payableAt = async (at: number) => {
    setClock(at)
    return (await get(invoices, { sellerId: shop.sellerId, id: entry?.id ?? 0 })).payableAmount
  }
  try {
    expect(await payableAt(endOf('2055-02-01') - 60_000)).toBe(9_980)
    expect(await payableAt(startOf('2055-02-02') + 60_000)).toBe(9_980 + 200 + 3)
  } finally {
    setClock(Date.now())
  }
})

test('a cycle is billed on its day: a finalized invoice with its charge, number, e-mail and events', async () => {
  const discounts = [{ daysBeforeDueDate: 3, percentageBps: 500 }]
  const terms = InvoiceTerms.fromPartial({ discounts })
  const recurring = await createRecurring(invoices, recurringFor(shop, { terms }))
  const job = billCycles(invoices.deps)
  expect(await job.nextDueAt()).toBe(startOf('2055-01-31'))
  expect(await job.run(startOf('2055-01-31') - 1)).toEqual({ seen: 0, done: 0 })
  expect(await billAll(job, startOf('2055-01-31'))).toBe(1)

  const [entry, ...others] = await cycleInvoices(invoices, recurring)
  expect(others).toEqual([])
  const invoice = await get(invoices, { sellerId: shop.sellerId, id: entry?.id ?? 0 })
  expect(invoice).toMatchObject({
    status: InvoiceStatus.CLOSED,
    invoiceNumber: '000001',
    recurringInvoiceId: recurring.id,
    cycle: 1,
    customer: { id: shop.customerId, name: ANA.name, document: ANA.document, email: ANA.email },
    amount: 9_980,
    discounts,
    dueDate: startOf('2055-02-05'),
    closeDate: startOf('2055-01-31'),
    automaticCharge: undefined,
    items: [{ id: 1, productId: shop.productId, quantity: 2, unitPriceInCents: 4_990, totalInCents: 9_980 }],
  })
  expect(await latestCharge(invoices, invoice)).toMatchObject({ amount: 9_980, invoiceId: invoice.id })
  const { rows: emails } = await invoices.pool.query('SELECT invoice_id, kind, recipient, status FROM emails')
  expect(emails).toEqual([
    { invoice_id: invoice.id, kind: 'ISSUED', recipient: ANA.email, status: 'WAITING' },
  ])
  const { rows: events } = await invoices.pool.query(
    `SELECT type, value::json->>'sequence' AS sequence FROM outbox ORDER BY id`,
  )
  expect(events).toEqual([
    { type: 'recurring_invoice.created', sequence: '1' },
    { type: 'invoice.created', sequence: '1' },
    { type: 'invoice.finalized', sequence: '2' },
    { type: 'recurring_invoice.cycle_billed', sequence: '2' },
  ])
  expect(await getRecurring(invoices, recurring)).toMatchObject({
    status: RecurringInvoiceStatus.ACTIVE,
    cyclesBilled: 1,
    nextCycleDate: startOf('2055-02-28'),
    nextCycleDueDate: startOf('2055-03-05'),
  })
})

test('a year of monthly cycles from 31 January on is billed on the right days, in steps and in one leap', async () => {
  const [stepped, leapt] = [
    await createRecurring(invoices, recurringFor(shop)),
    await createRecurring(invoices, recurringFor(shop)),
  ]
  for (let month = 0; month < 12; month += 1) {
    await billUntil(invoices, Date.UTC(2055, 1 + month, 1))
  }
  expect(await billUntil(invoices, startOf('2056-01-30'))).toBe(0)
  expect(daysOf(await cycleInvoices(invoices, stepped))).toEqual(DAYS_OF_A_YEAR)
  expect(daysOf(await cycleInvoices(invoices, leapt))).toEqual(DAYS_OF_A_YEAR)
})

/** How the automatic charges of the invoices stand, and whether the invoices were mailed. */
async function automaticCharges(): Promise<object[]> {
  const { rows } = await invoices.pool.query(
    `SELECT a.status, a.reason, a.next_attempt_at, e.kind FROM automatic_charges a
     LEFT JOIN emails e USING (invoice_id) ORDER BY a.invoice_id`,
  )
  return rows
}

test('an automatic invoice with a kept card waits for its due day; one without is mailed, and shows so', async () => {
  await createRecurring(
    invoices,
    recurringFor(shop, { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY }),
  )
  await billUntil(invoices, startOf('2055-01-31'))
  await invoices.pool.query('UPDATE customers SET kept_card_id = 7')
  await billUntil(invoices, startOf('2055-02-28'))
  expect(await automaticCharges()).toEqual([
    { status: 'NEEDS_CARD', reason: 'NO_CARD', next_attempt_at: null, kind: 'ISSUED' },
    { status: 'WAITING', reason: null, next_attempt_at: new Date('2055-03-05T09:00:00Z'), kind: null },
  ])
})

test('an automatic invoice that names a card is not mailed, even if its customer keeps none', async () => {
  const { id: cardId } = invoices.behind.vault.store(shop.sellerId, PAN)
  const collectionMethod = CollectionMethod.CHARGE_AUTOMATICALLY
  await createRecurring(invoices, recurringFor(shop, { collectionMethod, cardId }))
  await billUntil(invoices, startOf('2055-01-31'))
  expect(await automaticCharges()).toEqual([
    { status: 'WAITING', reason: null, next_attempt_at: new Date('2055-02-05T09:00:00Z'), kind: null },
  ])
})
