import { randomUUID } from 'node:crypto'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus, PaymentMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { ListMovementsRequest } from '@cofre/proto/invoices/v1/money'
import { ListEntriesRequest } from '@cofre/proto/invoices/v1/recipients'
import { DisputeStatus } from '@cofre/proto/orders/v1/disputes'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { eventually } from '@cofre/testing/testing'
import { newDisputeId, startDisputes, type Told } from './start-disputes'
import { create, createRecipient, get, invoiceFor, newShop } from '../support/invoices'
import {
  answerAsUsual,
  captures,
  chargeOf,
  eventsSent,
  pay,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID } = InvoiceStatus
const WHOLE = 9_980

let invoices: TestInvoices
let on: Awaited<ReturnType<typeof startDisputes>>
beforeAll(async () => {
  invoices = await startInvoices()
  on = await startDisputes(invoices)
})
beforeEach(() => answerAsUsual(invoices))
afterAll(async () => {
  await on.stop()
  await invoices.stop()
})

async function paid(
  changes: Parameters<typeof invoiceFor>[1] = {},
): Promise<{ invoice: Invoice; charge: Charge }> {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices), changes))
  await pay(invoices, invoice)
  return { invoice, charge: chargeOf(invoices, invoice) }
}

const shows = (invoice: Invoice, disputedAmount: number) =>
  eventually(async () => expect(await on.disputed(invoice)).toEqual({ disputedAmount, status: PAID }))

const WON = { status: DisputeStatus.WON, withdrawnAmount: 0, type: 'dispute.won' } as const

test('a dispute takes the money back, and the invoice stays PAID; a won one brings it again', async () => {
  const { invoice, charge } = await paid()
  const id = newDisputeId()
  await on.tell(charge, { id })
  await shows(invoice, WHOLE)
  await on.tell(charge, { id, sequence: 2, ...WON })
  await shows(invoice, 0)
  expect(await on.journalOf(invoice)).toEqual([
    ['PAYMENT', WHOLE, undefined],
    ['DISPUTE', WHOLE, id],
    ['DISPUTE_WON', WHOLE, id],
  ])
  const { sellerId, id: invoiceId } = invoice
  const asked = ListMovementsRequest.fromPartial({ sellerId, invoiceId, size: 100 })
  const { movements } = await callRpc(on.money, on.money.listMovements, asked)
  expect(movements.map(({ card }) => card)).toEqual(Array(3).fill(movements.at(-1)?.card))
  expect(movements[0]?.card).toBeDefined()
  expect((await get(invoices, invoice)).paidAmount).toBe(WHOLE)
  expect((await eventsSent(invoices, invoice)).at(-1)).toBe('invoice.paid')
})

test('a lost one, and one that the seller accepted, keep what they took; a later stage takes it again', async () => {
  const { invoice, charge } = await paid()
  const id = newDisputeId()
  await on.tell(charge, { id, withdrawnAmount: 4_000 })
  await on.tell(charge, {
    id,
    withdrawnAmount: 4_000,
    sequence: 2,
    status: DisputeStatus.LOST,
    type: 'dispute.lost',
  })
  await shows(invoice, 4_000)
  const other = newDisputeId()
  await on.tell(charge, { id: other, withdrawnAmount: 0 })
  await on.tell(charge, { id: other, withdrawnAmount: 1_000, sequence: 2 })
  await on.tell(charge, { id: other, sequence: 3, ...WON })
  await on.tell(charge, { id: other, withdrawnAmount: 700, sequence: 4 })
  await shows(invoice, 4_700)
  expect(await on.journalOf(invoice)).toEqual([
    ['PAYMENT', WHOLE, undefined],
    ['DISPUTE', 4_000, id],
    ['DISPUTE', 1_000, other],
    ['DISPUTE_WON', 1_000, other],
    ['DISPUTE', 700, other],
  ])
})

