import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { ListUnexpectedReceiptsRequest, ReceiptOutcome } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, ListInvoicesRequest, MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import {
  ExternalKind,
  ListMovementsRequest,
  MovementKind,
  ReturnReceiptRequest,
  WriteOffReason,
} from '@cofre/proto/invoices/v1/money'
import { create, get, invoiceFor, newShop, voidInvoice } from '../support/invoices'
import { answerAsUsual, pay as payByCard } from '../support/payments'
import { withKey } from '../support/repeated'
import { startMoney, type TestMoney } from '../support/money'
import { newInvoice, slipOf } from '../support/start-boletos'

let on: TestMoney
beforeAll(async () => {
  on = await startMoney()
})
afterAll(() => on.stop())
beforeEach(() => {
  on.boletos.bank.slips.clear()
  answerAsUsual(on.boletos)
})

describe('money that waits', () => {
  test('one cent short is applied, the cent written off, and the seller notified of each step', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    const { id } = await on.waiting(one.invoice)
    expect(await on.eventsOf(id)).toContain('receipt.unexpected')
    const applied = await on.apply(one.invoice, { writeOffRest: true, note: 'Um centavo.' })
    expect(applied).toMatchObject({
      outcome: ReceiptOutcome.APPLIED,
      openAmount: 0,
      resolution: 'Um centavo.',
    })
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 9_979,
      writtenOffAmount: 1,
    })
    expect(await on.movementsOf(one.invoice)).toMatchObject([
      { kind: MovementKind.PAYMENT, amount: 9_979, receiptId: id },
      { kind: MovementKind.WRITE_OFF, amount: 1, reason: WriteOffReason.BY_SELLER, note: 'Um centavo.' },
    ])
    expect(await on.eventsOf(id)).toContain('receipt.resolved')
  })

  test('is applied to another invoice of the seller, up to what that is owed; the rest waits on', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    await on.recordPayment(one.invoice)
    const { sellerId } = one.invoice
    const shop = await newShop(on.boletos, sellerId)
    const items = [{ productId: shop.productId, quantity: 1, unitPriceInCents: 4_990 }]
    const other = await create(on.boletos, invoiceFor(shop, { items, finalize: true }))
    const { id: receiptId } = await on.waiting(one.invoice)
    await expect(on.apply(one.invoice, { receiptId })).rejects.toMatchObject({
      reason: 'INVALID_INVOICE_STATE',
    })
    await expect(on.apply(one.invoice, { receiptId, invoiceId: 999_999 })).rejects.toMatchObject({
      reason: 'REFERENCE_NOT_FOUND',
    })
    const applied = await on.apply(one.invoice, { receiptId, invoiceId: other.id })
    expect(applied).toMatchObject({ openAmount: 4_989, outcome: ReceiptOutcome.UNSPECIFIED })
    expect((await get(on.boletos, other)).status).toBe(InvoiceStatus.PAID)
  })

  test('is given back in part, then kept: each is a movement of no invoice', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    const { sellerId } = one.invoice
    const { id: receiptId } = await on.waiting(one.invoice)
    const giveBack = (changes: Partial<ReturnReceiptRequest>) =>
      callRepeatable(
        on.money,
        on.money.returnReceipt,
        ReturnReceiptRequest.fromPartial({ sellerId, receiptId, returnedAt: Date.now() - 1_000, ...changes }),
      )
    await expect(giveBack({ amount: 9_980 })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
    await expect(giveBack({ returnedAt: Date.now() + 86_400_000 })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
    })
    await giveBack({ amount: 9_000, reference: 'TED 4711' })
    const { slips } = on.boletos
    await callRpc(slips, slips.resolveUnexpectedReceipt, { sellerId, receiptId, note: 'Crédito.' })
    await expect(giveBack({})).rejects.toMatchObject({ reason: 'RECEIPT_RESOLVED' })
    await expect(on.apply(one.invoice, { receiptId })).rejects.toMatchObject({ reason: 'RECEIPT_RESOLVED' })
    const { movements } = await callRpc(
      on.money,
      on.money.listMovements,
      ListMovementsRequest.fromPartial({ sellerId, size: 10 }),
    )
    expect(movements.map(({ kind, amount, invoiceId }) => [kind, amount, invoiceId]).toReversed()).toEqual([
      [MovementKind.PAYMENT, 9_000, undefined],
      [MovementKind.RETURN, 9_000, undefined],
      [MovementKind.PAYMENT, 979, undefined],
    ])
    expect((await get(on.boletos, one.invoice)).status).toBe(InvoiceStatus.CLOSED)
    // What became of it is found by the receipt, and by each name of the bank; nobody else's is.
    const { ourNumber, bankReceiptId } = await callRpc(on.money, on.money.getReceipt, { sellerId, receiptId })
    const found = async (asked: Partial<ListMovementsRequest>) => {
      const request = ListMovementsRequest.fromPartial({ sellerId, size: 10, ...asked })
      return (await callRpc(on.money, on.money.listMovements, request)).movements
    }
    expect(await found({ receiptId })).toEqual(movements)
    expect(await found({ ourNumber })).toEqual(movements)
    expect(await found({ bankReceiptId })).toEqual(movements)
    expect(await found({ ourNumber, bankReceiptId: 'another' })).toEqual([])
    expect(await found({ receiptId, sellerId: sellerId + 1 })).toEqual([])
    expect(movements[0]?.boleto).toEqual({ ourNumber, bankReceiptId })
    const listed = async (asked: object) => {
      const request = ListUnexpectedReceiptsRequest.fromPartial({ sellerId, size: 10, ...asked })
      return (await callRpc(slips, slips.listUnexpectedReceipts, request)).receipts.map(({ id }) => id)
    }
    for (const asked of [{ invoiceId: one.invoice.id }, { ourNumber }, { bankReceiptId }]) {
      expect(await listed(asked)).toEqual([receiptId])
      expect(await listed({ ...asked, sellerId: sellerId + 1 })).toEqual([])
    }
    expect(await listed({ invoiceId: one.invoice.id + 1 })).toEqual([])
    const { client } = on.boletos
    const request = ListInvoicesRequest.fromPartial({ sellerId, size: 10, ourNumber })
    const ofSlip = await callRpc(client, client.listInvoices, request)
    expect(ofSlip.invoices.map(({ id }) => id)).toEqual([one.invoice.id])
  })

  test('that is kept: a repeat with its key gets the first answer, and says so', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    const { sellerId } = one.invoice
    const { id: receiptId } = await on.waiting(one.invoice)
    const { slips } = on.boletos
    const keep = (note: string) =>
      withKey('keep-1', () =>
        callRepeatable(slips, slips.resolveUnexpectedReceipt, { sellerId, receiptId, note }),
      )
    const first = await keep('Crédito.')
    expect(await keep('Crédito.')).toEqual({ response: first.response, replayed: true })
  })

  test('applied by eight requests at once pays once; a repeat with its key gets the first answer', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    const { id: receiptId } = await on.waiting(one.invoice)
    const asked = () => on.apply(one.invoice, { receiptId, writeOffRest: true })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, asked))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await on.eventsOf(one.invoice.id)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
    const two = await on.issued()
    await on.receiveOf(9_979)
    const second = await on.waiting(two.invoice)
    const keyed = () =>
      withKey('apply-1', () => on.apply(two.invoice, { receiptId: second.id, writeOffRest: true }))
    expect(await keyed()).toEqual(await keyed())
  })

  test('against a card at the same moment: one pays, no cent is lost', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    const { id: receiptId } = await on.waiting(one.invoice)
    await Promise.allSettled([
      on.apply(one.invoice, { receiptId, writeOffRest: true }),
      payByCard(on.boletos, one.invoice),
      voidInvoice(on.boletos, one.invoice),
    ])
    const { status, paidAmount } = await get(on.boletos, one.invoice)
    const paid = (await on.movementsOf(one.invoice)).filter(({ kind }) => kind === MovementKind.PAYMENT)
    expect(paid.reduce((sum, { amount }) => sum + amount, 0)).toBe(paidAmount)
    expect((await on.eventsOf(one.invoice.id)).filter((type) => type === 'invoice.paid')).toHaveLength(
      status === InvoiceStatus.PAID ? 1 : 0,
    )
  })

  test('against the same boleto paid again, money outside and a write-off: every cent has one place', async () => {
    const one = await on.issued()
    await on.receiveOf(9_979)
    const { id: receiptId } = await on.waiting(one.invoice)
    await Promise.allSettled([
      on.receiveOf(9_980),
      on.apply(one.invoice, { receiptId, writeOffRest: true }),
      on.recordPayment(one.invoice, { amount: 9_980 }),
      on.writeOff(one.invoice, 1),
    ])
    const { paidAmount, writtenOffAmount, status } = await get(on.boletos, one.invoice)
    expect([status, paidAmount + writtenOffAmount]).toEqual([InvoiceStatus.PAID, 9_980])
    expect((await on.eventsOf(one.invoice.id)).filter((type) => type === 'invoice.paid')).toHaveLength(1)
    const { rows } = await on.boletos.pool.query(
      `SELECT r.amount - r.open_amount AS placed, coalesce(sum(m.amount), 0)::int AS moved
       FROM receipts r LEFT JOIN movements m ON m.receipt_id = r.id AND m.kind = 'PAYMENT'
       WHERE r.invoice_id = $1 GROUP BY r.id`,
      [one.invoice.id],
    )
    expect(rows.length).toBeGreaterThan(0)
    // What a boleto pays at once does not wait: it is a movement too.
    for (const { placed, moved } of rows) expect(moved).toBe(placed)
  })
})

