import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import type { Running } from '@cofre/platform/service/run-service'
import { createLog } from '@cofre/platform/telemetry/log'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { AutomaticChargeStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { planReminders } from '../../src/dunning/reminders/reminder-store'
import { startSweepers } from '../../src/sweepers'
import { billedInvoice } from '../support/dunning'
import { emailsOf, mail, startMailing, type MailingInvoices } from '../support/emails'
import { create, DAY_MS, finalize, get, invoiceFor, newShop, pretendInTime } from '../support/invoices'
import { answerAsUsual } from '../support/payments'
import { createRecurring, cycleInvoices, recurringFor } from '../support/recurring'

const HALF_A_MINUTE = 30_000

let invoices: MailingInvoices
let events: TestDatabase
let sweepers: Running[]
/** The work that is due before the sweepers start. */
let due: { recurring: RecurringInvoice; charged: Invoice; late: Invoice; mailed: Invoice }

beforeAll(async () => {
  invoices = await startMailing()
  events = await createTestDatabase()
  answerAsUsual(invoices)
  const { pool, deps, emailDeps } = invoices
  const shop = await newShop(invoices)
  const twoDaysAgo = Date.now() - 2 * DAY_MS
  const today = { billingCycleStartDate: undefined }
  const recurring = await createRecurring(invoices, recurringFor(shop, today))
  const late = await create(invoices, invoiceFor(shop, { dueDate: Date.now() - 30 * DAY_MS }))
  await finalize(invoices, late)
  await pretendInTime(invoices, late)
  await withTransaction(pool, (tx) => planReminders(tx, [{ ...late, createdAt: late.dueDate }], [1, 60]))
  const mailed = await create(invoices, invoiceFor(shop))
  await mail(invoices, mailed)
  const { invoice: charged } = await billedInvoice(invoices, { dueDate: twoDaysAgo })
  due = { recurring, charged, late, mailed }
  const eventLog = await openPostgresEventLog(events.pool, createLog('test', 'silent'))
  const soon = { billingEveryMs: 20, pastDueEveryMs: 20, eventLog }
  sweepers = await startSweepers({ ...deps, ...emailDeps, reminderDays: [1, 60], ...soon })
})
afterAll(async () => {
  await Promise.all(sweepers.map((each) => each.stop()))
  await invoices.stop()
  await events.drop()
})

const causesOf = async (invoice: Invoice) => (await emailsOf(invoices, invoice)).map(({ cause }) => cause)

test.each<[string, () => Promise<void>]>([
  [
    'a cycle is billed on its day',
    async () => expect(await cycleInvoices(invoices, due.recurring)).toMatchObject([{ cycle: 1 }]),
  ],
  [
    'a card is charged on the due day',
    async () => {
      const { automaticCharge } = await get(invoices, due.charged)
      expect(automaticCharge?.status).toBe(AutomaticChargeStatus.PAID)
    },
  ],
  ['a customer is reminded', async () => expect(await causesOf(due.late)).toEqual(['reminder:1'])],
  [
    'a seller hears that an invoice is past due',
    async () => {
      const { rows } = await events.pool.query('SELECT type FROM event_log WHERE key = $1', [
        String(due.late.id),
      ])
      expect(rows).toContainEqual({ type: 'invoice.past_due' })
    },
  ],
  [
    'a letter leaves',
    async () => expect(await emailsOf(invoices, due.mailed)).toMatchObject([{ status: 'SENT' }]),
  ],
])('once the sweepers are started, %s', (_, check) => eventually(check, HALF_A_MINUTE))
