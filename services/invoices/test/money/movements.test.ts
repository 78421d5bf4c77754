import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus, MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { Lateness, ListMovementsRequest, MovementKind, WriteOffReason } from '@cofre/proto/invoices/v1/money'
import { get, voidInvoice } from '../support/invoices'
import { answerAsUsual, pay as payByCard } from '../support/payments'
import { startMoney, LATE_TERMS, TEN_DAYS_LATE, type TestMoney } from '../support/money'
import { issue, newInvoice, slipOf, unexpected } from '../support/start-boletos'

let on: TestMoney
beforeAll(async () => {
  on = await startMoney()
})
afterAll(() => on.stop())
beforeEach(() => {
  on.boletos.bank.slips.clear()
  answerAsUsual(on.boletos)
})

describe('a movement', () => {
  test('of a card payment names the charge, and the acquirer’s names of it', async () => {
    const invoice = await newInvoice(on.boletos)
    await payByCard(on.boletos, invoice)
    expect(await on.movementsOf(invoice)).toMatchObject([
      {
        kind: MovementKind.PAYMENT,
        method: MovementMethod.CREDIT_CARD,
        amount: 9_980,
        principal: 9_980,
        chargeId: expect.any(Number),
        card: { nsu: expect.any(String), tid: expect.any(String), installments: 1 },
      },
    ])
  })

  test('of a late boleto shows principal, fine and interest apart', async () => {
    const one = await on.issued(LATE_TERMS)
    await on.makeLate(one)
    await on.receiveOf(9_980 + 200 + 30, TEN_DAYS_LATE)
    expect(await on.movementsOf(one.invoice)).toMatchObject([
      {
        amount: 10_210,
        principal: 9_980,
        fine: 200,
        interest: 30,
        at: TEN_DAYS_LATE,
        receiptId: expect.any(Number),
      },
    ])
  })

  test('is listed by period, kind and method, and for another seller not at all', async () => {
    const one = await on.issued()
    const at = Date.parse('2026-02-10T12:00:00-03:00')
    await on.receiveOf(9_980, at)
    const { sellerId } = one.invoice
    const list = async (filter: Partial<ListMovementsRequest>) =>
      (
        await callRpc(
          on.money,
          on.money.listMovements,
          ListMovementsRequest.fromPartial({ sellerId, size: 10, ...filter }),
        )
      ).total
    expect(await list({ from: at, to: at })).toBe(1)
    expect(await list({ from: at + 1 })).toBe(0)
    const [{ recordedAt = 0 } = {}] = await on.movementsOf(one.invoice)
    expect(await list({ recordedFrom: recordedAt, recordedTo: recordedAt })).toBe(1)
    expect(await list({ to: at, recordedFrom: recordedAt + 1 })).toBe(0)
    expect(await list({ kind: MovementKind.REFUND })).toBe(0)
    expect(await list({ kind: MovementKind.PAYMENT, method: MovementMethod.BOLETO, from: at })).toBe(1)
    expect(await list({ method: MovementMethod.EXTERNAL })).toBe(0)
    expect(await list({ sellerId: sellerId + 1 })).toBe(0)
    expect(await list({ sellerId: sellerId + 1, invoiceId: one.invoice.id })).toBe(0)
    const ofInvoice = { sellerId: sellerId + 1, invoiceId: one.invoice.id, invoiceMustExist: true }
    await expect(list(ofInvoice)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    const request = ListMovementsRequest.fromPartial({ sellerId, size: 1_000 })
    expect((await callRpc(on.money, on.money.exportMovements, request)).movements).toHaveLength(1)
  })

  test('stands behind every sum: an invoice with another sum can’t be saved', async () => {
    const invoice = await newInvoice(on.boletos)
    await payByCard(on.boletos, invoice)
    const saved = on.boletos.pool.query('UPDATE invoices SET paid_amount = paid_amount - 1 WHERE id = $1', [
      invoice.id,
    ])
    await expect(saved).rejects.toThrow(`the sums of invoice ${invoice.id} are not those of its movements`)
  })
})

describe('lateness', () => {
  test('that a payment leaves out is waived: the invoice is PAID, the rest written off', async () => {
    const one = await on.issued(LATE_TERMS)
    await on.makeLate(one)
    await on.receiveOf(9_980, TEN_DAYS_LATE)
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 9_980,
      writtenOffAmount: 230,
      balanceAmount: 0,
    })
    expect(await on.movementsOf(one.invoice)).toMatchObject([
      { kind: MovementKind.PAYMENT, principal: 9_980, fine: 0, interest: 0 },
      { kind: MovementKind.WRITE_OFF, fine: 200, interest: 30, reason: WriteOffReason.LATENESS_WAIVED },
    ])
  })

  test('is asked for where the seller demands it', async () => {
    const one = await on.issued(LATE_TERMS)
    await on.makeLate(one)
    const { sellerId } = one.invoice
    const settings = {
      lateness: Lateness.DEMAND,
      holidays: ['2027-01-25'],
      cardFees: [],
      pixReceiver: undefined,
      contact: undefined,
    }
    await callRepeatable(on.money, on.money.replaceBillingSettings, { sellerId, settings })
    expect(await callRpc(on.money, on.money.getBillingSettings, { sellerId })).toEqual(settings)
    await on.receiveOf(9_980, TEN_DAYS_LATE)
    expect((await get(on.boletos, one.invoice)).status).toBe(InvoiceStatus.CLOSED)
    expect((await on.waiting(one.invoice)).openAmount).toBe(9_980)
  })

  test('after a part was paid is of what is still open', async () => {
    const one = await on.issued({ ...LATE_TERMS, partialPayments: true })
    await on.makeLate(one)
    await on.receiveOf(5_000, TEN_DAYS_LATE)
    // 30 of interest and 200 of fine first, then the principal.
    expect(await on.movementsOf(one.invoice)).toMatchObject([{ principal: 4_770, fine: 200, interest: 30 }])
    const { rows } = await on.boletos.pool.query(
      'SELECT open_principal, open_fine, open_interest, open_counted_to::text FROM invoices WHERE id = $1',
      [one.invoice.id],
    )
    expect(rows).toEqual([
      { open_principal: 5_210, open_fine: 0, open_interest: 0, open_counted_to: '2026-03-12' },
    ])
    await on.recordPayment(one.invoice, {
      amount: 5_210 + 10,
      paidAt: Date.parse('2026-03-22T12:00:00-03:00'),
    })
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 10_220,
    })
  })
})

