import { randomUUID } from 'node:crypto'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import {
  AcceptedMethod,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { ChargeStatus, TransactionStatus } from '@cofre/proto/orders/v1/orders'
import { eventually } from '@cofre/testing/testing'
import { lockInvoice } from '../../src/invoice/store/invoice-store'
import { recordPaid } from '../../src/money/record-paid'
import { create, finalize, get, invoiceFor, newShop, voidInvoice, type Shop } from '../support/invoices'
import {
  answerAsUsual,
  captures,
  chargeOf,
  eventsSent,
  pay,
  payAgain,
  receiptsOf,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { withKey } from '../support/repeated'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CLOSED, PAID, CANCELLED } = InvoiceStatus
const { PENDING, SUCCEEDED, FAILED } = InvoiceTransactionStatus

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
beforeEach(async () => {
  answerAsUsual(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

const reasonsOf = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as { reason: string }).reason))

/** Holds the orders service until `go`. */
function holdOrders() {
  let go = () => {}
  const until = new Promise<void>((resolve) => (go = resolve))
  let arrived = () => {}
  const isThere = new Promise<void>((resolve) => (arrived = resolve))
  invoices.behind.orders.hooks.before = () => (arrived(), until)
  return { go: () => go(), isThere }
}

/** Pays an invoice by boleto. */
const paidByBoleto = ({ sellerId, id }: Invoice) =>
  withTransaction(invoices.pool, async (tx) => {
    const locked = await lockInvoice(tx, { sellerId, id })
    return recordPaid(invoices.deps, tx, locked, {
      method: 'BOLETO',
      amount: 9_980,
      rest: 'NOT_ASKED',
      at: Date.now(),
    })
  })

test('of many payments at once one charges; the others learn that one is pending, or has paid', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => pay(invoices, invoice)))
  const reasons = reasonsOf(outcomes)
  expect(reasons.filter((each) => each === 'done')).toHaveLength(1)
  const others = reasons.filter((each) => each !== 'done')
  expect(others.every((each) => each === 'PAYMENT_PENDING' || each === 'INVALID_INVOICE_STATE')).toBe(true)
  expect(chargeOf(invoices, invoice).amount).toBe(9_980)
  expect(await receiptsOf(invoices, invoice)).toBe(1)
})

test('requests at once with one Idempotency-Key charge once, and every answer is the same', async () => {
  const ask = () => withKey('once', () => payAgain(invoices, invoice))
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, ask))
  const others = reasonsOf(outcomes).filter((each) => each !== 'done' && each !== 'IDEMPOTENCY_KEY_IN_USE')
  expect(others).toEqual([])
  const { response, replayed } = await ask()
  expect(replayed).toBe(true)
  for (const each of outcomes) if (each.status === 'fulfilled') expect(each.value.response).toEqual(response)
  expect(chargeOf(invoices, invoice).amount).toBe(9_980)
  await expect(withKey('once', () => payAgain(invoices, invoice), 'another body')).rejects.toMatchObject({
    reason: 'IDEMPOTENCY_KEY_REUSED',
  })
})

test('voiding during a payment is refused once the card is being charged, or else the payment is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const each = await create(invoices, invoiceFor(shop))
    const outcomes = await Promise.allSettled([pay(invoices, each), voidInvoice(invoices, each)])
    const [paid, voided] = outcomes.map(({ status }) => status === 'fulfilled')
    expect([paid, voided].filter(Boolean)).toHaveLength(1)
    expect((await get(invoices, each)).status).toBe(paid ? PAID : CANCELLED)
  }
})

test('a payment that began before the limit date is taken after it', async () => {
  const { go, isThere } = holdOrders()
  const paying = pay(invoices, invoice)
  await isThere
  await invoices.pool.query(`UPDATE invoices SET payment_limit_date = now() - interval '1 s' WHERE id = $1`, [
    invoice.id,
  ])
  go()
  await paying
  expect((await get(invoices, invoice)).status).toBe(PAID)
})

