import { AutomaticChargeStatus, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { billedInvoice, chargeDue, declineWith, followAll, setClock, stopCharging } from '../support/dunning'
import { emailsOf } from '../support/emails'
import { DAY_MS, get, newShop } from '../support/invoices'
import { answerAsUsual, chargeOf, PAN, resolveLater, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID, WAITING, GIVEN_UP } = AutomaticChargeStatus

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

/** An invoice of a plan that names a card, and of a customer who keeps another. */
async function ofTwoCards() {
  const shop = await newShop(invoices)
  const named = invoices.behind.vault.store(shop.sellerId, PAN, { brand: 'VISA' })
  const billed = await billedInvoice(invoices, { shop, card: { brand: 'VISA' }, chosenCard: named.id })
  const kept = [...invoices.behind.vault.cards.values()].find(({ card }) => card.id === billed.cardId)
  return { billed, named: named.token, kept: kept?.card.token ?? '' }
}

/** Has the issuer decline these cards. */
function decline(tokens: readonly string[], changes: Parameters<typeof declineWith>[0] = {}): void {
  const declined = declineWith(changes)
  const { hooks, asked } = invoices.behind.orders
  hooks.outcome = (charge) =>
    tokens.includes(asked.authorize.at(-1)?.payments[0]?.cardToken ?? '') ? declined(charge) : charge
}

const lettersOf = async (invoice: Invoice) => (await emailsOf(invoices, invoice)).map(({ cause }) => cause)
const charged = () => invoices.behind.orders.asked.authorize.map(({ payments }) => payments[0]?.cardToken)

test.each([
  ['that may be tried again', {}],
  [
    'that is final',
    { code: 'EXPIRED_CARD', acquirerCode: '54', retryable: false, advice: DeclineAdvice.USE_ANOTHER_CARD },
  ],
])('after a decline %s the customer’s other card is charged at once', async (_what, changes) => {
  const { billed, named, kept } = await ofTwoCards()
  decline([named], changes)
  await chargeDue(invoices, billed.dueAt)
  expect(charged()).toEqual([named, kept])
  expect(await get(invoices, billed.invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    automaticCharge: { status: PAID, attempts: 2 },
  })
  // Who has paid hears of no decline.
  expect(await lettersOf(billed.invoice)).toEqual(['receipt'])
})

test('when both are declined the schedule goes on, each day with both; then they are given up', async () => {
  const { billed, named, kept } = await ofTwoCards()
  decline([named, kept])
  await chargeDue(invoices, billed.dueAt)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: WAITING,
    attempts: 2,
    nextAttemptAt: billed.dueAt + DAY_MS,
  })
  expect(await lettersOf(billed.invoice)).toEqual(['retry-planned'])
  const { days, ended } = await followAll(invoices, billed)
  expect(days).toEqual([0, 0, 1, 1, 3, 3, 5, 5, 7, 7])
  expect(charged().slice(0, 4)).toEqual([named, kept, named, kept])
  expect(ended.automaticCharge?.status).toBe(GIVEN_UP)
})

test('a decline that is learned two days later has the other card charged, and not the same one again', async () => {
  const { billed, named, kept } = await ofTwoCards()
  invoices.behind.orders.hooks.outcome = staysSilent
  await chargeDue(invoices, billed.dueAt)
  chargeOf(invoices, billed.invoice, declineWith({}))
  decline([named])
  setClock(billed.dueAt + 2 * DAY_MS)
  await resolveLater(invoices)
  await chargeDue(invoices, billed.dueAt + 2 * DAY_MS + 60_000)
  expect(charged()).toEqual([named, kept])
  expect((await get(invoices, billed.invoice)).status).toBe(InvoiceStatus.PAID)
})

test('a card that is good on the last day pays, though the other is declined then', async () => {
  const { billed, named, kept } = await ofTwoCards()
  decline([named, kept])
  for (const day of [0, 1, 3, 5]) await chargeDue(invoices, billed.dueAt + day * DAY_MS + 60_000)
  decline([named])
  await chargeDue(invoices, billed.dueAt + 7 * DAY_MS + 60_000)
  expect((await get(invoices, billed.invoice)).status).toBe(InvoiceStatus.PAID)
})

test.each([
  ['has expired', { expirationYear: 2020 }],
  ['is gone', {}],
])('while the other one %s, a card that is declined is charged once a day', async (what, card) => {
  const shop = await newShop(invoices)
  const named = invoices.behind.vault.store(shop.sellerId, PAN, { brand: 'VISA', ...card })
  if (what === 'is gone') invoices.behind.vault.remove(named.id)
  const billed = await billedInvoice(invoices, { shop, card: { brand: 'VISA' }, chosenCard: named.id })
  invoices.behind.orders.hooks.outcome = declineWith({})
  const { days, ended } = await followAll(invoices, billed)
  expect(days).toEqual([0, 1, 3, 5, 7])
  expect(ended.automaticCharge?.status).toBe(GIVEN_UP)
})
