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

/** Receives money at the bank, which then sends its notice. */
const pay = async ({ slip }: Issued, amount: number, paidAt = Date.now()) => {
  const payment = receive(slip, amount, paidAt)
  await tell(boletos, noticeOf(slip.nossoNumero, payment))
  return payment
}

const { UNDERPAID, OVERPAID, ALREADY_PAID, INVOICE_VOIDED, AFTER_EXPIRY, UNKNOWN_BOLETO } = UnexpectedReason
const statusOf = async ({ invoice }: Issued) => (await get(boletos, invoice)).status

test('an exact payment makes the invoice PAID on the bank’s day, and nothing is on the list', async () => {
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

test('a payment of too little does not pay the invoice, and all of it waits for a person', async () => {
  const one = await issued()
  await pay(one, 9_979)
  expect(await statusOf(one)).toBe(InvoiceStatus.CLOSED)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { reason: UNDERPAID, receivedAmount: 9_979, unexpectedAmount: 9_979, invoiceId: one.invoice.id },
  ])
  // The bank accepts no more money for this boleto: another one is issued.
  expect(await slipOf(boletos, one.publicId)).toMatchObject({ status: BoletoStatus.CANCELLED })
  const { boleto, existing } = await issue(boletos, one.invoice)
  expect([existing, boleto?.publicId === one.publicId]).toEqual([false, false])
})

test('a payment of too much makes the invoice PAID with its amount, and the excess waits for a person', async () => {
  const one = await issued()
  await pay(one, 10_000)
  expect(await get(boletos, one.invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
  expect(await unexpected(boletos, one.invoice)).toMatchObject([{ reason: OVERPAID, unexpectedAmount: 20 }])
})

test.each([
  ['what the bank added', 9_980 + 200 + 30, InvoiceStatus.PAID, []],
  ['what the bank rounded in its own way', 9_980 + 200 + 29, InvoiceStatus.PAID, []],
  ['the bare amount', 9_980, InvoiceStatus.PAID, []],
  ['a cent less', 9_979, InvoiceStatus.CLOSED, [{ reason: UNDERPAID, unexpectedAmount: 9_979 }]],
])('a payment ten days late with %s', async (_what, amount, status, waiting) => {
  const one = await issued({
    fine: { percentageBps: undefined, startsAfterDays: 1, amountInCents: 200 },
    interest: { monthlyPercentageBps: 100, startsAfterDays: 1, dailyAmountInCents: undefined },
  })
  // As if the boleto had been issued in time, long ago. Its due day is a Monday.
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-03-02', late_on = '2026-03-03', payable_until = '2026-04-01' WHERE invoice_id = $1",
    [one.invoice.id],
  )
  await pay(one, amount, Date.parse('2026-03-12T12:00:00-03:00'))
  expect(await statusOf(one)).toBe(status)
  expect(await unexpected(boletos, one.invoice)).toMatchObject(waiting)
})

test('a second payment of a boleto waits for a person', async () => {
  const one = await issued()
  await pay(one, 9_980)
  await pay(one, 9_980)
  expect((await get(boletos, one.invoice)).paidAmount).toBe(9_980)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { reason: ALREADY_PAID, unexpectedAmount: 9_980 },
  ])
})

test('a payment after the invoice was voided leaves it CANCELLED, and the money waits for a person', async () => {
  const one = await issued()
  await voidInvoice(boletos, one.invoice)
  await pay(one, 9_980)
  expect(await statusOf(one)).toBe(InvoiceStatus.CANCELLED)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([{ reason: INVOICE_VOIDED }])
})

test('a payment after the last day waits for a person; one of the last day that is reported later pays', async () => {
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

test('money for an unknown number is on the list of the account’s seller', async () => {
  const one = await issued()
  await tell(boletos, noticeOf('12345679999999999', receive({ ...one.slip, pagamentos: [] }, 700)))
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { reason: UNKNOWN_BOLETO, unexpectedAmount: 700, ourNumber: '12345679999999999', invoiceId: 0 },
  ])
})

