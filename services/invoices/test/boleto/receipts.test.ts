import { callRpc } from '@cofre/platform/grpc/client'
import { BoletoStatus, UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { get, voidInvoice } from '../support/invoices'
import type { BankSlip } from '../support/small-bank'
import {
  issue,
  look,
  newInvoice,
  noticeOf,
  receive,
  slipOf,
  startBoletos,
  tell,
  unexpected,
  type TestBoletos,
} from '../support/start-boletos'

let boletos: TestBoletos
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(() => boletos.bank.slips.clear())

type Issued = { invoice: Invoice; slip: BankSlip; publicId: string }

async function issued(changes: Parameters<typeof newInvoice>[1] = {}): Promise<Issued> {
  const invoice = await newInvoice(boletos, changes)
  const { boleto } = await issue(boletos, invoice)
  return { invoice, slip: boletos.bank.only, publicId: boleto?.publicId ?? '' }
}

/** Money comes in, and the bank tells of it. */
const pay = async ({ slip }: Issued, amount: number, paidAt = Date.now()) => {
  const payment = receive(slip, amount, paidAt)
  await tell(boletos, noticeOf(slip.nossoNumero, payment))
  return payment
}

const { UNDERPAID, OVERPAID, ALREADY_PAID, INVOICE_VOIDED, AFTER_EXPIRY, UNKNOWN_BOLETO } = UnexpectedReason
const statusOf = async ({ invoice }: Issued) => (await get(boletos, invoice)).status

test('paid exactly: the invoice is PAID on the bank’s day, with a transaction; nothing is on the list', async () => {
  const one = await issued()
  const paidAt = Date.now() - 3_600_000
  await pay(one, 9_980, paidAt)
  expect(await get(boletos, one.invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paidAmount: 9_980,
    paymentDate: paidAt,
    charge: { transactions: [{ amount: 9_980 }] },
  })
  expect(await slipOf(boletos, one.publicId)).toMatchObject({ status: BoletoStatus.PAID })
  expect(await unexpected(boletos, one.invoice)).toEqual([])
})

test('paid under: the invoice is not paid, and all of it waits for a person', async () => {
  const one = await issued()
  await pay(one, 9_979)
  expect(await statusOf(one)).toBe(InvoiceStatus.CLOSED)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { reason: UNDERPAID, receivedAmount: 9_979, unexpectedAmount: 9_979, invoiceId: one.invoice.id },
  ])
  // The bank takes no more for it: another one is issued.
  expect(await slipOf(boletos, one.publicId)).toMatchObject({ status: BoletoStatus.CANCELLED })
  const { boleto, existing } = await issue(boletos, one.invoice)
  expect([existing, boleto?.publicId === one.publicId]).toEqual([false, false])
})

test('paid over: the invoice is PAID with what it asked for, and the excess waits for a person', async () => {
  const one = await issued()
  await pay(one, 10_000)
  expect(await get(boletos, one.invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
  expect(await unexpected(boletos, one.invoice)).toMatchObject([{ reason: OVERPAID, unexpectedAmount: 20 }])
})

test.each([
  ['what the bank added', 9_980 + 200 + 33, InvoiceStatus.PAID, []],
  ['what the bank rounded in its own way', 9_980 + 200 + 32, InvoiceStatus.PAID, []],
  ['the bare amount', 9_980, InvoiceStatus.CLOSED, [{ reason: UNDERPAID, unexpectedAmount: 9_980 }]],
])('paid ten days late with %s', async (_what, amount, status, waiting) => {
  const one = await issued({
    fine: { percentageBps: undefined, startsAfterDays: 1, amountInCents: 200 },
    interest: { monthlyPercentageBps: 100, startsAfterDays: 1, dailyAmountInCents: undefined },
  })
  // As if it had been issued long ago: a Monday, in time.
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-03-02', late_on = '2026-03-03', payable_until = '2026-04-01' WHERE invoice_id = $1",
    [one.invoice.id],
  )
  await pay(one, amount, Date.parse('2026-03-12T12:00:00-03:00'))
  expect(await statusOf(one)).toBe(status)
  expect(await unexpected(boletos, one.invoice)).toMatchObject(waiting)
})

test('paid twice: the second waits for a person', async () => {
  const one = await issued()
  await pay(one, 9_980)
  await pay(one, 9_980)
  expect((await get(boletos, one.invoice)).paidAmount).toBe(9_980)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { reason: ALREADY_PAID, unexpectedAmount: 9_980 },
  ])
})

