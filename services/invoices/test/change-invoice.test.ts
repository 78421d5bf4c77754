import { callRpc } from '@cofre/platform/grpc/client'
import { InvoiceChargeStatus, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  create,
  finalize,
  finalizeAgain,
  get,
  invoiceFor,
  latestCharge,
  latestChargeByNumber,
  newShop,
  uncollectible,
  voidInvoice,
  type Shop,
} from './support/invoices'
import { withKey } from './support/repeated'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

const { OPEN, CLOSED, CANCELLED, UNCOLLECTIBLE } = InvoiceStatus

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
beforeEach(async () => {
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

const refused = { reason: 'INVALID_INVOICE_STATE' }
const notFound = { reason: 'NOT_FOUND' }

test('finalizing closes a draft and makes its charge, which is read by id and by number', async () => {
  await expect(latestCharge(invoices, invoice)).rejects.toMatchObject(notFound)
  const charge = await finalize(invoices, invoice)
  expect(charge).toMatchObject({
    sellerId: shop.sellerId,
    invoiceId: invoice.id,
    status: InvoiceChargeStatus.PENDING,
    amount: 9_980,
    transactions: [],
  })
  const closed = await get(invoices, invoice)
  expect(closed).toMatchObject({ status: CLOSED, closeDate: closed.updatedAt, charge })
  expect(await latestCharge(invoices, invoice)).toEqual(charge)
  expect(await latestChargeByNumber(invoices, invoice)).toEqual(charge)
})

test('a closed invoice is not finalized again, and the refusal names the allowed actions', async () => {
  await finalize(invoices, invoice)
  await expect(finalize(invoices, invoice)).rejects.toMatchObject({
    ...refused,
    extra: {
      members: { currentStatus: 'CLOSED', allowedActions: ['pay', 'void', 'uncollectible', 'writeOff'] },
    },
  })
})

test('voiding cancels the invoice and its charge, for good', async () => {
  const charge = await finalize(invoices, invoice)
  const voided = await voidInvoice(invoices, invoice)
  expect(voided).toMatchObject({ status: CANCELLED, payableAmount: 0, pastDue: false })
  expect(await latestCharge(invoices, invoice)).toMatchObject({
    id: charge.id,
    status: InvoiceChargeStatus.CANCELLED,
  })
  await expect(voidInvoice(invoices, invoice)).rejects.toMatchObject(refused)
  await expect(uncollectible(invoices, invoice)).rejects.toMatchObject(refused)
  await expect(finalize(invoices, invoice)).rejects.toMatchObject(refused)
})

test('a draft is voided without a charge', async () => {
  expect(await voidInvoice(invoices, invoice)).toMatchObject({ status: CANCELLED, charge: undefined })
})

test('an uncollectible invoice keeps its charge, stays as it is, and may be voided', async () => {
  await finalize(invoices, invoice)
  const lost = await uncollectible(invoices, invoice)
  expect(lost).toMatchObject({
    status: UNCOLLECTIBLE,
    payableAmount: 9_980,
    charge: { status: InvoiceChargeStatus.PENDING },
  })
  expect(await uncollectible(invoices, invoice)).toEqual(lost)
  expect(await voidInvoice(invoices, invoice)).toMatchObject({ status: CANCELLED })
})

test('an invoice that is marked uncollectible again, a month later, shows the amount payable then', async () => {
  const interest = { dailyAmountInCents: 10, startsAfterDays: 1 }
  const late = await create(invoices, invoiceFor(shop, { interest }))
  await finalize(invoices, late)
  await uncollectible(invoices, late)
  await invoices.pool.query(
    `UPDATE invoices SET due_date = now() - interval '40 days', late_on = current_date - 39,
       updated_at = now() - interval '30 days' WHERE id = $1`,
    [late.id],
  )
  const again = await uncollectible(invoices, late)
  expect(again.payableAmount).toBe((await get(invoices, late)).payableAmount)
  expect(again.payableAmount).toBeGreaterThanOrEqual(9_980 + 39 * 10)
})

test('a repeat gets the first answer, even after the invoice changed', async () => {
  const first = await withKey('finalize', () => finalizeAgain(invoices, invoice))
  await voidInvoice(invoices, invoice)
  expect(await withKey('finalize', () => finalizeAgain(invoices, invoice))).toEqual({
    response: first.response,
    replayed: true,
  })
  expect((await get(invoices, invoice)).status).toBe(CANCELLED)
})

const outcomesOf = async (...changes: Promise<unknown>[]) =>
  (await Promise.allSettled(changes)).map(({ status }) => status === 'fulfilled')
const eventsSent = async ({ id }: Invoice): Promise<string[]> => {
  const { rows } = await invoices.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [
    String(id),
  ])
  return rows.map(({ type }) => type)
}

test('two finalizations at once make one charge', async () => {
  const outcomes = await outcomesOf(...[1, 2, 3, 4].map(() => finalize(invoices, invoice)))
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  const { rows } = await invoices.pool.query('SELECT FROM invoice_charges WHERE invoice_id = $1', [
    invoice.id,
  ])
  expect(rows).toHaveLength(1)
  expect(await eventsSent(invoice)).toEqual(['invoice.created', 'invoice.finalized'])
})

test('finalizing and voiding at once leave the invoice cancelled, and no charge to pay', async () => {
  for (let round = 0; round < 10; round += 1) {
    const each = await create(invoices, invoiceFor(shop))
    const [finalized, voided] = await outcomesOf(finalize(invoices, each), voidInvoice(invoices, each))
    expect(voided).toBe(true)
    const { status, charge } = await get(invoices, each)
    expect([status, charge?.status]).toEqual([
      CANCELLED,
      finalized ? InvoiceChargeStatus.CANCELLED : undefined,
    ])
  }
})

test('voiding and marking uncollectible at once leave the invoice cancelled', async () => {
  for (let round = 0; round < 10; round += 1) {
    const each = await create(invoices, invoiceFor(shop))
    const [voided] = await outcomesOf(voidInvoice(invoices, each), uncollectible(invoices, each))
    expect([voided, (await get(invoices, each)).status]).toEqual([true, CANCELLED])
    const last = (await eventsSent(each)).at(-1)
    expect(last).toBe('invoice.voided')
  }
})

test('a change whose event cannot be saved is not made', async () => {
  await invoices.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  )
  await invoices.pool.query(
    'CREATE TRIGGER refuse BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()',
  )
  await expect(withKey('cut', () => finalize(invoices, invoice))).rejects.toThrow()
  await invoices.pool.query('DROP TRIGGER refuse ON outbox')
  expect((await get(invoices, invoice)).status).toBe(OPEN)
  expect(await withKey('cut', () => finalizeAgain(invoices, invoice))).toMatchObject({ replayed: false })
})

test('none of these requests finds an invoice of another seller', async () => {
  await finalize(invoices, invoice)
  const theirs = { ...invoice, sellerId: newSeller() }
  for (const ask of [finalize, voidInvoice, uncollectible, latestCharge, latestChargeByNumber]) {
    await expect(ask(invoices, theirs)).rejects.toMatchObject(notFound)
  }
})

test('a request for a charge names exactly one of id and number', async () => {
  const { client } = invoices
  const { sellerId, id: invoiceId, invoiceNumber } = invoice
  for (const request of [
    { invoiceId, invoiceNumber },
    { invoiceId: undefined, invoiceNumber: undefined },
  ]) {
    await expect(callRpc(client, client.getLatestCharge, { sellerId, ...request })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
    })
  }
})
