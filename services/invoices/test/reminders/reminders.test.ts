import { callRpc } from '@cofre/platform/grpc/client'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { dayOf } from '@cofre/platform/calendar-day'
import { firstReminder, reminderAfter } from '../../src/dunning/reminders/reminder'
import { planReminders } from '../../src/dunning/reminders/reminder-store'
import { remind } from '../../src/dunning/reminders/remind'
import { billedInvoice, chargeDue, declineWith, setClock } from '../support/dunning'
import { create, DAY_MS, finalize, get, invoiceFor, newShop, uncollectible } from '../support/invoices'
import { answerAsUsual, PAN, pay, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const HOUR_MS = 3_600_000

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(async () => {
  setClock(Date.now())
  await invoices.pool.query('DELETE FROM reminders')
})
afterAll(() => invoices.stop())

const plan = (invoice: Invoice) =>
  withTransaction(invoices.pool, (tx) => planReminders(tx, [invoice], invoices.deps.reminderDays))
const billed = async (): Promise<Invoice> => {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  await finalize(invoices, invoice)
  await plan(invoice)
  return invoice
}
const causesOf = async ({ id }: Invoice): Promise<string[]> => {
  const { rows } = await invoices.pool.query(
    `SELECT cause FROM emails WHERE invoice_id = $1 AND cause LIKE 'reminder:%' ORDER BY id`,
    [id],
  )
  return rows.map(({ cause }) => cause)
}
/** Nine in the morning of a day counted from the due day. */
const morning = ({ dueDate }: Invoice, days: number) =>
  Date.parse(`${dayOf(dueDate + days * DAY_MS)}T09:00:00-03:00`)
const runAt = async (at: number, deps = invoices.deps) => {
  while ((await remind(deps).run(at)).seen > 0);
}

test('reminders come before, on and after the due day, each once, at nine in the morning', async () => {
  const invoice = await billed()
  const told: string[][] = []
  for (const days of [-4, -3, -3, -1, 0, 1, 2, 7, 8, 30]) {
    await runAt(morning(invoice, days))
    told.push(await causesOf(invoice))
  }
  expect(told.map((each) => each.at(-1))).toEqual([
    undefined,
    'reminder:-3',
    'reminder:-3',
    'reminder:-3',
    'reminder:0',
    'reminder:1',
    'reminder:1',
    'reminder:7',
    'reminder:7',
    'reminder:7',
  ])
  expect(told.at(-1)).toHaveLength(4)
  expect(await remind(invoices.deps).nextDueAt()).toBeUndefined()
})

test('the next reminder has a known moment, and nothing is mailed a second before it', async () => {
  const invoice = await billed()
  const at = morning(invoice, -3)
  expect(await remind(invoices.deps).nextDueAt()).toBe(at)
  await runAt(at - 1_000)
  expect(await causesOf(invoice)).toEqual([])
  await runAt(at)
  expect(await remind(invoices.deps).nextDueAt()).toBe(morning(invoice, 0))
})

test('missed reminders are not made up for: one letter is sent, the latest', async () => {
  const invoice = await billed()
  await runAt(morning(invoice, 2))
  expect(await causesOf(invoice)).toEqual(['reminder:1'])
})

test.each([
  ['paid', (invoice: Invoice) => pay(invoices, invoice)],
  ['uncollectible', (invoice: Invoice) => uncollectible(invoices, invoice)],
  [
    'voided',
    ({ sellerId, id }: Invoice) =>
      callRpc(invoices.client, invoices.client.voidInvoice, { sellerId, invoiceId: id }),
  ],
])('nobody is reminded of an invoice that is %s', async (_name, change) => {
  const invoice = await billed()
  await change(invoice)
  await runAt(morning(invoice, 0))
  expect(await causesOf(invoice)).toEqual([])
  expect(await remind(invoices.deps).nextDueAt()).toBeUndefined()
})

test('two replicas at once send each reminder once', async () => {
  const other = await invoices.startReplica()
  const made = await Promise.all([billed(), billed(), billed()])
  const at = Math.max(...made.map((invoice) => morning(invoice, -3)))
  await Promise.all([invoices, other, invoices, other].map(({ deps }) => remind(deps).run(at)))
  for (const invoice of made) expect(await causesOf(invoice)).toEqual(['reminder:-3'])
})

test('a customer whose card is charged is not reminded; once the card is refused, they are', async () => {
  const { invoice, dueAt } = await billedInvoice(invoices)
  await plan(invoice)
  await runAt(morning(invoice, -3))
  expect(await causesOf(invoice)).toEqual([])
  invoices.behind.orders.hooks.outcome = declineWith({
    code: 'LOST_CARD',
    acquirerCode: '41',
    retryable: false,
  })
  await chargeDue(invoices, dueAt)
  await runAt(morning(invoice, 1))
  expect(await causesOf(invoice)).toEqual(['reminder:1'])
})

test('a customer whose card is being charged is not reminded while the outcome is unknown', async () => {
  const { invoice, dueAt } = await billedInvoice(invoices)
  await plan(invoice)
  invoices.behind.orders.hooks.outcome = staysSilent
  await chargeDue(invoices, dueAt)
  await runAt(morning(invoice, 0))
  expect(await causesOf(invoice)).toEqual([])
})

test('a customer whose recurring invoice names the card to charge is not reminded', async () => {
  const shop = await newShop(invoices)
  const { id: chosenCard } = invoices.behind.vault.store(shop.sellerId, PAN)
  const { invoice } = await billedInvoice(invoices, { shop, card: null, chosenCard })
  await plan(invoice)
  await runAt(morning(invoice, -3))
  expect(await causesOf(invoice)).toEqual([])
})

test('a customer who keeps no card is reminded as of any other invoice', async () => {
  const { invoice } = await billedInvoice(invoices, { card: null })
  await plan(invoice)
  await runAt(morning(invoice, -3))
  expect(await causesOf(invoice)).toEqual(['reminder:-3'])
  expect((await get(invoices, invoice)).automaticCharge).not.toBeUndefined()
})

test('nobody is reminded on the day on which the invoice itself is mailed', () => {
  const dueDate = Date.parse('2027-01-31T12:00:00-03:00')
  const days = [-3, 0, 1, 7]
  const first = (createdAt: number) => firstReminder({ dueDate, createdAt }, days)
  expect(first(Date.parse('2027-01-20T00:10:00-03:00'))).toEqual({
    passed: 0,
    remindAt: Date.parse('2027-01-28T09:00:00-03:00'),
  })
  expect(first(Date.parse('2027-01-28T00:10:00-03:00'))).toMatchObject({ passed: 1 })
  expect(first(Date.parse('2027-01-31T00:10:00-03:00'))).toEqual({
    passed: 2,
    remindAt: Date.parse('2027-02-01T09:00:00-03:00'),
  })
  expect(first(dueDate + 8 * DAY_MS)).toBeUndefined()
  expect(reminderAfter({ dueDate }, [], dueDate - HOUR_MS)).toBeUndefined()
})

test('while its recurring invoice is paused a customer is not reminded; resumed, from the next day on', async () => {
  const { invoice } = await billedInvoice(invoices, { card: null })
  await plan(invoice)
  const become = (status: string) =>
    invoices.pool.query(
      `UPDATE recurring_invoices SET status = $2::recurring_invoice_status,
         next_cycle_day = CASE $2 WHEN 'ACTIVE' THEN date '2099-01-31' END
       WHERE id = (SELECT recurring_invoice_id FROM invoices WHERE id = $1)`,
      [invoice.id, status],
    )
  await become('PAUSED')
  for (const days of [-3, 0]) await runAt(morning(invoice, days))
  expect(await causesOf(invoice)).toEqual([])
  await become('ACTIVE')
  await runAt(morning(invoice, 1))
  expect(await causesOf(invoice)).toEqual(['reminder:1'])
})
