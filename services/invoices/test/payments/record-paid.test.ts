import {
  InvoiceChargeStatus,
  InvoiceStatus,
  MovementMethod,
  PaymentMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { lockInvoice } from '../../src/invoice/store/invoice-store'
import { recordPaid } from '../../src/money/record-paid'
import {
  create,
  finalize,
  get,
  invoiceFor,
  newShop,
  uncollectible,
  voidInvoice,
  type Shop,
} from '../support/invoices'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID, CANCELLED } = InvoiceStatus

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

/** Pays an invoice as a bank would report it. */
const takeMoney = ({ sellerId, id }: Invoice, amount = 9_980) =>
  withTransaction(invoices.pool, async (tx) => {
    const locked = await lockInvoice(tx, { sellerId, id })
    return recordPaid(invoices.deps, tx, locked, {
      method: 'BOLETO',
      amount,
      rest: 'NOT_ASKED',
      at: Date.now(),
    })
  })

const eventsSent = async ({ id }: Invoice): Promise<string[]> => {
  const { rows } = await invoices.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [
    String(id),
  ])
  return rows.map(({ type }) => type)
}
const receiptsOf = async ({ id }: Invoice): Promise<number> => {
  const { rows } = await invoices.pool.query(
    `SELECT FROM emails WHERE invoice_id = $1 AND cause = 'receipt'`,
    [id],
  )
  return rows.length
}

test('money makes a finalized invoice PAID, with its charge, transaction, event and receipt', async () => {
  const { id: chargeId } = await finalize(invoices, invoice)
  const { paymentDate } = await takeMoney(invoice, 10_100)
  const paid = await get(invoices, invoice)
  expect(paid).toMatchObject({ status: PAID, paymentDate, paidAmount: 10_100, payableAmount: 0 })
  expect(paid.charge).toMatchObject({
    id: chargeId,
    status: InvoiceChargeStatus.PAID,
    method: MovementMethod.BOLETO,
    transactions: [{ type: PaymentMethod.BOLETO, amount: 10_100, chargeId: 0, decline: undefined }],
  })
  expect(await eventsSent(invoice)).toEqual(['invoice.created', 'invoice.finalized', 'invoice.paid'])
  expect(await receiptsOf(invoice)).toBe(1)
})

test('money makes a draft PAID too: it is finalized first', async () => {
  await takeMoney(invoice)
  const { status, closeDate, charge } = await get(invoices, invoice)
  expect([status, closeDate !== undefined, charge?.status]).toEqual([PAID, true, InvoiceChargeStatus.PAID])
  expect(await eventsSent(invoice)).toEqual(['invoice.created', 'invoice.finalized', 'invoice.paid'])
})

test('an uncollectible draft that is paid gets its charge', async () => {
  expect(await uncollectible(invoices, invoice)).toMatchObject({ charge: undefined })
  await takeMoney(invoice)
  expect(await get(invoices, invoice)).toMatchObject({
    status: PAID,
    charge: { status: InvoiceChargeStatus.PAID, amount: 9_980 },
  })
  expect((await eventsSent(invoice)).at(-1)).toBe('invoice.paid')
})

test('a paid or cancelled invoice takes no money', async () => {
  const refused = { reason: 'INVALID_INVOICE_STATE' }
  await takeMoney(invoice)
  await expect(takeMoney(invoice)).rejects.toMatchObject(refused)
  const other = await create(invoices, invoiceFor(shop))
  await voidInvoice(invoices, other)
  await expect(takeMoney(other)).rejects.toMatchObject(refused)
  expect(await get(invoices, other)).toMatchObject({ status: CANCELLED, paidAmount: 0 })
  expect(await receiptsOf(invoice)).toBe(1)
})
