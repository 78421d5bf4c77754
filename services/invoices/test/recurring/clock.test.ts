import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import { moveClock } from '../../src/clock/billing-clock'
import { leaveClock, takeClock } from '../../src/clock/clock-store'
import { startOf } from '@cofre/platform/calendar-day'
import { startMailing } from '../support/emails'
import { newShop, type Shop } from '../support/invoices'
import {
  billAll,
  createRecurring,
  cycleInvoices,
  DAYS_OF_A_YEAR,
  daysOf,
  recurringFor,
} from '../support/recurring'
import { withKey } from '../support/repeated'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
let shop: Shop
beforeEach(async () => {
  moveClock(0)
  invoices = await startInvoices({ billingClock: 'movable' })
  shop = await newShop(invoices)
})
afterEach(() => invoices.stop())

const advance = (to: number, { clock }: Pick<TestInvoices, 'clock'> = invoices) =>
  callRpc(clock, clock.advanceClock, { sellerId: shop.sellerId, to }, PATIENT)

/** A year takes a second, or many on a busy machine: an advance stops when its time runs out. */
const PATIENT = { timeoutMs: 300_000 }
const YEAR_END = startOf('2056-01-30')

/** Advances the clock with an Idempotency-Key. */
const advanceAgain = ({ timeoutMs } = PATIENT) =>
  withKey('advance-1', () => {
    const { clock } = invoices
    return callRepeatable(clock, clock.advanceClock, { sellerId: shop.sellerId, to: YEAR_END }, { timeoutMs })
  })

/** Holds the clock, runs `begin`, and releases the clock once so many callers wait to move it. */
async function untilWaiting(count: number, begin: () => void): Promise<void> {
  const connection = await invoices.pool.connect()
  try {
    expect(await takeClock(connection)).toBe(true)
    begin()
    await eventually(async () => {
      const { rowCount } = await invoices.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'invoices'
         AND query LIKE 'SELECT pg_try_advisory_lock(%'`,
      )
      expect(rowCount).toBe(count)
    })
  } finally {
    await leaveClock(connection)
    connection.release()
  }
}

test('one leap of a year bills each month on its day, and counts it', async () => {
  const recurring = await createRecurring(invoices, recurringFor(shop))
  const { now, invoicesBilled, chargesTried } = await advance(YEAR_END)
  expect({ invoicesBilled, chargesTried }).toEqual({ invoicesBilled: 12, chargesTried: 0 })
  expect(now).toBeGreaterThanOrEqual(YEAR_END)
  expect(daysOf(await cycleInvoices(invoices, recurring))).toEqual(DAYS_OF_A_YEAR)
})

test('steps of twenty days bill the same invoices as the leap', async () => {
  const recurring = await createRecurring(invoices, recurringFor(shop))
  let billed = 0
  for (let day = Date.parse('2055-01-05T12:00:00Z'); day < YEAR_END; day += 20 * 86_400_000) {
    billed += (await advance(day)).invoicesBilled
  }
  billed += (await advance(YEAR_END)).invoicesBilled
  expect(billed).toBe(12)
  expect(daysOf(await cycleInvoices(invoices, recurring))).toEqual(DAYS_OF_A_YEAR)
})

test('two advances at once, on two replicas whose sweepers bill meanwhile, bill each cycle once', async () => {
  const recurring = await createRecurring(invoices, recurringFor(shop))
  const other = await invoices.startReplica()
  const sweeper = billCycles(other.deps)
  // Both have asked before one of them is done: an advance to a past moment would be refused.
  let advances: ReturnType<typeof advance>[] = []
  await untilWaiting(2, () => {
    advances = [advance(YEAR_END), advance(YEAR_END + 1_000_000, other)]
  })
  const [answers] = await Promise.all([Promise.all(advances), billAll(sweeper, startOf('2055-06-15'))])
  const billed = answers.reduce((sum, { invoicesBilled }) => sum + invoicesBilled, 0)
  expect(billed).toBeLessThanOrEqual(12)
  const made = await cycleInvoices(invoices, recurring)
  expect(made.map(({ cycle }) => cycle)).toEqual(DAYS_OF_A_YEAR.map(([cycle]) => cycle))
})

test('a clock moved to the first moment of a cycle’s day bills that cycle, and none a moment before', async () => {
  await createRecurring(invoices, recurringFor(shop))
  const day = startOf('2055-01-31')
  expect(await advance(day - 1_000)).toMatchObject({ invoicesBilled: 0 })
  expect(await advance(day)).toMatchObject({ invoicesBilled: 1 })
})

test('the clock only moves forward', async () => {
  const { now } = await advance(startOf('2055-05-01'))
  await expect(advance(now - 60_000)).rejects.toMatchObject({ reason: 'CLOCK_MOVES_FORWARD' })
  const { clock } = invoices
  const read = await callRpc(clock, clock.getClock, {})
  expect(read.now).toBeGreaterThanOrEqual(now)
})

test('a repeated advance gets the first answer, although its moment has passed', async () => {
  await createRecurring(invoices, recurringFor(shop))
  const { response } = await advanceAgain()
  expect(await advanceAgain()).toEqual({ response, replayed: true })
})

test('an advance whose time runs out reports so; its repeat goes on from there', async () => {
  const recurring = await createRecurring(invoices, recurringFor(shop))
  // No more time than an advance reserves for its answer.
  await expect(advanceAgain({ timeoutMs: 2_000 })).rejects.toMatchObject({ kind: 'unavailable' })
  const { response, replayed } = await advanceAgain()
  expect(replayed).toBe(false)
  expect(response.now).toBeGreaterThanOrEqual(YEAR_END)
  expect(daysOf(await cycleInvoices(invoices, recurring))).toEqual(DAYS_OF_A_YEAR)
})

test('a clock that is not movable does not exist for callers', async () => {
  const real = await startInvoices()
  try {
    const { clock } = real
    await expect(callRpc(clock, clock.getClock, {})).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    await expect(advance(YEAR_END, real)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  } finally {
    await real.stop()
  }
})

test('the e-mails of an advance are sent before its answer, and counted', async () => {
  const mailing = await startMailing({ billingClock: 'movable' })
  try {
    const customers = await newShop(mailing)
    await createRecurring(mailing, recurringFor(customers))
    const { clock } = mailing
    const request = { sellerId: customers.sellerId, to: startOf('2055-03-01') }
    const { invoicesBilled, emailsSent } = await callRpc(clock, clock.advanceClock, request, PATIENT)
    // Two invoices, and the four reminders of the first.
    expect({ invoicesBilled, emailsSent }).toEqual({ invoicesBilled: 2, emailsSent: 2 + 4 })
    const { rows } = await mailing.pool.query('SELECT DISTINCT status FROM emails')
    expect(rows).toEqual([{ status: 'SENT' }])
  } finally {
    await mailing.stop()
  }
})
