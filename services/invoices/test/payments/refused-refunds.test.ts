import { callRpc } from '@cofre/platform/grpc/client'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import {
  InvoicesAdminClient,
  InvoiceStatus,
  InvoiceTransactionStatus,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { lockInvoice } from '../../src/invoice/store/invoice-store'
import { recordPaid } from '../../src/money/record-paid'
import { oldestPendingAge } from '../../src/invoice/store/transaction-store'
import { countRefused } from '../../src/cards/store/refused-refund-store'
import { emailsOf } from '../support/emails'
import { create, finalize, get, invoiceFor, newShop } from '../support/invoices'
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

const { PENDING, SUCCEEDED, FAILED } = InvoiceTransactionStatus
const DAY_MS = 24 * 3_600_000
const REFUSALS_MAX = 6

let invoices: TestInvoices
let admin: InvoicesAdminClient
beforeAll(async () => {
  invoices = await startInvoices()
  admin = await invoices.network.clientOf(InvoicesAdminClient, invoices.address, 'cofrectl')
})
beforeEach(() => answerAsUsual(invoices))
afterAll(() => invoices.stop())

/** An invoice whose card was captured after a boleto had paid it. */
async function paidTwice(): Promise<Invoice> {
  const invoice = await create(invoices, invoiceFor(await newShop(invoices)))
  await finalize(invoices, invoice)
  invoices.behind.orders.hooks.outcome = staysSilent
  await pay(invoices, invoice)
  const { sellerId, id } = invoice
  await withTransaction(invoices.pool, async (tx) => {
    const locked = await lockInvoice(tx, { sellerId, id })
    return recordPaid(invoices.deps, tx, locked, {
      method: 'BOLETO',
      amount: 9_980,
      rest: 'NOT_ASKED',
      at: Date.now(),
    })
  })
  chargeOf(invoices, invoice, captures)
  await resolveLater(invoices)
  return get(invoices, invoice)
}

const refundsOf = (invoice: Invoice) =>
  chargeOf(invoices, invoice).transactions.filter(({ type }) => type.endsWith('REFUND'))

/** Lets the acquirer refuse the pending refund. */
function refuse(invoice: Invoice, code = 'ACQUIRER_REFUSED', acquirerCode = '311'): void {
  chargeOf(invoices, invoice, (charge) => ({
    ...charge,
    transactions: charge.transactions.map((each) =>
      each.status === TransactionStatus.PENDING
        ? { ...each, status: TransactionStatus.FAILED, failure: { code, acquirerCode, message: 'No.' } }
        : each,
    ),
  }))
}

/** Refuses a refund until the sweeper no longer tries it. */
async function refusedForGood(): Promise<Invoice> {
  const invoice = await paidTwice()
  for (let turn = 0; turn < 2 * REFUSALS_MAX; turn += 1) {
    refuse(invoice)
    await resolveLater(invoices, DAY_MS)
  }
  return get(invoices, invoice)
}

const list = (sellerId?: number) => callRpc(admin, admin.listRefusedRefunds, { sellerId })
const named = ({ sellerId, charge }: Invoice) => ({
  sellerId,
  transactionId: charge?.transactions[0]?.id ?? 0,
})
const retry = (invoice: Invoice) => callRpc(admin, admin.retryRefund, named(invoice))
const close = (invoice: Invoice, reason = 'By bank transfer.', closedBy = 'ana') =>
  callRpc(admin, admin.closeRefund, { ...named(invoice), reason, closedBy })
const statuses = async (invoice: Invoice) =>
  (await get(invoices, invoice)).charge?.transactions.map(({ status }) => status)

test('a refund that the acquirer refuses is tried ever more rarely, and after two days only by a person', async () => {
  const invoice = await paidTwice()
  expect(refundsOf(invoice)).toHaveLength(1)
  for (const [minutes, tries] of [
    [1, 1],
    [6, 2],
    [1, 2],
    [61, 3],
  ] as const) {
    refuse(invoice)
    await resolveLater(invoices, minutes * 60_000)
    expect(refundsOf(invoice)).toHaveLength(tries)
  }
  expect((await list(invoice.sellerId)).refunds).toEqual([])
  for (let turn = 0; turn < 20; turn += 1) {
    refuse(invoice)
    await resolveLater(invoices, DAY_MS)
  }
  expect(refundsOf(invoice)).toHaveLength(REFUSALS_MAX)
  const { id, sellerId } = invoice
  const { refunds, more } = await list(sellerId)
  const { id: chargeId } = chargeOf(invoices, invoice)
  const known = { ...named(invoice), invoiceId: id, chargeId, amount: 9_980 }
  expect([refunds, more]).toEqual([
    [{ ...known, refusals: REFUSALS_MAX, acquirerCode: '311', createdAt: expect.any(Number) }],
    false,
  ])
  expect((await list()).refunds.map((each) => each.invoiceId)).toContain(id)
  expect(await countRefused(invoices.pool)).toBeGreaterThan(0)
  // The refund waits for a person, and does not count as an unknown outcome as well.
  expect(await oldestPendingAge(invoices.pool, Date.now())).toBe(0)
  expect(await statuses(invoice)).toEqual([PENDING, SUCCEEDED])
})

test('the first refusal of a refund notifies the seller, and no later one does', async () => {
  const invoice = await paidTwice()
  const failures = async () =>
    (await eventsSent(invoices, invoice)).filter((type) => type === 'invoice.refund_failed')
  expect(await failures()).toHaveLength(0)
  refuse(invoice)
  await resolveLater(invoices)
  expect(await failures()).toHaveLength(1)
  expect(await statuses(invoice)).toEqual([PENDING, SUCCEEDED])
  for (let turn = 0; turn < 2 * REFUSALS_MAX; turn += 1) {
    refuse(invoice)
    await resolveLater(invoices, DAY_MS)
  }
  expect(refundsOf(invoice)).toHaveLength(REFUSALS_MAX)
  expect(await failures()).toHaveLength(1)
})

test('what went back meanwhile at the acquirer leaves the rest to be refunded, and the payment ends when all is back', async () => {
  const invoice = await paidTwice()
  refuse(invoice)
  await resolveLater(invoices)
  const adopted = (refundedAmount: number, status: ChargeStatus) =>
    chargeOf(invoices, invoice, (charge) => ({ ...charge, status, refundedAmount }))
  adopted(1, ChargeStatus.PARTIALLY_REFUNDED)
  await resolveLater(invoices, DAY_MS)
  expect(refundsOf(invoice)).toHaveLength(2)
  expect(await statuses(invoice)).toEqual([PENDING, SUCCEEDED])
  adopted(9_980, ChargeStatus.REFUNDED)
  await resolveLater(invoices)
  expect(await statuses(invoice)).toEqual([FAILED, SUCCEEDED])
})

test('a refund that never reached the acquirer does not count as refused', async () => {
  const invoice = await paidTwice()
  for (let turn = 0; turn < 2 * REFUSALS_MAX; turn += 1) {
    refuse(invoice, 'NOT_SENT', '')
    await resolveLater(invoices)
  }
  expect(refundsOf(invoice).length).toBeGreaterThan(REFUSALS_MAX)
  expect((await list(invoice.sellerId)).refunds).toEqual([])
  expect(await eventsSent(invoices, invoice)).not.toContain('invoice.refund_failed')
})

test('a refund tried again by hand goes through, or is refused again and waits again', async () => {
  const invoice = await refusedForGood()
  await retry(invoice)
  await retry(invoice)
  expect((await list(invoice.sellerId)).refunds).toEqual([])
  await resolveLater(invoices)
  expect(refundsOf(invoice)).toHaveLength(REFUSALS_MAX + 1)
  refuse(invoice)
  await resolveLater(invoices)
  expect((await list(invoice.sellerId)).refunds).toMatchObject([{ refusals: REFUSALS_MAX + 1 }])
  await retry(invoice)
  await resolveLater(invoices)
  const returned = (charge: Charge) => ({ ...charge, status: ChargeStatus.REFUNDED, refundedAmount: 9_980 })
  chargeOf(invoices, invoice, returned)
  await resolveLater(invoices)
  expect(await statuses(invoice)).toEqual([FAILED, SUCCEEDED])
  const { transactionId } = named(invoice)
  expect(await emailsOf(invoices, invoice)).toMatchObject([
    { cause: 'receipt' },
    { kind: 'GIVEN_BACK', cause: `given-back:${transactionId}` },
  ])
  await expect(retry(invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
})

test('a refund closed by hand makes the payment FAILED, keeps the note, and is no longer compared', async () => {
  const invoice = await refusedForGood()
  const told = jest.spyOn(invoices.deps.log, 'warn')
  await close(invoice, 'Transfer to 4111111111111111.', 'ana')
  const line = { ...named(invoice), by: 'ana', reason: 'Transfer to 411111******1111.' }
  expect(told).toHaveBeenCalledWith(line, 'refused refund closed by hand')
  await Promise.all([close(invoice, 'Later.', 'bruno'), close(invoice, 'Later.', 'caio')])
  expect(await statuses(invoice)).toEqual([FAILED, SUCCEEDED])
  expect(await get(invoices, invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
  const { rows } = await invoices.pool.query(
    'SELECT closed_by_hand AS note, compare_at FROM invoice_transactions WHERE id = $1',
    [named(invoice).transactionId],
  )
  const note = { by: 'ana', reason: 'Transfer to 411111******1111.', at: expect.any(Number) }
  expect(rows).toEqual([{ note, compare_at: null }])
  await expect(retry(invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
})

test('a refund under way or missing, another seller’s, and a caller that is no administrator are refused', async () => {
  const invoice = await paidTwice()
  await expect(close(invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  const strange = { ...named(invoice), sellerId: invoice.sellerId + 1 }
  await expect(callRpc(admin, admin.retryRefund, strange)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  const note = { reason: 'x', closedBy: 'ana' }
  const foreign = callRpc(admin, admin.closeRefund, { ...strange, ...note })
  await expect(foreign).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await expect(close(invoice, '', ' ')).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  const gateway = await invoices.network.clientOf(InvoicesAdminClient, invoices.address, 'gateway')
  const asGateway = callRpc(gateway, gateway.closeRefund, { ...named(invoice), ...note })
  await expect(asGateway).rejects.toThrow('PERMISSION_DENIED')
  expect(await statuses(invoice)).toEqual([PENDING, SUCCEEDED])
})