describe('an invoice that takes parts', () => {
  test('is CLOSED with a balance after the first, and PAID after the second', async () => {
    const one = await on.issued({ partialPayments: true })
    await on.receiveOf(5_000)
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.CLOSED,
      paidAmount: 5_000,
      balanceAmount: 4_980,
      payableAmount: 4_980,
    })
    expect(await slipOf(on.boletos, one.publicId)).toMatchObject({ status: 'BOLETO_STATUS_PAID' })
    const { boleto } = await issue(on.boletos, one.invoice)
    expect(boleto?.amount).toBe(4_980)
    await on.receiveOf(4_980)
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 9_980,
    })
    expect(await on.eventsOf(one.invoice.id)).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.partially_paid',
      'invoice.paid',
    ])
  })

  test('takes two parts by one slip, and what is too much waits', async () => {
    const one = await on.issued({ partialPayments: true })
    await on.receiveOf(5_000)
    await on.receiveOf(4_000)
    expect(await get(on.boletos, one.invoice)).toMatchObject({ paidAmount: 9_000, balanceAmount: 980 })
    await on.receiveOf(1_000)
    expect((await get(on.boletos, one.invoice)).status).toBe(InvoiceStatus.PAID)
    expect((await on.waiting(one.invoice)).openAmount).toBe(20)
  })

  test('late is asked by a new slip for exactly what is owed, the interest since the part included', async () => {
    const one = await on.issued({ ...LATE_TERMS, partialPayments: true })
    await on.makeLate(one)
    await on.recordPayment(one.invoice, { amount: 5_000, paidAt: TEN_DAYS_LATE })
    const { payableAmount } = await get(on.boletos, one.invoice)
    const { boleto } = await issue(on.boletos, one.invoice)
    // A slip of a weekend asks for the next business day's sum.
    expect(boleto?.amount).toBeGreaterThanOrEqual(payableAmount)
    await on.receiveOf(boleto?.amount ?? 0)
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 5_000 + (boleto?.amount ?? 0),
      writtenOffAmount: 0,
    })
    expect(await unexpected(on.boletos, one.invoice)).toEqual([])
  })

  test('takes no more by a slip that ended before the part came than is owed since', async () => {
    const one = await on.issued({ partialPayments: true })
    await on.boletos.pool.query("UPDATE boletos SET status = 'EXPIRED' WHERE invoice_id = $1", [
      one.invoice.id,
    ])
    await on.recordPayment(one.invoice, { amount: 5_000 })
    await on.receiveOf(9_980)
    expect(await get(on.boletos, one.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: 9_980,
    })
    expect((await on.waiting(one.invoice)).openAmount).toBe(5_000)
  })

  test('and gave it back is owed it again, and its open slip is withdrawn', async () => {
    const one = await on.issued({ partialPayments: true })
    await on.recordPayment(one.invoice, { amount: 5_000 })
    const { boleto } = await issue(on.boletos, one.invoice)
    expect(boleto?.amount).toBe(4_980)
    await on.recordReturn(one.invoice, 5_000)
    expect(await get(on.boletos, one.invoice)).toMatchObject({ balanceAmount: 9_980, refundedAmount: 5_000 })
    expect((await issue(on.boletos, one.invoice)).boleto?.amount).toBe(9_980)
    await expect(on.writeOff(one.invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  })

  test('that holds a part is not voided before the money went back', async () => {
    const one = await on.issued({ partialPayments: true })
    await on.receiveOf(5_000)
    await expect(voidInvoice(on.boletos, one.invoice)).rejects.toMatchObject({
      reason: 'INVALID_INVOICE_STATE',
    })
    await on.recordReturn(one.invoice, 5_000)
    expect((await voidInvoice(on.boletos, one.invoice)).status).toBe(InvoiceStatus.CANCELLED)
  })
})
