import { InvoiceStatus, MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { ReceiptOutcome, type UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { MovementKind } from '@cofre/proto/invoices/v1/money'
import { PixRefundStatus } from '@cofre/proto/invoices/v1/pix'
import { callRpc } from '@cofre/platform/grpc/client'
import { receive } from '../../sandbox/src/pix/received/settle'
import { compareBooks } from '../../services/invoices/src/books/compare-books'
import { moveClock } from '../../services/invoices/src/clock/billing-clock'
import { DAY_MS, get } from '../../services/invoices/test/support/invoices'
import { eventsSent } from '../../services/invoices/test/support/payments'
import {
  giveReceiptBack,
  hear,
  lookAtRefunds,
  paidInvoice,
  receiptGivenBack,
  refund,
  refunded,
  refundsOf,
  returnsAt,
  takenBack,
} from './refund'
import {
  ANA,
  atBank,
  lookAtKeys,
  movementsOf,
  PIX_KEY,
  startPix,
  unexpected,
  type TestPix,
} from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
afterEach(() => {
  moveClock(0)
  pix.faults.clear()
  pix.bank.nextDevolutions = []
})

/** An invoice that was paid with 1.00 too much, and the receipt of that. */
async function overpaid() {
  const paid = await paidInvoice(pix, {}, { amountInCents: 10_080, forced: true })
  return { ...paid, receipt: await receiptOf(paid.invoice) }
}

async function receiptOf(of: { sellerId: number }): Promise<UnexpectedReceipt> {
  const [receipt] = await unexpected(pix, of)
  if (!receipt) throw new Error('nothing waits')
  return receipt
}

async function receiptEvents({ id }: Pick<UnexpectedReceipt, 'id'>): Promise<[string, number][]> {
  const { rows } = await pix.pool.query<{ type: string; sequence: number }>(
    `SELECT type, (value::json ->> 'sequence')::int AS sequence FROM outbox WHERE topic = 'receipts.v1' AND key = $1 ORDER BY id`,
    [String(id)],
  )
  return rows.map(({ type, sequence }) => [type, sequence])
}

test('money that waits goes back by Pix: the receipt is RETURNED, and the journal has both ways', async () => {
  const { receipt, endToEndId, invoice } = await overpaid()
  const returned = await receiptGivenBack(pix, receipt, { note: 'Too much.' })
  expect(returned).toMatchObject({ openAmount: 0, returningAmount: 0, outcome: ReceiptOutcome.RETURNED })
  expect(returnsAt(pix, endToEndId)).toMatchObject([{ amount: 100, status: 'DEVOLVIDO' }])
  expect(await receiptEvents(receipt)).toEqual([
    ['receipt.unexpected', 1],
    ['receipt.resolved', 2],
  ])
  const { rows } = await pix.pool.query(
    'SELECT kind, method, amount FROM movements WHERE receipt_id = $1 AND invoice_id IS NULL ORDER BY id',
    [receipt.id],
  )
  expect(rows).toEqual([
    { kind: 'PAYMENT', method: 'PIX', amount: 100 },
    { kind: 'REFUND', method: 'PIX', amount: 100 },
  ])
  expect((await get(pix, invoice)).refundedAmount).toBe(0)
})

test('the bank refuses the return: the money waits again, and its seller hears of that', async () => {
  const { receipt } = await overpaid()
  pix.bank.nextDevolutions.push({ status: 'NAO_REALIZADO', times: 1 })
  expect(await receiptGivenBack(pix, receipt)).toMatchObject({ openAmount: 100, returningAmount: 0 })
  expect(await receiptEvents(receipt)).toEqual([
    ['receipt.unexpected', 1],
    ['receipt.return_failed', 2],
  ])
  expect(await receiptGivenBack(pix, receipt)).toMatchObject({ openAmount: 0 })
})

test('money on its way back is nobody else’s: it is neither kept nor returned twice', async () => {
  const { receipt, endToEndId } = await overpaid()
  const { money, receipts } = pix
  pix.faults.add({
    partner: 'PIX_BANK',
    kind: 'ANSWER_LOST',
    times: 1,
    delayMs: 0,
    changes: true,
    queries: false,
  })
  expect(await giveReceiptBack(pix, receipt, { amount: 60 })).toMatchObject({
    openAmount: 100,
    returningAmount: 60,
  })
  await expect(giveReceiptBack(pix, receipt, { amount: 41 })).rejects.toMatchObject({
    kind: 'invalid_argument',
  })
  const kept = await callRpc(receipts, receipts.resolveUnexpectedReceipt, {
    sellerId: receipt.sellerId,
    receiptId: receipt.id,
    note: 'A gift.',
  })
  expect(kept).toMatchObject({ openAmount: 60, returningAmount: 60 })
  await expect(giveReceiptBack(pix, receipt)).rejects.toMatchObject({ reason: 'RECEIPT_RESOLVED' })
  await lookAtRefunds(pix)
  const { sellerId, id: receiptId } = receipt
  expect(await callRpc(money, money.getReceipt, { sellerId, receiptId })).toMatchObject({
    openAmount: 0,
    outcome: ReceiptOutcome.RETURNED,
  })
  expect(returnsAt(pix, endToEndId)).toMatchObject([{ amount: 60 }])
})

test('ten returns of half at once: two go, and the invoice keeps its part', async () => {
  const { receipt, endToEndId, invoice } = await overpaid()
  const asked = await Promise.allSettled([
    ...Array.from({ length: 10 }, () => giveReceiptBack(pix, receipt, { amount: 50 })),
    refund(pix, invoice),
  ])
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(returnsAt(pix, endToEndId).reduce((sum, { amount }) => sum + amount, 0)).toBe(10_080)
})

test('a return outside Cofre is recorded as before, and moves no money', async () => {
  const { receipt, endToEndId } = await overpaid()
  expect(await giveReceiptBack(pix, receipt, { returnedAt: Date.now() - 1 })).toMatchObject({ openAmount: 0 })
  expect(returnsAt(pix, endToEndId)).toEqual([])
})

test('the bank gives money of an invoice back by itself: movement, sum and event, once', async () => {
  const { invoice, charge, endToEndId } = await paidInvoice(pix)
  takenBack(pix, endToEndId, { amount: 4_000 })
  await hear(pix, charge)
  await hear(pix, charge)
  await lookAtKeys(pix)
  expect(await get(pix, invoice)).toMatchObject({ status: InvoiceStatus.PAID, refundedAmount: 4_000 })
  expect(await movementsOf(pix, invoice)).toMatchObject([
    { kind: MovementKind.REFUND, method: MovementMethod.PIX, amount: 4_000, note: 'MED_FRAUDE' },
    { kind: MovementKind.PAYMENT },
  ])
  expect(await refundsOf(pix, invoice)).toMatchObject([
    { status: PixRefundStatus.SUCCEEDED, amount: 4_000, nature: 'MED_FRAUDE' },
  ])
  expect((await eventsSent(pix, invoice)).filter((type) => type === 'invoice.refunded')).toHaveLength(1)
  expect(await refunded(pix, invoice)).toMatchObject({ amount: 5_980, status: PixRefundStatus.SUCCEEDED })
})

test('a return at the bank and one of ours, found together and by several looks at once, are each taken once', async () => {
  const { invoice, charge, endToEndId } = await paidInvoice(pix)
  pix.faults.add({
    partner: 'PIX_BANK',
    kind: 'ANSWER_LOST',
    times: 1,
    delayMs: 0,
    changes: true,
    queries: false,
  })
  await refund(pix, invoice, { amount: 1_000 })
  takenBack(pix, endToEndId, { amount: 2_000, nature: 'ORIGINAL' })
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 second'")
  await Promise.all([hear(pix, charge), lookAtRefunds(pix), lookAtKeys(pix)])
  expect((await get(pix, invoice)).refundedAmount).toBe(3_000)
  expect((await refundsOf(pix, invoice)).map(({ amount, nature }) => [amount, nature])).toEqual([
    [2_000, 'ORIGINAL'],
    [1_000, ''],
  ])
})

test('the bank refuses what it has given back already: our refund is FAILED', async () => {
  const { invoice, charge, endToEndId } = await paidInvoice(pix)
  takenBack(pix, endToEndId, { amount: 9_000 })
  expect(await refund(pix, invoice)).toMatchObject({
    status: PixRefundStatus.FAILED,
    refusal: 'PixDevolucaoInvalida',
  })
  await hear(pix, charge)
  expect((await get(pix, invoice)).refundedAmount).toBe(9_000)
})

test('without a notice, the daily look and the comparison of books find it', async () => {
  const one = await paidInvoice(pix)
  const other = await paidInvoice(pix)
  const at = Date.now()
  takenBack(pix, one.endToEndId, { amount: 100 })
  await pix.pool.query("UPDATE pix_charges SET compare_at = now() - interval '1 second' WHERE txid = $1", [
    one.charge.txid,
  ])
  await compareBooks(pix.deps)
  expect((await get(pix, one.invoice)).refundedAmount).toBe(100)
  moveClock(60 * DAY_MS)
  takenBack(pix, other.endToEndId, { amount: 200 })
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 second', known_until = $1", [
    new Date(at + 59 * DAY_MS),
  ])
  await lookAtKeys(pix)
  expect((await get(pix, other.invoice)).refundedAmount).toBe(200)
})

