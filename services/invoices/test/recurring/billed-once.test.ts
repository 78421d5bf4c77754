import { BillingFrequency } from '@cofre/proto/invoices/v1/recurring'
import { billBatch } from '../../src/recurring/billing/bill-batch'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { FREQUENCIES } from '../../src/recurring/rules/frequency'
import { walkCycles } from '../support/calendar-walk'
import { create, finalize, invoiceFor, newShop, type Shop } from '../support/invoices'
import {
  billAll,
  billUntil,
  createRecurring,
  cycleInvoices,
  daysOf,
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

const DUE = startOf('2055-01-31')

/** So many recurring invoices of the shop, all alike. */
async function createMany(count: number): Promise<void> {
  const { id } = await createRecurring(invoices, recurringFor(shop))
  await invoices.pool.query(
    `WITH copied AS (
       INSERT INTO recurring_invoices OVERRIDING SYSTEM VALUE
       SELECT copy.* FROM recurring_invoices t, generate_series(2, $2::int) n,
         jsonb_populate_record(t, jsonb_build_object('id', t.id + n - 1)) copy
       WHERE t.id = $1 RETURNING id)
     INSERT INTO recurring_items OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM recurring_items i, copied,
       jsonb_populate_record(i, jsonb_build_object('recurring_invoice_id', copied.id)) copy
     WHERE i.recurring_invoice_id = $1`,
    [id, count],
  )
}

async function countCycles(): Promise<{ made: number; cycles: number; emails: number; events: number }> {
  const { rows } = await invoices.pool.query(
    `SELECT count(*) AS made, count(DISTINCT (recurring_invoice_id, cycle)) AS cycles,
       (SELECT count(*) FROM emails) AS emails,
       (SELECT count(*) FROM outbox WHERE type = 'recurring_invoice.cycle_billed') AS events
     FROM invoices WHERE recurring_invoice_id IS NOT NULL`,
  )
  return rows[0]
}

test('four years of invoices from 29 February on, of each frequency, match a calendar walked day by day', async () => {
  const made = []
  for (const frequency of FREQUENCIES) {
    const start = { billingCycleStartDate: startOf('2056-02-29'), frequency: BillingFrequency[frequency] }
    const { id } = await createRecurring(invoices, recurringFor(shop, { ...start, daysUntilDue: 0 }))
    made.push({ id, frequency, days: walkCycles('2056-02-29', frequency, 4) })
  }
  await billUntil(invoices, startOf('2060-01-31'))
  for (const { id, frequency, days } of made) {
    const { rows } = await invoices.pool.query<{ created: Date; due: Date; cycle: number }>(
      'SELECT created_at AS created, due_date AS due, cycle FROM invoices WHERE recurring_invoice_id = $1 ORDER BY cycle',
      [id],
    )
    const billed = rows.map(({ cycle, created, due }) => [
      cycle,
      dayOf(created.getTime()),
      dayOf(due.getTime()),
    ])
    const walked = days.map((day, place) => [place + 1, day, day])
    expect({ frequency, billed }).toEqual({ frequency, billed: walked })
  }
})

test('two replicas whose clocks differ, each running twice at once, bill each cycle once, with its e-mail and event', async () => {
  await createMany(120)
  const other = await invoices.startReplica()
  const skewed = DUE + 3 * 3_600_000
  await Promise.all([
    billAll(billCycles(invoices.deps), DUE),
    billAll(billCycles(invoices.deps), DUE),
    billAll(billCycles(other.deps), skewed),
    billAll(billCycles(other.deps), skewed),
  ])
  // A batch skips invoices that another one holds; its next run bills them.
  await billAll(billCycles(invoices.deps), DUE)
  expect(await countCycles()).toEqual({ made: 120, cycles: 120, emails: 120, events: 120 })
  const { rows } = await invoices.pool.query(
    `SELECT count(DISTINCT invoice_number) AS numbers, max(invoice_number) AS last FROM invoices`,
  )
  expect(rows).toEqual([{ numbers: 120, last: '000120' }])
})

test('a batch that dies before its commit leaves nothing; the next one bills all of it once', async () => {
  for (let count = 0; count < 3; count += 1) await createRecurring(invoices, recurringFor(shop))
  const { rows } = await invoices.pool.query('SELECT pg_backend_pid() AS pid')
  expect(rows).toHaveLength(1)
  const killed = billBatch(invoices.deps, { today: dayOf(DUE), batch: 10, leaveOut: [] }, DUE, () => {
    // The batch loses its connection in the middle of its work.
    void invoices.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
       AND state <> 'idle' AND pid <> pg_backend_pid() AND application_name = 'invoices'`,
    )
  })
  const outcome = await killed.then(
    ({ billed }) => billed,
    () => 0,
  )
  expect(await countCycles()).toEqual({ made: outcome, cycles: outcome, emails: outcome, events: outcome })
  await billAll(billCycles(invoices.deps), DUE)
  expect(await countCycles()).toEqual({ made: 3, cycles: 3, emails: 3, events: 3 })
})

test('a recurring invoice that cannot be billed is left alone and tried later; the others are billed', async () => {
  const made = []
  for (let count = 0; count < 3; count += 1) made.push(await createRecurring(invoices, recurringFor(shop)))
  const [, broken] = made
  // More than the largest amount, which no request can reach.
  await invoices.pool.query(
    'UPDATE recurring_items SET quantity = 1000000, unit_price = 99999999999 WHERE recurring_invoice_id = $1',
    [broken?.id],
  )
  const job = billCycles(invoices.deps)
  await billAll(job, DUE)
  expect(await countCycles()).toMatchObject({ made: 2, cycles: 2 })
  // It does not stand in the way of the next day either.
  expect(await job.nextDueAt()).toBe(startOf('2055-02-28'))
  await invoices.pool.query(
    'UPDATE recurring_items SET quantity = 1, unit_price = 1 WHERE recurring_invoice_id = $1',
    [broken?.id],
  )
  // A new process tries it again at once; the old one would wait a minute.
  await billAll(billCycles(invoices.deps), DUE)
  expect(await countCycles()).toMatchObject({ made: 3, cycles: 3 })
})

test('a recurring invoice whose statement takes too long is left alone; the rest of its batch is billed', async () => {
  const made = []
  for (let count = 0; count < 3; count += 1) made.push(await createRecurring(invoices, recurringFor(shop)))
  const [, slow] = made
  // PostgreSQL's error for a statement that exceeds its time limit.
  await invoices.pool.query(
    `CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END $$;
     CREATE TRIGGER too_slow BEFORE INSERT ON invoices FOR EACH ROW
       WHEN (NEW.recurring_invoice_id = ${slow?.id}) EXECUTE FUNCTION too_slow()`,
  )
  await billAll(billCycles(invoices.deps), DUE)
  expect(await countCycles()).toMatchObject({ made: 2, cycles: 2 })
})

test('numbers that the seller gave itself are skipped; there is no gap', async () => {
  for (const invoiceNumber of ['000002', '000003', '000005']) {
    await create(invoices, invoiceFor(shop, { invoiceNumber }))
  }
  for (let count = 0; count < 4; count += 1) await createRecurring(invoices, recurringFor(shop))
  await billAll(billCycles(invoices.deps), DUE)
  await finalize(invoices, await create(invoices, invoiceFor(shop)))
  const { rows } = await invoices.pool.query<{ number: string }>(
    'SELECT invoice_number AS number FROM invoices ORDER BY invoice_number',
  )
  expect(rows.map(({ number }) => number)).toEqual([
    '000001',
    '000002',
    '000003',
    '000004',
    '000005',
    '000006',
    '000007',
    '000008',
  ])
})

test('a seller who makes its own invoices meanwhile gets no number twice', async () => {
  await createMany(60)
  const own = Array.from({ length: 20 }, () => create(invoices, invoiceFor(shop)))
  await Promise.all([billAll(billCycles(invoices.deps), DUE), ...own])
  const { rows } = await invoices.pool.query(
    'SELECT count(*) AS made, count(DISTINCT invoice_number) AS numbers FROM invoices',
  )
  expect(rows).toEqual([{ made: 80, numbers: 80 }])
})

test('when a cancellation and a batch meet, the cycle was billed before, or it never is', async () => {
  const recurring = await createRecurring(invoices, recurringFor(shop))
  const { recurring: client } = invoices
  const cancel = new Promise<void>((resolve, reject) => {
    client.cancelRecurringInvoice({ sellerId: shop.sellerId, recurringInvoiceId: recurring.id }, (error) =>
      error ? reject(error) : resolve(),
    )
  })
  const billed = await billAll(billCycles(invoices.deps), DUE)
  await cancel
  expect(await billUntil(invoices, startOf('2055-12-31'))).toBe(0)
  expect(daysOf(await cycleInvoices(invoices, recurring))).toHaveLength(billed)
})
