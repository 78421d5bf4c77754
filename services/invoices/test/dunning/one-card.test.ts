import { AutomaticChargeStatus } from '@cofre/proto/invoices/v1/invoices'
import { moveClock } from '../../src/clock/billing-clock'
import { billedInvoice, chargeDue, declineWith } from '../support/dunning'
import { get } from '../support/invoices'
import { answerAsUsual, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING } = AutomaticChargeStatus
const MINUTE_MS = 60_000

let invoices: TestInvoices
beforeEach(async () => {
  invoices = await startInvoices()
  answerAsUsual(invoices)
})
afterEach(async () => {
  moveClock(0)
  await invoices.stop()
})

/** Invoices of one customer, all due at once, with automatic charging of one Mastercard. */
async function severalOfOneCard(count: number) {
  const first = await billedInvoice(invoices, { card: { brand: 'MASTERCARD' } })
  const others = []
  for (let made = 1; made < count; made += 1) {
    others.push(await billedInvoice(invoices, { shop: first.shop, card: null, chosenCard: first.cardId }))
  }
  return [first, ...others]
}
const authorizations = () => invoices.behind.orders.asked.authorize.length

test('a card is charged for one invoice at a time: an unknown outcome keeps the other invoices waiting', async () => {
  const billed = await severalOfOneCard(3)
  invoices.behind.orders.hooks.outcome = staysSilent
  const at = Math.max(...billed.map(({ dueAt }) => dueAt))
  for (let minute = 0; minute < 5; minute += 1) await chargeDue(invoices, at + minute * MINUTE_MS)
  expect(authorizations()).toBe(1)
  const seen = await Promise.all(billed.map(({ invoice }) => get(invoices, invoice)))
  const waiting = seen.filter(({ automaticCharge }) => automaticCharge?.status === WAITING)
  expect(waiting.map(({ automaticCharge }) => automaticCharge)).toEqual(
    [0, 1].map(() => ({ status: WAITING, attempts: 0, nextAttemptAt: at + 5 * MINUTE_MS, reason: '' })),
  )
})

test('the limit of the brand holds for invoices that are all due at once', async () => {
  const billed = await severalOfOneCard(9)
  invoices.behind.orders.hooks.outcome = declineWith({})
  const at = Math.max(...billed.map(({ dueAt }) => dueAt))
  for (let minute = 0; minute < 12; minute += 1) await chargeDue(invoices, at + minute * MINUTE_MS)
  expect(authorizations()).toBe(7)
})
