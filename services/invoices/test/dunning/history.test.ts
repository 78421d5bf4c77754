import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { CredentialReason, Initiator } from '@cofre/proto/orders/v1/orders'
import { billedInvoice, chargeDue, declineWith, stopCharging, type Billed } from '../support/dunning'
import { create, DAY_MS, get, invoiceFor } from '../support/invoices'
import { answerAsUsual, chargeOf, pay, resolveLater, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, PAID, NEEDS_CARD, STOPPED, GIVEN_UP } = AutomaticChargeStatus
const HOUR_MS = 3_600_000

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const asked = () => invoices.behind.orders.asked.authorize
const automatic = async ({ invoice }: { invoice: Invoice }) => (await get(invoices, invoice)).automaticCharge
/** Another invoice of the same customer, with automatic charging of the same card. */
const another = ({ shop, cardId }: Billed, dueDate?: number) =>
  billedInvoice(invoices, { shop, card: null, chosenCard: cardId, ...(dueDate ? { dueDate } : {}) })
const decline = (changes: Parameters<typeof declineWith>[0]) => {
  invoices.behind.orders.hooks.outcome = declineWith(changes)
}

describe('an issuer that declined for good', () => {
  test.each([
    ['Visa 57', 'VISA', { acquirerCode: '57' }, NEEDS_CARD],
    ['Mastercard advice 03', 'MASTERCARD', { acquirerCode: '79', adviceCode: '03' }, NEEDS_CARD],
    ['a holder who stopped it', 'VISA', { code: 'RECURRING_STOPPED', retryable: false }, GIVEN_UP],
  ])('is not asked again for another invoice: %s', async (_what, brand, said, status) => {
    const first = await billedInvoice(invoices, { card: { brand } })
    decline(said)
    await chargeDue(invoices, first.dueAt)
    const second = await another(first)
    const before = asked().length
    await chargeDue(invoices, second.dueAt + DAY_MS)
    expect(asked().length).toBe(before)
    const { reason } = (await automatic(first)) ?? {}
    expect(await automatic(second)).toMatchObject({ status, attempts: 0, reason })
    const third = await another(first)
    await chargeDue(invoices, third.dueAt + 40 * DAY_MS)
    expect([asked().length, await automatic(third)]).toMatchObject([before, { status, attempts: 0 }])
  })

  test('is asked again once the customer has paid with the card', async () => {
    const first = await billedInvoice(invoices)
    decline({ acquirerCode: '57' })
    await chargeDue(invoices, first.dueAt)
    answerAsUsual(invoices)
    await pay(invoices, await create(invoices, invoiceFor(first.shop)), { cardId: first.cardId ?? 0 })
    const next = await another(first)
    await chargeDue(invoices, next.dueAt + DAY_MS)
    expect(await automatic(next)).toMatchObject({ status: PAID, attempts: 1 })
  })

  test('that declined for the seller’s account says nothing about the card', async () => {
    const first = await billedInvoice(invoices)
    decline({ code: 'INVALID_MERCHANT', acquirerCode: '3', retryable: false })
    await chargeDue(invoices, first.dueAt)
    answerAsUsual(invoices)
    const second = await another(first)
    await chargeDue(invoices, second.dueAt + DAY_MS)
    expect(await automatic(second)).toMatchObject({ status: PAID })
  })
})

test('a wait that Mastercard advises holds for every invoice of the card', async () => {
  const first = await billedInvoice(invoices, { card: { brand: 'MASTERCARD' } })
  decline({ acquirerCode: '51', adviceCode: '27' })
  await chargeDue(invoices, first.dueAt)
  answerAsUsual(invoices)
  const second = await another(first, first.dueAt + DAY_MS)
  await chargeDue(invoices, second.dueAt)
  const { nextAttemptAt = 0, ...rest } = (await automatic(second)) ?? {}
  expect(rest).toMatchObject({ status: WAITING, attempts: 0 })
  expect(nextAttemptAt).toBeGreaterThanOrEqual(first.dueAt + 4 * DAY_MS)
  await chargeDue(invoices, nextAttemptAt)
  expect(await automatic(second)).toMatchObject({ status: PAID, attempts: 1 })
})

