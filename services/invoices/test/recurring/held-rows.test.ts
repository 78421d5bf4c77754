import { withTransaction } from '@cofre/platform/postgres/postgres'
import { unlessItWaits, whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { billBatch } from '../../src/recurring/billing/bill-batch'
import { startOf } from '@cofre/platform/calendar-day'
import { bill } from '../../src/recurring/rules/transition'
import { takeDueCycles } from '../../src/recurring/store/cycle-store'
import { saveRecurring } from '../../src/recurring/store/recurring-store'
import { newShop, type Shop } from '../support/invoices'
import {
  createRecurring,
  cycleInvoices,
  getRecurring,
  pauseRecurring,
  recurringFor,
} from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const TODAY = '2055-01-31'
const DUE = startOf(TODAY)
const TAKING = { today: TODAY, batch: 10, leaveOut: [] }
/** Locks like a cancellation that has not committed yet. */
const CANCEL = `UPDATE recurring_invoices SET status = 'CANCELLED', next_cycle_day = NULL WHERE id = $1`

let invoices: TestInvoices
let shop: Shop
beforeEach(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
afterEach(() => invoices.stop())

test('a batch does not wait for a recurring invoice that is being cancelled: it bills the others, and that one never', async () => {
  const { pool, deps } = invoices
  const cancelled = await createRecurring(invoices, recurringFor(shop))
  const other = await createRecurring(invoices, recurringFor(shop))
  const batch = await whileHeld(pool, [CANCEL, [cancelled.id]], () =>
    unlessItWaits(pool, billBatch(deps, TAKING, DUE)),
  )
  expect(batch).toEqual({ taken: [other.id], billed: 1 })
  expect(await billBatch(deps, TAKING, DUE)).toEqual({ taken: [], billed: 0 })
  expect(await cycleInvoices(invoices, cancelled)).toEqual([])
})

test('a pause that waits for a batch keeps the cycle that the batch has billed', async () => {
  const { pool } = invoices
  const recurring = await createRecurring(invoices, recurringFor(shop))
  const { pause } = await withTransaction(pool, async (tx) => {
    const due = await takeDueCycles(tx, TAKING)
    const asked = pauseRecurring(invoices, recurring)
    await whenWaiting(pool, 1)
    await saveRecurring(
      tx,
      due.map((each) => bill(each.recurring, DUE).recurring),
    )
    return { pause: asked }
  })
  expect(await pause).toMatchObject({ cyclesBilled: 1 })
  expect(await getRecurring(invoices, recurring)).toMatchObject({ cyclesBilled: 1 })
})