test('repeated and overtaken events change nothing: the highest sequence holds', async () => {
  const { invoice, charge } = await paid()
  const id = newDisputeId()
  const eventId = randomUUID()
  await on.tell(charge, { id, sequence: 3, withdrawnAmount: 5_000, eventId })
  await on.tell(charge, { id, sequence: 3, withdrawnAmount: 5_000, eventId })
  await on.tell(charge, { id, sequence: 1, withdrawnAmount: WHOLE })
  await on.tell(charge, { id, sequence: 2, ...WON })
  await on.tell(charge, { id, sequence: 4, withdrawnAmount: 5_001 })
  await shows(invoice, 5_001)
  expect(await on.journalOf(invoice)).toEqual([
    ['PAYMENT', WHOLE, undefined],
    ['DISPUTE', 5_000, id],
    ['DISPUTE', 1, id],
  ])
})

test('many disputes of one payment at once, in two replicas, sum to the cent', async () => {
  const { invoice, charge } = await paid()
  const replica = await startDisputes(invoices)
  const ids = Array.from({ length: 10 }, newDisputeId)
  await Promise.all(ids.map((id, nth) => (nth % 2 ? on : replica).tell(charge, { id, withdrawnAmount: 100 })))
  await shows(invoice, 1_000)
  await Promise.all(ids.map((id, nth) => (nth % 2 ? replica : on).tell(charge, { id, sequence: 2, ...WON })))
  await shows(invoice, 0)
  expect(await on.journalOf(invoice)).toHaveLength(21)
  await replica.stop()
})

test('of a charge that pays no invoice, and of none, it is ignored', async () => {
  const { invoice, charge } = await paid()
  await on.tell({ ...charge, id: 999_999 }, { id: newDisputeId() })
  await on.tell(charge, { id: newDisputeId(), chargeId: undefined })
  await on.tell({ ...charge, sellerId: charge.sellerId + 1 }, { id: newDisputeId() })
  const last = newDisputeId()
  await on.tell(charge, { id: last, withdrawnAmount: 1 })
  await shows(invoice, 1)
  expect((await on.journalOf(invoice)).map(([, , id]) => id)).toEqual([undefined, last])
})

test('news of a dispute that overtakes that of the payment pays the invoice first', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  await pay(invoices, invoice)
  const charge = chargeOf(invoices, invoice, captures)
  const id = newDisputeId()
  await on.tell(charge, { id, withdrawnAmount: 30 })
  await shows(invoice, 30)
  expect(await on.journalOf(invoice)).toEqual([
    ['PAYMENT', WHOLE, undefined],
    ['DISPUTE', 30, id],
  ])
})

test('the payer’s fee goes back in proportion, and what was refunded before is of no invoice', async () => {
  const method = {
    method: PaymentMethod.CREDIT_CARD,
    cardSettings: { feePassThrough: true, maxInstallments: 12, threeDSecure: false },
  }
  const invoice = await create(
    invoices,
    invoiceFor(await newShop(invoices), {
      acceptedMethods: [{ ...method, boletoSettings: undefined, pixSettings: undefined }],
    }),
  )
  await pay(invoices, invoice, { installments: 2 })
  const gross = chargeOf(invoices, invoice).amount
  const fee = gross - WHOLE
  expect(fee).toBeGreaterThan(0)
  const half = Math.floor(gross / 2)
  const charge = chargeOf(invoices, invoice, (made) => ({
    ...made,
    status: ChargeStatus.PARTIALLY_REFUNDED,
    refundedAmount: half,
  }))
  await resolveLater(invoices, 120_000)
  const id = newDisputeId()
  await on.tell(charge, { id, withdrawnAmount: gross })
  await eventually(async () => {
    const { refundedAmount, disputedAmount } = await get(invoices, invoice)
    expect([refundedAmount + disputedAmount, disputedAmount > 0]).toEqual([WHOLE, true])
  })
  const { rows } = await invoices.pool.query(
    'SELECT invoice_id IS NULL AS none, sum(amount)::int AS amount, sum(fee)::int AS fee FROM movements WHERE dispute_id = $1 GROUP BY 1 ORDER BY 1',
    [id],
  )
  expect(rows).toEqual([
    { none: false, amount: gross - half, fee: expect.any(Number) },
    { none: true, amount: half, fee: 0 },
  ])
  await on.tell(charge, { id, sequence: 2, ...WON })
  await shows(invoice, 0)
  const { rows: net } = await invoices.pool.query(
    `SELECT sum(CASE kind WHEN 'DISPUTE' THEN amount ELSE -amount END)::int AS amount FROM movements WHERE dispute_id = $1`,
    [id],
  )
  expect(net).toEqual([{ amount: 0 }])
})