test('it takes first what waits, then what the invoice took', async () => {
  const { receipt, invoice, charge, endToEndId } = await overpaid()
  takenBack(pix, endToEndId, { amount: 150 })
  await hear(pix, charge)
  expect(await receiptOf(invoice)).toMatchObject({ openAmount: 0, outcome: ReceiptOutcome.RETURNED })
  expect((await get(pix, invoice)).refundedAmount).toBe(50)
  expect((await receiptEvents(receipt)).at(-1)).toEqual(['receipt.resolved', 2])
})

test('money that was kept and that the bank gives back: the journal has it, and its seller hears of that', async () => {
  const { invoice, charge } = await paidInvoice(pix)
  const { client } = atBank(pix, charge)
  const stray = receive(pix.bank, { client, key: PIX_KEY }, { amount: 700, payer: ANA, at: Date.now() })
  await pix.pool.query(
    "UPDATE pix_accounts SET ask_at = now() - interval '1 second', known_until = now(), seller_id = $1",
    [invoice.sellerId],
  )
  await lookAtKeys(pix)
  const receipt = await receiptOf(invoice)
  const request = { sellerId: invoice.sellerId, receiptId: receipt.id, note: 'A gift.' }
  await callRpc(pix.receipts, pix.receipts.resolveUnexpectedReceipt, request)
  takenBack(pix, stray.endToEndId, { amount: 700, nature: 'MED_OPERACIONAL' })
  await pix.pool.query("UPDATE pix_accounts SET ask_at = now() - interval '1 second'")
  await lookAtKeys(pix)
  expect((await receiptEvents(receipt)).map(([type]) => type)).toEqual([
    'receipt.unexpected',
    'receipt.resolved',
    'receipt.taken_back',
  ])
  const { rows } = await pix.pool.query(
    'SELECT kind, amount, note FROM movements WHERE receipt_id = $1 ORDER BY id',
    [receipt.id],
  )
  expect(rows).toEqual([
    { kind: 'PAYMENT', amount: 700, note: 'A gift.' },
    { kind: 'REFUND', amount: 700, note: 'MED_OPERACIONAL' },
  ])
})