test('a card whose other payment is being given back is charged meanwhile', async () => {
  const billed = await billedInvoice(invoices)
  const other = await create(invoices, invoiceFor(billed.shop))
  invoices.behind.orders.hooks.outcome = staysSilent
  await pay(invoices, other, { cardId: billed.cardId ?? 0 })
  await chargeDue(invoices, billed.dueAt)
  expect(await automatic(billed)).toMatchObject({ status: WAITING, attempts: 0 })
  await invoices.pool.query('UPDATE invoice_transactions SET give_back = true WHERE invoice_id = $1', [
    other.id,
  ])
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + HOUR_MS)
  expect(await automatic(billed)).toMatchObject({ status: PAID, attempts: 1 })
})

test('an attempt during which the customer is deleted is the last one', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  const { sellerId, customerId } = billed.shop
  // A booklet with all its invoices made: there is nothing to cancel.
  await invoices.pool.query(
    `UPDATE recurring_invoices SET status = 'FINISHED', kind = 'BOOKLET', charges = 1, next_cycle_day = NULL WHERE id = $1`,
    [billed.invoice.recurringInvoiceId],
  )
  await callRpc(invoices.customers, invoices.customers.deleteCustomer, { sellerId, customerId })
  chargeOf(invoices, billed.invoice, declineWith({}))
  await resolveLater(invoices)
  expect(await automatic(billed)).toMatchObject({
    status: STOPPED,
    attempts: 1,
    reason: 'CUSTOMER_DELETED',
    nextAttemptAt: undefined,
  })
})

test('a card without an answer from an issuer counts for card testing; after a decline it does not', async () => {
  const tried = await billedInvoice(invoices, { card: null, chosenCard: 0 })
  const { id } = invoices.behind.vault.store(tried.shop.sellerId, '4111111111111111', {})
  await invoices.pool.query('UPDATE recurring_invoices SET card_id = $2 WHERE id = $1', [
    tried.invoice.recurringInvoiceId,
    id,
  ])
  invoices.behind.orders.hooks.outcome = declineWith({})
  await chargeDue(invoices, tried.dueAt)
  expect(asked().at(-1)).toMatchObject({ initiator: Initiator.MERCHANT, exemptFromTestingGuard: false })
  await chargeDue(invoices, (await automatic(tried))?.nextAttemptAt ?? 0)
  expect(asked().at(-1)).toMatchObject({ initiator: Initiator.MERCHANT, exemptFromTestingGuard: true })
})

test('a card that had a payment approved no longer counts for card testing', async () => {
  const first = await billedInvoice(invoices, { card: null, chosenCard: 0 })
  const { id: cardId } = invoices.behind.vault.store(first.shop.sellerId, '4111111111111111', {})
  await invoices.pool.query('UPDATE recurring_invoices SET card_id = $2 WHERE id = $1', [
    first.invoice.recurringInvoiceId,
    cardId,
  ])
  await chargeDue(invoices, first.dueAt)
  expect(asked().at(-1)).toMatchObject({ initiator: Initiator.MERCHANT, exemptFromTestingGuard: false })
  const second = await another({ ...first, cardId })
  await chargeDue(invoices, second.dueAt + DAY_MS)
  expect(asked().at(-1)).toMatchObject({ initiator: Initiator.MERCHANT, exemptFromTestingGuard: true })
})

test('the slips of a booklet are the instalments of one purchase, with every try', async () => {
  const billed = await billedInvoice(invoices)
  await invoices.pool.query("UPDATE recurring_invoices SET kind = 'BOOKLET', charges = 12 WHERE id = $1", [
    billed.invoice.recurringInvoiceId,
  ])
  const merchants = { initiator: Initiator.MERCHANT, reason: CredentialReason.INSTALLMENTS }
  invoices.behind.orders.hooks.outcome = declineWith({})
  await chargeDue(invoices, billed.dueAt)
  expect(asked().at(-1)).toMatchObject(merchants)
  await chargeDue(invoices, (await automatic(billed))?.nextAttemptAt ?? 0)
  expect(asked().slice(-2)).toMatchObject([merchants, merchants])
})
