import { eventually } from '@cofre/testing/testing'
import { now } from '../../src/clock/billing-clock'
import { billedInvoice } from '../support/dunning'
import { DAY_MS, newShop } from '../support/invoices'
import { endWaits, startKillable, type Killable } from '../support/killed'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

/** The cards to charge. 1,000 take some minutes, so the long form prints its progress. */
const LONG = process.env['KILLED_CHARGES']
const CHARGES = Number(LONG ?? 30)
/** The program is killed when these shares of the cards have been charged. */
const KILLS = LONG ? [0.1, 0.4, 0.8] : [0.1, 0.7]
const PATIENCE_MS = 900_000

let invoices: TestInvoices
let killable: Killable
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(async () => {
  await killable.stop()
  await invoices.stop()
})

test(
  'a service killed again and again while it charges cards charges each once, and leaves none out',
  async () => {
    const { orders } = invoices.behind
    const shop = await newShop(invoices)
    const billed = []
    for (let count = 0; count < CHARGES; count += 1) {
      billed.push(await billedInvoice(invoices, { shop, dueDate: now() - 2 * DAY_MS }))
    }
    const kills = KILLS.map((share) => Math.ceil(share * CHARGES))
    let asked = 0
    let killed = 0
    orders.hooks.before = async () => {
      asked += 1
      if (asked < (kills[killed] ?? Infinity)) return
      killed += 1
      killable.kill()
    }
    killable = await startKillable(invoices)
    for (const kill of kills.keys()) {
      await eventually(async () => {
        await endWaits(invoices)
        expect(killed).toBeGreaterThan(kill)
      }, PATIENCE_MS)
      if (LONG) process.stderr.write(`killed: ${asked} of ${CHARGES} cards were asked for\n`)
      await killable.startAgain()
    }
    await eventually(async () => {
      await endWaits(invoices)
      const { rows } = await invoices.pool.query(
        `SELECT a.status, i.status AS invoice, count(*) AS count FROM automatic_charges a
         JOIN invoices i ON i.id = a.invoice_id GROUP BY a.status, i.status`,
      )
      expect(rows).toEqual([{ status: 'PAID', invoice: 'PAID', count: CHARGES }])
    }, PATIENCE_MS)

    const captured = [...orders.charges.values()].filter(({ capturedAmount }) => capturedAmount > 0)
    const paid = captured.map(({ orderReference, capturedAmount }) => `${orderReference} ${capturedAmount}`)
    const due = billed.map(({ invoice }) => `${invoice.invoiceNumber} ${invoice.amount}`)
    expect(paid.toSorted()).toEqual(due.toSorted())
    const { rows: attempts } = await invoices.pool.query(
      `SELECT count(*) FILTER (WHERE status = 'SUCCEEDED') AS succeeded,
         count(*) FILTER (WHERE status = 'PENDING') AS pending FROM invoice_transactions`,
    )
    expect(attempts).toEqual([{ succeeded: CHARGES, pending: 0 }])
  },
  2 * PATIENCE_MS,
)
