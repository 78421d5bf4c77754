import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../src/clock/billing-clock'
import { change, getRecurring, keepAt, storeCard } from '../support/recurring'
import {
  billedInvoice,
  chargeDue,
  declineWith,
  setClock,
  stopCharging,
  type Billed,
} from '../support/dunning'
import { DAY_MS, get, newShop } from '../support/invoices'
import { answerAsUsual } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => {
  answerAsUsual(invoices)
  invoices.behind.orders.asked.authorize.length = 0
})
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const planOf = ({ invoice: { sellerId, recurringInvoiceId = 0 } }: Billed) => ({
  sellerId,
  id: recurringInvoiceId,
})
const tokenOf = (id: number | null) =>
  [...invoices.behind.vault.cards.values()].find(({ card }) => card.id === id)?.card.token
const charged = () => invoices.behind.orders.asked.authorize.map(({ payments }) => payments[0]?.cardToken)

test('the card that was chosen last is charged: kept, then named by the seller, then kept again', async () => {
  const shop = await newShop(invoices)
  const [first, kept, named, keptLater] = [0, 1, 2, 3].map(() => storeCard(invoices, shop)) as [
    number,
    number,
    number,
    number,
  ]
  const billed = await billedInvoice(invoices, { shop, card: null, chosenCard: first })
  const nextCard = async () => (await getRecurring(invoices, planOf(billed))).nextCardId
  expect(await nextCard()).toBe(first)
  await keepAt(invoices, shop, kept, now() + 1_000)
  expect(await nextCard()).toBe(kept)
  setClock(now() + 2_000)
  await change(invoices, planOf(billed), { cardId: named })
  expect(await nextCard()).toBe(named)
  await keepAt(invoices, shop, keptLater, now() + 1_000)
  expect(await nextCard()).toBe(keptLater)
  await change(invoices, planOf(billed), { unnameCard: true })
  expect(await nextCard()).toBe(keptLater)
  await chargeDue(invoices, billed.dueAt)
  expect(charged()).toEqual([tokenOf(keptLater)])
})

test('a card that the seller names while an invoice is tried again is tried next, before one kept earlier', async () => {
  const shop = await newShop(invoices)
  const billed = await billedInvoice(invoices, { shop })
  invoices.behind.orders.hooks.outcome = declineWith({})
  await chargeDue(invoices, billed.dueAt)
  answerAsUsual(invoices)
  const named = storeCard(invoices, shop)
  await change(invoices, planOf(billed), { cardId: named })
  await chargeDue(invoices, billed.dueAt + DAY_MS + 60_000)
  expect(charged()).toEqual([tokenOf(billed.cardId), tokenOf(named)])
  expect((await get(invoices, billed.invoice)).status).toBe(InvoiceStatus.PAID)
})