test('the log of unexpected money shows its seller, and the numbers under which it came', async () => {
  const warned = jest.spyOn(boletos.deps.log, 'warn')
  const one = await issued()
  await pay(one, 9_979)
  await tell(boletos, noticeOf('12345679999999998', receive({ ...one.slip, pagamentos: [] }, 700)))
  const { sellerId } = one.invoice
  const { nossoNumero: askNumber } = one.slip
  const agreement = askNumber.slice(0, 7)
  const lines = warned.mock.calls.filter(([, message]) => message === 'money received')
  expect(lines.map(([facts]) => facts)).toMatchObject([
    { sellerId, agreement, askNumber, unexpected: 9_979 },
    { sellerId, agreement, askNumber: '12345679999999998', unexpected: 700 },
  ])
  warned.mockRestore()
})

test('a payment reported five times, at once and by the bank’s answer too, counts once', async () => {
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

test('of two payments reported in reverse order, one pays and one waits', async () => {
  const one = await issued()
  const [first, second] = [receive(one.slip, 9_980), receive(one.slip, 9_980)]
  await tell(boletos, noticeOf(one.slip.nossoNumero, second))
  await tell(boletos, noticeOf(one.slip.nossoNumero, first))
  expect(await unexpected(boletos, one.invoice)).toMatchObject([
    { bankReceiptId: first.id, reason: ALREADY_PAID },
  ])
})

test('money of another account under the same number of the bank is other money', async () => {
  const one = await issued()
  const payment = receive(one.slip, 9_980)
  const other = { ...noticeOf('76543219999999999', payment), numeroConvenio: '7654321' }
  await tell(boletos, other)
  await tell(boletos, noticeOf(one.slip.nossoNumero, payment))
  expect(await statusOf(one)).toBe(InvoiceStatus.PAID)
})

test('money that comes in while its boleto is being changed waits for the change, and pays', async () => {
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

test('a payment that the bank never reported is found when the bank is asked', async () => {
  const one = await issued()
  receive(one.slip, 9_980)
  await boletos.pool.query("UPDATE boletos SET ask_at = now() - interval '1 second' WHERE invoice_id = $1", [
    one.invoice.id,
  ])
  await look(boletos)
  expect(await statusOf(one)).toBe(InvoiceStatus.PAID)
  // The bank is asked again: further money for this boleto waits for a person.
  receive(one.slip, 9_980)
  await boletos.pool.query(
    "UPDATE boletos SET ask_at = ask_at - interval '3 days 1 hour' WHERE invoice_id = $1",
    [one.invoice.id],
  )
  await look(boletos)
  expect(await unexpected(boletos, one.invoice)).toMatchObject([{ reason: ALREADY_PAID }])
})

test('a payment of a boleto whose registration has no answer yet pays the invoice', async () => {
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

test('a boleto paid with too little before its registration was answered gives way to another one too', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'answer_lost')
  const { boleto: first } = await issue(boletos, invoice)
  await pay({ invoice, slip: boletos.bank.only, publicId: first?.publicId ?? '' }, 9_979)
  const { boleto, existing } = await issue(boletos, invoice)
  expect([existing, boleto?.publicId === first?.publicId]).toEqual([false, false])
})

test('a notice without the bank’s signature, or in another format, is refused and changes nothing', async () => {
  const one = await issued()
  const notice = noticeOf(one.slip.nossoNumero, receive(one.slip, 9_980))
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  await expect(tell(boletos, notice, other)).rejects.toMatchObject({ reason: 'TOKEN_INVALID' })
  const strange = { ...notice, pagamento: { id: 'x', valorPago: '1' } }
  await expect(tell(boletos, strange)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  await tell(boletos, { tipo: 'BOLETO_BAIXADO' })
  expect(await statusOf(one)).toBe(InvoiceStatus.CLOSED)
})

test('a person resolves a receipt: the note stays, and waiting and resolved receipts are listed apart', async () => {
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
