import { callRpc } from '@cofre/platform/grpc/client'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { CollectionMethod } from '@cofre/proto/invoices/v1/recurring'
import { destroyDiscarded } from '../src/cards/destroy-discarded'
import { billedInvoice, chargeDue, declineWith, stopCharging } from './support/dunning'
import { startMailing, sendDue, type MailingInvoices } from './support/emails'
import { create, DAY_MS, invoiceFor, newShop, type Shop } from './support/invoices'
import { answerAsUsual, declines, pay, sealed } from './support/payments'
import { createRecurring, recurringFor } from './support/recurring'

const KEPT = { brand: 'VISA', lastFour: '1111' }
const NAMED = { brand: 'MASTERCARD', lastFour: '5100' }

let invoices: MailingInvoices
beforeAll(async () => {
  invoices = await startMailing()
})
beforeEach(() => {
  answerAsUsual(invoices)
  invoices.server.mails.length = 0
})
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const pageOf = ({ publicId }: Pick<Invoice, 'publicId'>) =>
  callRpc(invoices.pages, invoices.pages.getPaymentPage, { publicId })

/** The customer pays an invoice with a card, and keeps it. */
async function keepByPaying(shop: Shop): Promise<Invoice> {
  const paid = await create(invoices, invoiceFor(shop))
  await pay(invoices, paid, { card: sealed(), keepCard: true })
  return paid
}

/** An invoice of a plan that charges the card that its customer kept by paying. */
async function ofKeptCard(shop: Shop) {
  await keepByPaying(shop)
  const billed = await billedInvoice(invoices, { shop, card: null })
  await invoices.pool.query(
    `UPDATE automatic_charges SET status = 'WAITING', next_attempt_at = $2, reason = NULL WHERE invoice_id = $1`,
    [billed.invoice.id, new Date(billed.dueAt)],
  )
  return billed
}

/** Sends all letters that wait, and returns those that arrived. */
async function letters(): Promise<string[]> {
  await sendDue(invoices.emailDeps)
  return invoices.server.mails.splice(0).map(({ text = '' }) => text)
}

test('the page names the card that is charged, and when', async () => {
  const { invoice, dueAt } = await ofKeptCard(await newShop(invoices))
  expect(await pageOf(invoice)).toMatchObject({
    keptCards: [KEPT],
    nextCharge: { at: dueAt, card: KEPT, retry: false },
  })
})

test('page and letter after a decline name the card, and when it is charged again', async () => {
  const { invoice, dueAt } = await ofKeptCard(await newShop(invoices))
  await letters()
  invoices.behind.orders.hooks.outcome = declineWith({})
  await chargeDue(invoices, dueAt)
  const { nextCharge, triedCard } = await pageOf(invoice)
  expect(triedCard).toEqual(KEPT)
  expect(nextCharge).toEqual({ at: dueAt + DAY_MS, card: KEPT, retry: true })
  expect(await letters()).toEqual([
    expect.stringMatching(/no cartão Visa final 1111 não foi concluída.*, no mesmo cartão:/),
  ])
})

test('the receipt and the page of a card that was charged automatically name it, after it was removed too', async () => {
  const { invoice, dueAt } = await ofKeptCard(await newShop(invoices))
  await letters()
  await chargeDue(invoices, dueAt)
  expect(await letters()).toEqual([expect.stringContaining('Cartão de crédito (Visa final 1111), à vista')])
  await callRpc(invoices.pages, invoices.pages.removeKeptCards, { publicId: invoice.publicId })
  while ((await destroyDiscarded(invoices.deps)) > 0);
  expect(await pageOf(invoice)).toMatchObject({ hasKeptCard: false, keptCards: [], triedCard: KEPT })
})

test('the letter that a card cannot be charged names it, and no other try is on the page', async () => {
  const { invoice, dueAt } = await ofKeptCard(await newShop(invoices))
  await letters()
  invoices.behind.orders.hooks.outcome = declineWith({
    code: 'LOST_CARD',
    acquirerCode: '41',
    retryable: false,
  })
  await chargeDue(invoices, dueAt)
  expect(await letters()).toEqual([expect.stringContaining('com o cartão Visa final 1111 não foi')])
  expect(await pageOf(invoice)).toMatchObject({ nextCharge: undefined, triedCard: KEPT })
})

test('a card that a plan names has its name from then on, and is charged before the one that was kept earlier', async () => {
  const shop = await newShop(invoices)
  await keepByPaying(shop)
  const { id } = invoices.behind.vault.store(shop.sellerId, '5105105105105100', { brand: 'MASTERCARD' })
  const asked = { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY, cardId: id }
  await createRecurring(invoices, recurringFor(shop, asked))
  const { invoice } = await billedInvoice(invoices, { shop, card: null, chosenCard: id })
  expect(await pageOf(invoice)).toMatchObject({ keptCards: [KEPT, NAMED], nextCharge: { card: NAMED } })
})

test('a card that the payer types is not named; what follows from the plan stays on the page', async () => {
  const { invoice, dueAt } = await ofKeptCard(await newShop(invoices))
  invoices.behind.orders.hooks.outcome = declines
  await pay(invoices, invoice)
  const page = await pageOf(invoice)
  expect(page).toMatchObject({ nextCharge: { at: dueAt, card: KEPT, retry: false } })
  expect(page.triedCard).toBeUndefined()
})

test.each([
  ['paused', `UPDATE automatic_charges SET is_held = true WHERE invoice_id = $1`],
  [
    'cancelled',
    `UPDATE recurring_invoices SET status = 'CANCELLED', next_cycle_day = NULL
      WHERE id = (SELECT recurring_invoice_id FROM invoices WHERE id = $1)`,
  ],
])('no charge is on the page while the plan is %s', async (_state, change) => {
  const { invoice } = await ofKeptCard(await newShop(invoices))
  await invoices.pool.query(change, [invoice.id])
  expect((await pageOf(invoice)).nextCharge).toBeUndefined()
})

test('the page of a purchase by a link names no card of the customer', async () => {
  const shop = await newShop(invoices)
  const { invoice } = await ofKeptCard(shop)
  await invoices.pool.query('UPDATE invoices SET payment_link_product_id = $2 WHERE id = $1', [
    invoice.id,
    shop.productId,
  ])
  expect(await pageOf(invoice)).toMatchObject({ hasKeptCard: false, keptCards: [], nextCharge: undefined })
})

test('a customer who is deleted takes the names of their cards along', async () => {
  const [leaving, staying] = [await newShop(invoices), await newShop(invoices)]
  const [paid, other] = [await keepByPaying(leaving), await keepByPaying(staying)]
  expect(await pageOf(paid)).toMatchObject({ triedCard: KEPT })
  const { sellerId, customerId } = leaving
  await callRpc(invoices.customers, invoices.customers.deleteCustomer, { sellerId, customerId })
  expect((await pageOf(paid)).triedCard).toBeUndefined()
  expect(await pageOf(other)).toMatchObject({ triedCard: KEPT })
})