describe('money outside', () => {
  test('pays the invoice, and its open boleto is withdrawn at the bank', async () => {
    const one = await on.issued()
    const { response } = await on.recordPayment(one.invoice, { reference: 'TED 1' })
    expect(response).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 9_980,
      charge: { method: MovementMethod.EXTERNAL, transactions: [] },
    })
    expect(await slipOf(on.boletos, one.publicId)).toMatchObject({ status: 'BOLETO_STATUS_CANCELLED' })
    const { rows } = await on.boletos.pool.query('SELECT withdrawing FROM boletos WHERE invoice_id = $1', [
      one.invoice.id,
    ])
    expect(rows).toEqual([{ withdrawing: true }])
    expect(await on.movementsOf(one.invoice)).toMatchObject([
      { method: MovementMethod.EXTERNAL, note: 'TRANSFER', reference: 'TED 1' },
    ])
  })

  test('of a part leaves a balance; more than is owed, the future and a kind of no name are refused', async () => {
    const invoice = await newInvoice(on.boletos)
    const { response } = await on.recordPayment(invoice, { amount: 4_980 })
    expect(response).toMatchObject({ status: InvoiceStatus.CLOSED, balanceAmount: 5_000 })
    for (const wrong of [
      { amount: 5_001 },
      { amount: 0 },
      { paidAt: Date.now() + 60_000 },
      { kind: ExternalKind.UNSPECIFIED },
      { reference: 'x'.repeat(256) },
    ]) {
      await expect(on.recordPayment(invoice, { amount: 1, ...wrong })).rejects.toMatchObject({
        reason: 'VALIDATION_FAILED',
      })
    }
    await payByCard(on.boletos, invoice)
    expect(await get(on.boletos, invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
    expect((await on.movementsOf(invoice)).map(({ amount }) => amount)).toEqual([4_980, 5_000])
  })
})

