import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus } from '@cofre/proto/invoices/v1/invoices'
import { moveClock } from '../../src/clock/billing-clock'
import { billedInvoice, chargeDue } from '../support/dunning'
import { get, newShop } from '../support/invoices'
import { answerAsUsual, PAN } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
  answerAsUsual(invoices)
})
afterAll(async () => {
  moveClock(0)
  await invoices.stop()
})

test.each(['the card that the recurring invoice names', 'no card'])(
  'no invoice of a deleted customer is charged any more: %s',
  async (what) => {
    const shop = await newShop(invoices)
    const hasCard = what !== 'no card'
    const chosenCard = hasCard ? invoices.behind.vault.store(shop.sellerId, PAN, {}).id : null
    const { invoice, dueAt } = await billedInvoice(invoices, { shop, card: null, chosenCard })
    const { sellerId, customerId } = shop
    await callRpc(invoices.customers, invoices.customers.deleteCustomer, { sellerId, customerId })
    const asked = invoices.behind.orders.asked.authorize.length
    await chargeDue(invoices, dueAt + 1)
    expect(invoices.behind.orders.asked.authorize).toHaveLength(asked)
    const { automaticCharge } = await get(invoices, invoice)
    expect(automaticCharge).toMatchObject({
      status: AutomaticChargeStatus.STOPPED,
      reason: 'CUSTOMER_DELETED',
      nextAttemptAt: undefined,
    })
  },
)