test('paid after the invoice was voided: it stays CANCELLED, and the money waits for a person', async () => {
  const one = await issued()
  await voidInvoice(boletos, one.invoice)
  await pay(one, 9_980)
  expect(await statusOf(one)).toBe(InvoiceStatus.CANCELLED)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([{ reason: INVOICE_VOIDED }])
})

test('paid after the last day: it waits for a person; paid on the last day and told later, it pays', async () => {
  const expired = async () => {
    const one = await issued()
    await boletos.pool.query(
      "UPDATE boletos SET due_day = '2026-01-05', late_on = '2026-01-06', payable_until = '2026-01-05', status = 'EXPIRED' WHERE invoice_id = $1",
      [one.invoice.id],
    )
    return one
  }
  const late = await expired()
  await pay(late, 9_980, Date.parse('2026-01-06T00:00:00-03:00'))
  expect(await unexpected(boletos, late.invoice)).toMatchObject([{ reason: AFTER_EXPIRY }])
  boletos.bank.slips.clear()
  const inTime = await expired()
  await pay(inTime, 9_980, Date.parse('2026-01-05T23:59:59-03:00'))
  expect(await statusOf(inTime)).toBe(InvoiceStatus.PAID)
})

test('for a number that nobody has: it is on the list of the account’s seller', async () => {
  const one = await issued()
  await tell(boletos, noticeOf('12345679999999999', receive({ ...one.slip, pagamentos: [] }, 700)))
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { reason: UNKNOWN_BOLETO, unexpectedAmount: 700, ourNumber: '12345679999999999', invoiceId: 0 },
  ])
})

test('the log of unexpected money says whose it is, and under which numbers it came', async () => {
  const warned = jest.spyOn(boletos.deps.log, 'warn')
  const one = await issued()
  await pay(one, 9_979)
  await tell(boletos, noticeOf('12345679999999998', receive({ ...one.slip, pagamentos: [] }, 700)))
  const { sellerId } = one.invoice
  const { nossoNumero: ourNumber } = one.slip
  const agreement = ourNumber.slice(0, 7)
  const lines = warned.mock.calls.filter(([, message]) => message === 'money received')
  expect(lines.map(([facts]) => facts)).toMatchObject([
    { sellerId, agreement, ourNumber, unexpected: 9_979 },
    { sellerId, agreement, ourNumber: '12345679999999998', unexpected: 700 },
  ])
  warned.mockRestore()
})

test('told five times, at once and by the bank’s answer too, it is money once', async () => {
  const one = await issued()
  const payment = receive(one.slip, 10_000)
  const told = () => tell(boletos, noticeOf(one.slip.nossoNumero, payment))
  await Promise.all([told(), told(), told(), told(), told()])
  await boletos.pool.query("UPDATE boletos SET ask_at = now() - interval '1 second' WHERE invoice_id = $1", [
    one.invoice.id,
  ])
  await look(boletos)
  expect(await get(boletos, one.invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
  expect(await unexpected(boletos, one.invoice)).toHaveLength(1)
})

test('two payments told in the other order: one pays, one waits', async () => {
  const one = await issued()
  const [first, second] = [receive(one.slip, 9_980), receive(one.slip, 9_980)]
  await tell(boletos, noticeOf(one.slip.nossoNumero, second))
  await tell(boletos, noticeOf(one.slip.nossoNumero, first))
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { bankReceiptId: first.id, reason: ALREADY_PAID },
  ])
})

test('money of another account with the same number of the bank is other money', async () => {
  const one = await issued()
  const payment = receive(one.slip, 9_980)
  const other = { ...noticeOf('76543219999999999', payment), numeroConvenio: '7654321' }
  await tell(boletos, other)
  await tell(boletos, noticeOf(one.slip.nossoNumero, payment))
  expect(await statusOf(one)).toBe(InvoiceStatus.PAID)
})