test('money that is disputed cannot be recorded as given back, and the refusal says so', async () => {
  const { invoice, charge } = await paid()
  await on.tell(charge, { id: newDisputeId(), withdrawnAmount: 9_000 })
  await shows(invoice, 9_000)
  const giveBack = (amount: number) =>
    callRepeatable(on.money, on.money.recordReturn, {
      sellerId: invoice.sellerId,
      invoiceId: invoice.id,
      amount,
      returnedAt: Date.now() - 1_000,
      reference: '',
    })
  await expect(giveBack(981)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ code: 'RANGE', detail: 'must be at most 980: card holders dispute 9000 of it' }] },
  })
  expect((await giveBack(980)).response).toMatchObject({ refundedAmount: 980, disputedAmount: 9_000 })
})

test('recipients owe back what a dispute took, and get it again when it is won', async () => {
  const shop = await newShop(invoices)
  const ana = await createRecipient(invoices, shop.sellerId)
  const splits = [
    {
      recipientId: ana.id,
      percentageBps: 1_000,
      amountInCents: undefined,
      liable: false,
      chargeProcessingFee: false,
    },
  ]
  const invoice = await create(invoices, invoiceFor(shop, { splits }))
  await pay(invoices, invoice)
  const charge = chargeOf(invoices, invoice)
  const id = newDisputeId()
  const told: Told[] = [
    { id, withdrawnAmount: 5_005 },
    { id, sequence: 2, withdrawnAmount: 8_000 },
    { id, sequence: 3, ...WON },
  ]
  for (const each of told) await on.tell(charge, each)
  await eventually(async () => expect(await on.journalOf(invoice)).toHaveLength(4))
  const { recipients } = invoices
  const request = ListEntriesRequest.fromPartial({ sellerId: shop.sellerId, recipientId: ana.id, size: 10 })
  const { entries } = await callRpc(recipients, recipients.listEntries, request)
  const amounts = entries.map(({ amount }) => amount).toReversed()
  expect(amounts).toEqual([998, -501, -299, 800])
  // Each save enters its own movements alone, so that ids have no gaps.
  const ids = entries.map((entry) => entry.id).toReversed()
  expect(ids.map((each) => each - (ids[0] ?? 0))).toEqual([0, 1, 2, 3])
})

test('the database keeps neither an amount nor a sum that the movements do not say', async () => {
  const { invoice, charge } = await paid()
  const id = newDisputeId()
  await on.tell(charge, { id, withdrawnAmount: 10 })
  await shows(invoice, 10)
  const { pool } = invoices
  await expect(pool.query('UPDATE disputes SET withdrawn = 11 WHERE id = $1', [id])).rejects.toThrow(
    'dispute',
  )
  await expect(
    pool.query('UPDATE invoices SET disputed_amount = 9 WHERE id = $1', [invoice.id]),
  ).rejects.toThrow('not those of its movements')
  await expect(
    pool.query('UPDATE invoices SET disputed_amount = paid_amount + 1 WHERE id = $1', [invoice.id]),
  ).rejects.toThrow('invoices_whole')
})
