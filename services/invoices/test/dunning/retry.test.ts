import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { chargeAutomatically } from '../../src/dunning/charge-automatically'
import { retryAutomaticCharge } from '../../src/dunning/retry-charge'
import {
  billedInvoice,
  chargeDue,
  declineWith,
  givenUp,
  retryAgain,
  setClock,
  stopCharging,
} from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import {
  answerAsUsual,
  captures,
  chargeOf,
  eventsSent,
  pay,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { cancelRecurring, pauseRecurring } from '../support/recurring'
import { withKey } from '../support/repeated'
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

const authorizations = () => invoices.behind.orders.asked.authorize.length

test('after the last try one more is made at once when it is asked for, and pays', async () => {
  const { invoice } = await givenUp(invoices)
  expect((await get(invoices, invoice)).automaticCharge?.status).toBe(GIVEN_UP)
  const { response } = await retryAgain(invoices, invoice)
  expect(response.transactions).toHaveLength(6)
  expect(await get(invoices, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    automaticCharge: { status: PAID, attempts: 6 },
  })
  expect(authorizations()).toBe(1)
})

test('declined, it is given up again, and its seller is told', async () => {
  const { invoice, at } = await givenUp(invoices)
  const before = (await eventsSent(invoices, invoice)).length
  invoices.behind.orders.hooks.outcome = declineWith({})
  await retryAgain(invoices, invoice)
  await chargeDue(invoices, at + 5 * DAY_MS)
  expect((await get(invoices, invoice)).automaticCharge).toMatchObject({ status: GIVEN_UP, attempts: 6 })
  expect((await eventsSent(invoices, invoice)).slice(before)).toEqual(['invoice.payment_failed'])
})

test('between two tries it is made now, and the schedule goes on', async () => {
  const billed = await billedInvoice(invoices)
  invoices.behind.orders.hooks.outcome = declineWith({})
  await chargeDue(invoices, billed.dueAt + DAY_MS)
  setClock(billed.dueAt + 2 * DAY_MS + 3_600_000)
  await retryAgain(invoices, billed.invoice)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: WAITING,
    attempts: 2,
  })
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + 4 * DAY_MS + 60_000)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 3 })
})

test('what a brand forbids is refused in words, and nothing is charged', async () => {
  const { invoice, dueAt } = await givenUp(invoices, { card: { brand: 'VISA' } })
  setClock(dueAt + 31 * DAY_MS)
  await expect(retryAgain(invoices, invoice)).rejects.toMatchObject({
    reason: 'AUTOMATIC_CHARGE_REFUSED',
    extra: { members: { reason: 'BRAND_LIMIT' } },
  })
  expect(authorizations()).toBe(0)
  expect((await get(invoices, invoice)).automaticCharge).toMatchObject({ status: GIVEN_UP, attempts: 5 })
})

test('it is refused without a card, before the due day, in a pause, and once the plan or the invoice is over', async () => {
  const none = await billedInvoice(invoices, { card: null })
  await chargeDue(invoices, none.dueAt)
  await expect(retryAgain(invoices, none.invoice)).rejects.toMatchObject({
    reason: 'AUTOMATIC_CHARGE_REFUSED',
    extra: { members: { reason: 'NO_CARD' } },
  })
  const refused = { reason: 'INVALID_INVOICE_STATE' }
  const early = await billedInvoice(invoices, { dueDate: none.dueAt + 5 * DAY_MS })
  await expect(retryAgain(invoices, early.invoice)).rejects.toMatchObject(refused)
  const { invoice } = await givenUp(invoices)
  const plan = { sellerId: invoice.sellerId, id: invoice.recurringInvoiceId ?? 0 }
  await pauseRecurring(invoices, plan)
  await expect(retryAgain(invoices, invoice)).rejects.toMatchObject(refused)
  await cancelRecurring(invoices, plan)
  await expect(retryAgain(invoices, invoice)).rejects.toMatchObject(refused)
  const paid = await givenUp(invoices)
  await pay(invoices, paid.invoice)
  await expect(retryAgain(invoices, paid.invoice)).rejects.toMatchObject(refused)
  await expect(retryAgain(invoices, { ...paid.invoice, sellerId: 1 })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('a repeat with its key charges nothing', async () => {
  const { invoice } = await givenUp(invoices)
  invoices.behind.orders.hooks.outcome = declineWith({})
  const ask = () => withKey(`retry-${invoice.id}`, () => retryAgain(invoices, invoice))
  await ask()
  const again = await ask()
  expect([again.replayed, again.response.transactions.length, authorizations()]).toEqual([true, 6, 1])
})

test('asked for many times at once, beside the sweeper and a payer at the checkout, it charges one card once', async () => {
  const { invoice, at } = await givenUp(invoices)
  const job = chargeAutomatically(invoices.deps)
  await Promise.allSettled([
    ...[1, 2, 3, 4].map(() => retryAgain(invoices, invoice)),
    pay(invoices, invoice),
    ...[1, 2, 3].map(() => job.run(at)),
  ])
  await chargeDue(invoices, at + DAY_MS)
  expect((await get(invoices, invoice)).status).toBe(InvoiceStatus.PAID)
  const { sellerId, invoiceNumber } = invoice
  const captured = [...invoices.behind.orders.charges.values()].filter(
    (each) => each.sellerId === sellerId && each.orderReference === invoiceNumber && each.capturedAmount > 0,
  )
  expect(captured).toHaveLength(1)
})

test('a try without an answer is not made again while nobody knows what became of it', async () => {
  const { invoice } = await givenUp(invoices)
  // Only the charge without an answer is this invoice's in what follows.
  invoices.behind.orders.charges.clear()
  invoices.behind.orders.hooks.outcome = staysSilent
  await retryAgain(invoices, invoice)
  await expect(retryAgain(invoices, invoice)).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' })
  chargeOf(invoices, invoice, captures)
  await resolveLater(invoices)
  expect((await get(invoices, invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 6 })
  expect(authorizations()).toBe(1)
})

test('what was asked for and not begun is charged by the sweeper, once', async () => {
  const { invoice, at } = await givenUp(invoices)
  const { cards } = invoices.deps
  let looks = 0
  // The process is cut off from the vault right after it saved the wish.
  const find: typeof cards.find = (...asked) =>
    (looks += 1) > 1 ? Promise.reject(new Error('cut off')) : cards.find(...asked)
  const cutOff = { ...invoices.deps, cards: { ...cards, find } }
  const request = { sellerId: invoice.sellerId, invoiceId: invoice.id }
  await withKey(`cut-${invoice.id}`, () => retryAutomaticCharge(cutOff, request))
  expect(authorizations()).toBe(0)
  await invoices.pool.query(`UPDATE automatic_charges SET leased_until = 'epoch'`)
  await chargeDue(invoices, at + DAY_MS)
  expect((await get(invoices, invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 6 })
  expect(authorizations()).toBe(1)
})