describe('a write-off', () => {
  test('of what is left makes the invoice PAID; of part leaves the rest', async () => {
    const invoice = await newInvoice(on.boletos)
    await expect(on.writeOff(invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
    await expect(on.writeOff(invoice, 9_981)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
    await expect(on.writeOff(invoice, 1, '')).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
    expect((await on.writeOff(invoice, 980)).response).toMatchObject({
      status: InvoiceStatus.CLOSED,
      balanceAmount: 9_000,
      writtenOffAmount: 980,
    })
    await on.recordPayment(invoice, { amount: 8_000 })
    expect((await on.writeOff(invoice)).response).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 8_000,
      writtenOffAmount: 1_980,
    })
    await expect(on.writeOff(invoice, 1)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  })
})

describe('a return', () => {
  test('counts as refunded, never beyond what the invoice holds', async () => {
    const one = await on.issued()
    await on.receiveOf(9_980)
    expect((await on.recordReturn(one.invoice, 4_000)).response).toMatchObject({
      status: InvoiceStatus.PAID,
      refundedAmount: 4_000,
    })
    await expect(on.recordReturn(one.invoice, 5_981)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
    const both = await Promise.allSettled([
      on.recordReturn(one.invoice, 5_980),
      on.recordReturn(one.invoice, 5_980),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await on.eventsOf(one.invoice.id)).toContain('invoice.refunded')
  })
})

test('the page of an invoice knows of money that waits, until somebody decides', async () => {
  const { invoice } = await on.issued()
  const { pages } = on.boletos
  const onPage = async () =>
    (await callRpc(pages, pages.getPaymentPage, { publicId: invoice.publicId })).waitingAmount
  expect(await onPage()).toBe(0)
  await on.receiveOf(9_000)
  expect(await onPage()).toBe(9_000)
  await on.apply(invoice, { writeOffRest: true })
  expect(await onPage()).toBe(0)
})
