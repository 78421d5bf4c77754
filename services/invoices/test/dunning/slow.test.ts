import { eventually } from '@cofre/testing/testing'
import { moveClock } from '../../src/clock/billing-clock'
import { CHARGING_MS, takeDueCharges } from '../../src/dunning/automatic-charge-store'
import { startCharging } from '../../src/dunning/charge-automatically'
import { billedInvoice, setClock } from '../support/dunning'
import { newShop } from '../support/invoices'
import { answerAsUsual, PAN } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

/** More cards than are charged at once. */
const OTHERS = 25

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
  answerAsUsual(invoices)
})
afterAll(async () => {
  moveClock(0)
  await invoices.stop()
})

test('a card whose charge is slow does not hold up the others', async () => {
  const shop = await newShop(invoices)
  const due = []
  for (let made = 0; made <= OTHERS; made += 1) {
    const { id: chosenCard } = invoices.behind.vault.store(shop.sellerId, PAN)
    due.push(await billedInvoice(invoices, { shop, card: null, chosenCard }))
  }
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let asked = 0
  invoices.behind.orders.hooks.before = async () => {
    asked += 1
    if (asked === 1) await released
  }
  const countOf = async (status: string) => {
    const { rowCount } = await invoices.pool.query('SELECT FROM automatic_charges WHERE status = $1', [
      status,
    ])
    return rowCount
  }
  setClock(Math.max(...due.map(({ dueAt }) => dueAt)))
  const errors: unknown[] = []
  const charging = startCharging(invoices.deps, {
    everyMs: 20,
    mayRun: async () => true,
    onError: (error) => errors.push(error),
  })
  await eventually(async () => expect(await countOf('PAID')).toBe(OTHERS))
  expect(await countOf('TRYING')).toBe(1)
  release()
  await eventually(async () => expect(await countOf('PAID')).toBe(OTHERS + 1))
  await charging.stop()
  expect([asked, errors]).toEqual([OTHERS + 1, []])
})

test('a charge that was taken is left alone for longer than its call may last', async () => {
  const { invoice, dueAt } = await billedInvoice(invoices)
  const taken = await takeDueCharges(invoices.pool, { at: dueAt, batch: 1 })
  expect(taken).toEqual([{ id: invoice.id, sellerId: invoice.sellerId }])
  const { rows } = await invoices.pool.query<{ spare: number }>(
    `SELECT extract(epoch FROM leased_until - now())::float8 * 1000 - $2 AS spare FROM automatic_charges
     WHERE invoice_id = $1`,
    [invoice.id, CHARGING_MS],
  )
  expect(rows[0]?.spare).toBeGreaterThan(0)
})