test('an outcome that the sweeper resolved first stays, and the caller gets its answer', async () => {
  let go = () => {}
  const until = new Promise<void>((resolve) => (go = resolve))
  invoices.behind.orders.hooks.after = () => until
  const paying = withKey('slow', () => payAgain(invoices, invoice))
  await eventually(async () => {
    await resolveLater(invoices)
    expect((await get(invoices, invoice)).status).toBe(PAID)
  })
  go()
  const { response } = await paying
  expect(response.transactions).toMatchObject([{ status: SUCCEEDED }])
  expect(await withKey('slow', () => payAgain(invoices, invoice))).toEqual({ response, replayed: true })
  expect((await eventsSent(invoices, invoice)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
})

test('when a boleto was faster, the card’s money is given back', async () => {
  await finalize(invoices, invoice)
  invoices.behind.orders.hooks.outcome = staysSilent
  await pay(invoices, invoice)
  await paidByBoleto(invoice)
  chargeOf(invoices, invoice, (charge) => ({ ...captures(charge), capturedAmount: 9_980 }))
  await resolveLater(invoices)
  const refunds = () => chargeOf(invoices, invoice).transactions.filter(({ type }) => type.endsWith('REFUND'))
  expect(refunds()).toMatchObject([{ amount: 9_980, status: TransactionStatus.PENDING }])
  expect((await get(invoices, invoice)).charge?.transactions.map(({ status }) => status)).toEqual([
    PENDING,
    SUCCEEDED,
  ])
  await resolveLater(invoices)
  expect(refunds()).toHaveLength(1)
  // A refund that failed is sent again.
  chargeOf(invoices, invoice, (charge) => ({
    ...charge,
    transactions: charge.transactions.map((each) => ({ ...each, status: TransactionStatus.FAILED })),
  }))
  await resolveLater(invoices)
  await resolveLater(invoices, 10 * 60_000)
  expect(refunds()).toMatchObject([
    { status: TransactionStatus.FAILED },
    { status: TransactionStatus.PENDING },
  ])
  chargeOf(invoices, invoice, (charge) => ({
    ...charge,
    status: ChargeStatus.REFUNDED,
    refundedAmount: 9_980,
  }))
  await resolveLater(invoices)
  const { status, paidAmount, refundedAmount, charge } = await get(invoices, invoice)
  expect([status, paidAmount, refundedAmount]).toEqual([PAID, 9_980, 0])
  expect(charge?.transactions.map((each) => each.status)).toEqual([FAILED, SUCCEEDED])
})

test('when a boleto was faster, the fee that the payer bore is given back too', async () => {
  const cardSettings = { maxInstallments: 12, feePassThrough: true, threeDSecure: false }
  const acceptedMethods = [
    AcceptedMethod.fromPartial({ method: PaymentMethod.CREDIT_CARD, cardSettings }),
    AcceptedMethod.fromPartial({ method: PaymentMethod.BOLETO }),
  ]
  const borne = await create(invoices, invoiceFor(shop, { acceptedMethods }))
  await finalize(invoices, borne)
  invoices.behind.orders.hooks.outcome = staysSilent
  await pay(invoices, borne, { installments: 2 })
  await paidByBoleto(borne)
  const { amount } = chargeOf(invoices, borne, captures)
  expect(amount).toBeGreaterThan(9_980)
  const statusOnce = async (refundedAmount: number, status: ChargeStatus) => {
    chargeOf(invoices, borne, (charge) => ({ ...charge, status, refundedAmount }))
    await resolveLater(invoices)
    return (await get(invoices, borne)).charge?.transactions[0]?.status
  }
  await resolveLater(invoices)
  expect(await statusOnce(9_980, ChargeStatus.PARTIALLY_REFUNDED)).toBe(PENDING)
  expect(await statusOnce(amount, ChargeStatus.REFUNDED)).toBe(FAILED)
})

test('a payment whose outcome cannot be saved is resolved later; its key stays taken until then', async () => {
  await finalize(invoices, invoice)
  const name = `refuse_${randomUUID().replaceAll('-', '')}`
  await invoices.pool.query(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.status = 'PAID' THEN RAISE 'no'; END IF; RETURN NEW; END $$`,
  )
  await invoices.pool.query(
    `CREATE TRIGGER ${name} BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  )
  const ask = () => withKey('unsaved', () => payAgain(invoices, invoice))
  await expect(ask()).rejects.toThrow()
  await expect(ask()).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_USE' })
  expect((await get(invoices, invoice)).status).toBe(CLOSED)
  await invoices.pool.query(`DROP TRIGGER ${name} ON invoices`)
  await resolveLater(invoices)
  expect((await get(invoices, invoice)).status).toBe(PAID)
  expect(await ask()).toMatchObject({ replayed: true, response: { transactions: [{ status: SUCCEEDED }] } })
  expect(chargeOf(invoices, invoice).amount).toBe(9_980)
})
