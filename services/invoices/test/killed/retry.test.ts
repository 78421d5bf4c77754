import { callRepeatable } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { PaymentsClient } from '@cofre/proto/invoices/v1/payments'
import { eventually } from '@cofre/testing/testing'
import { now } from '../../src/clock/billing-clock'
import { givenUp, setClock } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { endWaits, startKillable, type Killable } from '../support/killed'
import { withKey } from '../support/repeated'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const PATIENCE_MS = 300_000

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
  'a service killed while it makes the one more charge that was asked for makes it once, and answers the repeated request',
  async () => {
    const { orders } = invoices.behind
    const { invoice } = await givenUp(invoices, { dueDate: now() - 10 * DAY_MS })
    setClock(Date.now())
    killable = await startKillable(invoices)
    let killed = false
    orders.hooks.before = async () => {
      if (killed) return
      killed = true
      killable.kill()
    }
    const retry = async () => {
      const address = `127.0.0.1:${await killable.port()}`
      const payments = await invoices.network.clientOf(PaymentsClient, address, 'gateway')
      const key = { sellerId: invoice.sellerId, invoiceId: invoice.id }
      return withKey('retry', () => callRepeatable(payments, payments.retryAutomaticCharge, key))
    }
    await expect(retry()).rejects.toThrow()
    expect(killed).toBe(true)
    await killable.startAgain()
    await eventually(async () => {
      await endWaits(invoices)
      expect(await get(invoices, invoice)).toMatchObject({
        status: InvoiceStatus.PAID,
        automaticCharge: { status: AutomaticChargeStatus.PAID, attempts: 6 },
      })
    }, PATIENCE_MS)
    const { replayed, response } = await retry()
    expect([replayed, response.transactions.length]).toEqual([true, 6])
    const captured = [...orders.charges.values()].filter(({ capturedAmount }) => capturedAmount > 0)
    expect(captured.map(({ capturedAmount }) => capturedAmount)).toEqual([invoice.amount])
  },
  2 * PATIENCE_MS,
)