test('money that comes in while its boleto is being changed waits for that, and pays', async () => {
  const one = await issued()
  const change = 'UPDATE boletos SET version = version + 1 WHERE invoice_id = $1'
  const paying = await whileHeld(boletos.pool, [change, [one.invoice.id]], async () => {
    const told = [pay(one, 9_980)]
    await whenWaiting(boletos.pool, 1)
    return told
  })
  await Promise.all(paying)
  expect(await statusOf(one)).toBe(InvoiceStatus.PAID)
})

test('a payment of which the bank never told is found when it is asked', async () => {
  const one = await issued()
  receive(one.slip, 9_980)
  await boletos.pool.query("UPDATE boletos SET ask_at = now() - interval '1 second' WHERE invoice_id = $1", [
    one.invoice.id,
  ])
  await look(boletos)
  expect(await statusOf(one)).toBe(InvoiceStatus.PAID)
  // Asked for once more: what else is paid with it waits for a person.
  receive(one.slip, 9_980)
  await boletos.pool.query(
    "UPDATE boletos SET ask_at = ask_at - interval '3 days 1 hour' WHERE invoice_id = $1",
    [one.invoice.id],
  )
  await look(boletos)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([{ reason: ALREADY_PAID }])
})

test('a payment of a boleto whose registration was not answered yet pays the invoice', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'answer_lost')
  const { boleto } = await issue(boletos, invoice)
  const one = { invoice, slip: boletos.bank.only, publicId: boleto?.publicId ?? '' }
  await pay(one, 9_980)
  expect(await statusOf(one)).toBe(InvoiceStatus.PAID)
  await boletos.pool.query("UPDATE boletos SET ask_at = now() - interval '1 second' WHERE invoice_id = $1", [
    invoice.id,
  ])
  await look(boletos)
  expect(await slipOf(boletos, one.publicId)).toMatchObject({
    status: BoletoStatus.PAID,
    barcode: expect.stringMatching(/^\d{44}$/),
  })
})

test('paid under before its registration was answered: it gives way to another one too', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'answer_lost')
  const { boleto: first } = await issue(boletos, invoice)
  await pay({ invoice, slip: boletos.bank.only, publicId: first?.publicId ?? '' }, 9_979)
  const { boleto, existing } = await issue(boletos, invoice)
  expect([existing, boleto?.publicId === first?.publicId]).toEqual([false, false])
})

test('what is not signed by the bank, or not in its words, is refused and changes nothing', async () => {
  const one = await issued()
  const notice = noticeOf(one.slip.nossoNumero, receive(one.slip, 9_980))
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  await expect(tell(boletos, notice, other)).rejects.toMatchObject({ reason: 'TOKEN_INVALID' })
  const strange = { ...notice, pagamento: { id: 'x', valorPago: '1' } }
  await expect(tell(boletos, strange)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  await tell(boletos, { tipo: 'BOLETO_BAIXADO' })
  expect(await statusOf(one)).toBe(InvoiceStatus.CLOSED)
})

test('a person sees to it: the note stays, and the list tells those that wait from those that do not', async () => {
  const one = await issued()
  await pay(one, 1_000)
  const { sellerId } = one.invoice
  const [waiting] = await unexpected(boletos, one.invoice)
  const { slips } = boletos
  const resolve = (note: string, receiptId = waiting?.id ?? 0) =>
    callRpc(slips, slips.resolveUnexpectedReceipt, { sellerId, receiptId, note })
  expect(await resolve('Devolvido por TED.')).toMatchObject({ resolution: 'Devolvido por TED.' })
  expect(await resolve('Outra vez.')).toMatchObject({ resolution: 'Devolvido por TED.' })
  await expect(resolve('')).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  await expect(resolve('x', 999_999)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  const page = { sellerId, page: 0, size: 10, after: undefined }
  const count = async (resolved: boolean) =>
    (await callRpc(slips, slips.listUnexpectedReceipts, { ...page, resolved })).total
  expect([await count(true), await count(false)]).toEqual([1, 0])
})
