import { callRpc } from '@cofre/platform/grpc/client'
import { ReceiptOutcome, UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind } from '@cofre/proto/invoices/v1/money'
import { PixStatus } from '@cofre/proto/invoices/v1/pix'
import { get } from '../../services/invoices/test/support/invoices'
import { hear } from './refund'
import {
  ANA,
  issue,
  movementsOf,
  newInvoice,
  payAt,
  read,
  startPix,
  unexpected,
  type TestPix,
} from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())

async function issued(changes: Parameters<typeof newInvoice>[1] = {}) {
  const invoice = await newInvoice(pix, changes)
  return { invoice, charge: await issue(pix, invoice) }
}

test('a paid charge pays its invoice: the movement names the Pix and who paid', async () => {
  const { invoice, charge } = await issued()
  const { endToEndId } = payAt(pix, charge)
  await hear(pix, charge)
  expect((await get(pix, invoice)).status).toBe(InvoiceStatus.PAID)
  expect((await read(pix, charge)).status).toBe(PixStatus.PAID)
  expect(await movementsOf(pix, invoice)).toMatchObject([
    {
      kind: MovementKind.PAYMENT,
      method: MovementMethod.PIX,
      amount: 9_980,
      pix: { endToEndId, txid: charge.txid, payerName: ANA.name, payerDocument: '***456789**' },
    },
  ])
})

test('the receipt that a movement names can be read, though its invoice took it whole; nothing of it waits', async () => {
  const { invoice, charge } = await issued()
  payAt(pix, charge)
  await hear(pix, charge)
  const { sellerId } = invoice
  const [movement] = await movementsOf(pix, invoice)
  const key = { sellerId, receiptId: movement?.receiptId ?? 0 }
  expect(await callRpc(pix.money, pix.money.getReceipt, key)).toMatchObject({
    receivedAmount: 9_980,
    unexpectedAmount: 0,
    reason: UnexpectedReason.UNSPECIFIED,
    outcome: ReceiptOutcome.APPLIED,
    txid: charge.txid,
    payer: { name: ANA.name },
  })
  const asked = { ...key, invoiceId: undefined, writeOffRest: false, note: '' }
  await expect(callRpc(pix.money, pix.money.applyReceipt, asked)).rejects.toMatchObject({
    reason: 'RECEIPT_RESOLVED',
  })
  const other = { ...key, sellerId: sellerId + 1 }
  await expect(callRpc(pix.money, pix.money.getReceipt, other)).rejects.toMatchObject({ kind: 'not_found' })
  expect(await unexpected(pix, invoice)).toEqual([])
})

test('movements are found by the id of their Pix and by the txid of its charge, and by no other seller', async () => {
  const { invoice, charge } = await issued({ partialPayments: true })
  const first = payAt(pix, charge, { amountInCents: 4_000, forced: true })
  await hear(pix, charge)
  const rest = await issue(pix, invoice)
  payAt(pix, rest)
  await hear(pix, rest)
  const amounts = async (of: { endToEndId?: string; txid?: string }, seller = invoice.sellerId) => {
    const all = await movementsOf(pix, { id: invoice.id, sellerId: seller }, of)
    return all.map(({ amount }) => amount)
  }
  const { endToEndId } = first
  expect(await amounts({})).toEqual([5_980, 4_000])
  expect(await amounts({ endToEndId })).toEqual([4_000])
  expect(await amounts({ txid: rest.txid })).toEqual([5_980])
  expect(await amounts({ endToEndId, txid: rest.txid })).toEqual([])
  expect(await amounts({ endToEndId: 'E0' })).toEqual([])
  expect(await amounts({ endToEndId }, invoice.sellerId + 1)).toEqual([])
})

test('a bank that does not say who paid leaves the payer empty', async () => {
  const { invoice, charge } = await issued()
  const { endToEndId } = payAt(pix, charge, { payer: null })
  await hear(pix, charge)
  const [movement] = await movementsOf(pix, invoice)
  expect(movement?.pix).toEqual({ endToEndId, txid: charge.txid, payerName: '', payerDocument: '' })
})
