import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import { eventually } from '@cofre/testing/testing'
import { newDisputeId, startDisputes, type Told } from '../disputes/start-disputes'
import { billedInvoice, chargeDue, keep, stopCharging, type Billed } from '../support/dunning'
import { create, DAY_MS, get, invoiceFor } from '../support/invoices'
import { answerAsUsual, chargeOf, eventsSent, PAN, pay } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID, NEEDS_CARD } = AutomaticChargeStatus
const WON = { status: DisputeStatus.WON, withdrawnAmount: 0 } as const

let invoices: TestInvoices
let on: Awaited<ReturnType<typeof startDisputes>>
beforeAll(async () => {
  invoices = await startInvoices()
  on = await startDisputes(invoices)
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(async () => {
  await on.stop()
  await invoices.stop()
})

const statusOf = async ({ invoice }: Billed) => {
  const { automaticCharge, status } = await get(invoices, invoice)
  return { status, is: automaticCharge?.status, reason: automaticCharge?.reason }
}
/** Publishes an event of a dispute of what an invoice's card has paid, and waits until it is taken. */
async function dispute({ invoice }: Pick<Billed, 'invoice'>, told: Told & { id: number; sequence: number }) {
  await on.tell(chargeOf(invoices, invoice), told)
  await eventually(async () => {
    const { rows } = await invoices.pool.query('SELECT sequence FROM disputes WHERE id = $1', [told.id])
    expect(rows).toEqual([{ sequence: told.sequence }])
  })
}
/** The invoice of a cycle that its card has paid, and that of the next cycle. */
async function twoCycles(): Promise<{ first: Billed; next: Billed }> {
  const first = await billedInvoice(invoices)
  await chargeDue(invoices, first.dueAt)
  expect((await statusOf(first)).is).toBe(PAID)
  const dueDate = first.dueAt + 30 * DAY_MS
  return {
    first,
    next: await billedInvoice(invoices, { shop: first.shop, card: null, chosenCard: first.cardId, dueDate }),
  }
}

test('a card with an open dispute is not charged for the next cycle; seller and customer get to know why', async () => {
  const { first, next } = await twoCycles()
  await dispute(first, { id: newDisputeId(), sequence: 1 })
  await chargeDue(invoices, next.dueAt)
  expect(await statusOf(next)).toEqual({
    status: InvoiceStatus.CLOSED,
    is: NEEDS_CARD,
    reason: 'CARD_DISPUTED',
  })
  expect((await eventsSent(invoices, next.invoice)).at(-1)).toBe('invoice.payment_failed')
  const { rows } = await invoices.pool.query('SELECT cause FROM emails WHERE invoice_id = $1', [
    next.invoice.id,
  ])
  expect(rows).toEqual([{ cause: 'card-declined' }])
  expect((await get(invoices, next.invoice)).charge?.transactions).toEqual([])
})

test('once the seller has won it is charged again on the next day of the schedule; a lost one keeps it out', async () => {
  const { first, next } = await twoCycles()
  const [one, other] = [newDisputeId(), newDisputeId()]
  await dispute(first, { id: one, sequence: 1, withdrawnAmount: 1_000 })
  await dispute(first, { id: other, sequence: 1, withdrawnAmount: 1_000, status: DisputeStatus.LOST })
  await chargeDue(invoices, next.dueAt)
  await dispute(first, { id: one, sequence: 2, ...WON })
  await chargeDue(invoices, next.dueAt + DAY_MS)
  expect(await statusOf(next)).toMatchObject({ is: NEEDS_CARD, reason: 'CARD_DISPUTED' })
  await dispute(first, { id: other, sequence: 2, ...WON })
  await chargeDue(invoices, next.dueAt + 3 * DAY_MS)
  expect(await statusOf(next)).toMatchObject({ status: InvoiceStatus.PAID, is: PAID })
})

test('another card of the customer is charged instead, on the same day', async () => {
  const { first, next } = await twoCycles()
  await dispute(first, { id: newDisputeId(), sequence: 1 })
  const other = invoices.behind.vault.store(first.shop.sellerId, '5555444433331111', {}).id
  await keep(invoices, first.shop, other)
  await chargeDue(invoices, next.dueAt)
  expect(await statusOf(next)).toMatchObject({ status: InvoiceStatus.PAID, is: PAID })
  const { rows } = await invoices.pool.query(
    'SELECT card_id AS id FROM invoice_transactions WHERE invoice_id = $1',
    [next.invoice.id],
  )
  expect(rows).toEqual([{ id: other }])
})

test('a card that the disputed payment stored is kept out too, and a request for information counts', async () => {
  const { shop } = await billedInvoice(invoices, { card: null })
  const invoice = await create(invoices, invoiceFor(shop))
  const { id: cardId } = invoices.behind.vault.store(shop.sellerId, PAN, {})
  await pay(invoices, invoice, { cardId, keepCard: true })
  const next = await billedInvoice(invoices, { shop, card: null, chosenCard: cardId })
  await dispute({ invoice }, { id: newDisputeId(), sequence: 1, withdrawnAmount: 0 })
  await chargeDue(invoices, next.dueAt)
  expect(await statusOf(next)).toMatchObject({ is: NEEDS_CARD, reason: 'CARD_DISPUTED' })
  // Its holder may still pay with it in person.
  await pay(invoices, next.invoice, { cardId })
  expect((await statusOf(next)).status).toBe(InvoiceStatus.PAID)
})
