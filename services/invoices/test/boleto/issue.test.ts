import { callRpc } from '@cofre/platform/grpc/client'
import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { businessDayFrom } from '@cofre/platform/business-day'
import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { create, DAY_MS, get, invoiceFor, newShop, voidInvoice } from '../support/invoices'
import { BOLETO_LOOK } from '../../src/money/look-at-boletos'
import { withKey } from '../support/repeated'
import {
  AGREEMENT,
  issue,
  issueAgain,
  look,
  newInvoice,
  slipOf,
  startBoletos,
  type TestBoletos,
} from '../support/start-boletos'

let boletos: TestBoletos
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(() => {
  boletos.bank.slips.clear()
  boletos.bank.calls.length = 0
  boletos.bank.lie = {}
})

const { PENDING, REGISTERED, CANCELLED } = BoletoStatus

/** Lets the time pass after which the bank's silence proves something. */
const passDeadlines = () =>
  boletos.pool.query(
    "UPDATE boletos SET dispatch_deadline = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL",
  )

test('a boleto is registered with the terms of its invoice', async () => {
  const invoice = await newInvoice(boletos, {
    fine: { percentageBps: 200, startsAfterDays: 2, amountInCents: undefined },
    interest: { monthlyPercentageBps: 100, startsAfterDays: 3, dailyAmountInCents: undefined },
  })
  const dueDay = dayOf(invoice.dueDate)
  const { boleto, existing } = await issue(boletos, invoice)
  expect(existing).toBe(false)
  expect(boleto).toMatchObject({
    status: REGISTERED,
    amount: 9_980,
    digitableLine: expect.stringMatching(/^00190\d{42}$/),
    barcode: expect.stringMatching(/^0019\d{40}$/),
  })
  expect(boletos.bank.only.registration).toMatchObject({
    numeroConvenio: AGREEMENT,
    dataVencimento: dueDay,
    dataLimitePagamento: businessDayFrom(addDays(dueDay, 30)),
    valorOriginal: 99.8,
    multa: { data: addDays(dueDay, 2), valor: 2 },
    jurosMora: { data: addDays(dueDay, 3), valorDia: 0.03 },
    pagador: { tipoInscricao: 'CPF', nome: expect.any(String) },
  })
})

test('a second request returns the same boleto; a boleto of an OPEN invoice makes the invoice CLOSED', async () => {
  const shop = await newShop(boletos)
  boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  const invoice = await create(boletos, invoiceFor(shop))
  const first = await issue(boletos, invoice)
  const second = await issue(boletos, invoice)
  expect(second).toEqual({ boleto: first.boleto, existing: true })
  expect((await get(boletos, invoice)).status).toBe(InvoiceStatus.CLOSED)
  expect(boletos.bank.slips.size).toBe(1)
})

test('a repeated key gets the same answer; ten requests at once make one boleto', async () => {
  const invoice = await newInvoice(boletos)
  const once = () => withKey('k1', () => issueAgain(boletos, invoice))
  const first = await once()
  expect(await once()).toEqual({ response: first.response, replayed: true })
  const raced = await newInvoice(boletos)
  await Promise.all(Array.from({ length: 10 }, () => issue(boletos, raced)))
  expect(boletos.bank.slips.size).toBe(2)
})

test.each(['answer_lost', 'done_500'] as const)(
  '%s: the boleto is PENDING, and the bank is asked',
  async (fault) => {
    const invoice = await newInvoice(boletos)
    boletos.bank.next('register', fault)
    const { boleto } = await issue(boletos, invoice)
    expect(boleto).toMatchObject({ status: PENDING, digitableLine: '', barcode: '' })
    expect((await issue(boletos, invoice)).existing).toBe(true)
    await passDeadlines()
    await look(boletos)
    expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: REGISTERED })
    expect(boletos.bank.countOf('register')).toBe(1)
  },
)

test.each(['lost_undone', 'http_500'] as const)(
  '%s: a boleto that never reached the bank is sent again, under the same number',
  async (fault) => {
    const invoice = await newInvoice(boletos)
    boletos.bank.next('register', fault)
    const { boleto } = await issue(boletos, invoice)
    await passDeadlines()
    await look(boletos)
    expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: REGISTERED })
    expect(boletos.bank.slips.size).toBe(1)
  },
)

test('a bank that is away: UNAVAILABLE, nothing is made, and the request may be repeated', async () => {
  const invoice = await newInvoice(boletos)
  await boletos.bank.stop()
  await expect(withKey('away', () => issue(boletos, invoice))).rejects.toMatchObject({ kind: 'unavailable' })
  await boletos.bank.start()
  const { boleto } = await withKey('away', () => issue(boletos, invoice))
  expect(boleto?.status).toBe(REGISTERED)
})

test.each([
  [
    'a bank that refuses it',
    () => boletos.bank.next('register', { status: 422, body: { erro: 'PAGADOR_INVALIDO' } }),
  ],
  ['other digits than ours', () => (boletos.bank.lie = { codigoBarras: '0'.repeat(44) })],
  ['another digitable line', () => (boletos.bank.lie = { linhaDigitavel: '0'.repeat(47) })],
  ['another amount', () => (boletos.bank.lie = { valorOriginal: 1 })],
])('%s: BOLETO_REFUSED, and nobody sees the boleto', async (_what, happens) => {
  const invoice = await newInvoice(boletos)
  happens()
  await expect(issue(boletos, invoice)).rejects.toMatchObject({ reason: 'BOLETO_REFUSED' })
  const { rows } = await boletos.pool.query('SELECT status FROM boletos WHERE invoice_id = $1', [invoice.id])
  expect(rows).toEqual([{ status: 'REFUSED' }])
})

test.each([
  ['that accepts cards alone', { acceptedMethods: [{ method: PaymentMethod.CREDIT_CARD }] }, true],
  ['of a seller without an account at the bank', {}, false],
])('an invoice %s gets no boleto, and is still a draft', async (_which, changes, hasAccount) => {
  const shop = await newShop(boletos)
  if (hasAccount) boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  const invoice = await create(boletos, invoiceFor(shop, changes as Parameters<typeof invoiceFor>[1]))
  await expect(issue(boletos, invoice)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })
  expect((await get(boletos, invoice)).status).toBe(InvoiceStatus.OPEN)
})

test('voided: INVALID_INVOICE_STATE; another seller’s: NOT_FOUND; past its limit: PAYMENT_WINDOW_CLOSED', async () => {
  const invoice = await newInvoice(boletos)
  await expect(issue(boletos, { ...invoice, sellerId: 1 })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await voidInvoice(boletos, invoice)
  await expect(issue(boletos, invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  const dueDate = Date.now() - 40 * DAY_MS
  const closed = await newInvoice(boletos, { dueDate, paymentLimitDate: dueDate + DAY_MS })
  await expect(issue(boletos, closed)).rejects.toMatchObject({ reason: 'PAYMENT_WINDOW_CLOSED' })
})

test('a voided invoice’s boleto is cancelled, at the bank too, which may be away for a while', async () => {
  const invoice = await newInvoice(boletos)
  const { boleto } = await issue(boletos, invoice)
  await voidInvoice(boletos, invoice)
  expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: CANCELLED })
  await boletos.bank.stop()
  await look(boletos)
  await boletos.bank.start()
  await passDeadlines()
  await look(boletos)
  expect(boletos.bank.only.cancelled).toBe(true)
  // A withdrawal that is done is not repeated.
  await passDeadlines()
  await look(boletos)
  expect(boletos.bank.countOf('withdraw')).toBe(1)
})

test.each([
  ['an error', 'withdraw', 'http_500'],
  ['nothing', 'withdraw', 'lost_undone'],
  ['not itself, but a proxy that has no such page', 'query', { status: 404, body: {} }],
] as const)('a withdrawal that the bank answers with %s is sent again', async (_what, kind, fault) => {
  const invoice = await newInvoice(boletos)
  await issue(boletos, invoice)
  const { nossoNumero: ourNumber } = boletos.bank.only
  await voidInvoice(boletos, invoice)
  boletos.bank.next(kind, fault)
  for (const isNotified of [false, true]) {
    await passDeadlines()
    expect(await BOLETO_LOOK.take(boletos.deps, 100)).toContain(ourNumber)
    // Looks at this boleto only: the fault is meant for it.
    await BOLETO_LOOK.at(boletos.deps, ourNumber)
    expect(boletos.bank.only.cancelled).toBe(isNotified)
  }
})

test('a boleto voided while the bank was silent is cancelled at the bank once it is found there', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'answer_lost')
  await issue(boletos, invoice)
  await voidInvoice(boletos, invoice)
  await passDeadlines()
  await look(boletos)
  expect(boletos.bank.only.cancelled).toBe(true)
})

test('a boleto that was voided and never reached the bank is no longer looked for', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'lost_undone')
  await issue(boletos, invoice)
  await voidInvoice(boletos, invoice)
  await passDeadlines()
  await look(boletos)
  const { rows } = await boletos.pool.query('SELECT withdrawing, ask_at FROM boletos WHERE invoice_id = $1', [
    invoice.id,
  ])
  expect(rows).toEqual([{ withdrawing: false, ask_at: null }])
})

test('a voided boleto whose number the bank has with other digits is not withdrawn there', async () => {
  const invoice = await newInvoice(boletos)
  boletos.bank.next('register', 'answer_lost')
  await issue(boletos, invoice)
  await voidInvoice(boletos, invoice)
  boletos.bank.lie = { codigoBarras: '0'.repeat(44) }
  await passDeadlines()
  await look(boletos)
  expect([boletos.bank.only.cancelled, boletos.bank.countOf('withdraw')]).toEqual([false, 0])
})

test('a boleto whose terms no longer hold is cancelled, and a new one is issued', async () => {
  const invoice = await newInvoice(boletos)
  const { boleto: old } = await issue(boletos, invoice)
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-01-05', late_on = '2026-01-06', payable_until = '2026-01-05' WHERE id = $1",
    [old?.id],
  )
  const { boleto, existing } = await issue(boletos, invoice)
  expect([existing, boleto?.id === old?.id]).toEqual([false, false])
  expect(await slipOf(boletos, old?.publicId ?? '')).toMatchObject({ status: CANCELLED })
})

test('a boleto is EXPIRED after its last day', async () => {
  const invoice = await newInvoice(boletos)
  const { boleto } = await issue(boletos, invoice)
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-01-05', late_on = '2026-01-06', payable_until = '2026-01-05', ask_at = now() - interval '1 second' WHERE id = $1",
    [boleto?.id],
  )
  await boletos.bank.stop()
  await look(boletos)
  await boletos.bank.start()
  expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: REGISTERED })
  await passDeadlines()
  await look(boletos)
  expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: BoletoStatus.EXPIRED })
  const { rows } = await boletos.pool.query('SELECT ask_at > now() AS again FROM boletos WHERE id = $1', [
    boleto?.id,
  ])
  expect(rows).toEqual([{ again: true }])
})

test('a seller reads a boleto of an invoice, and all of them; nobody else does', async () => {
  const invoice = await newInvoice(boletos)
  const other = await newInvoice(boletos)
  const { boleto: first } = await issue(boletos, invoice)
  await boletos.pool.query(
    "UPDATE boletos SET due_day = '2026-01-05', late_on = '2026-01-06', payable_until = '2026-01-05' WHERE id = $1",
    [first?.id],
  )
  const { boleto } = await issue(boletos, invoice)
  const { slips } = boletos
  const { sellerId, id: invoiceId } = invoice
  const key = { sellerId, invoiceId, boletoId: boleto?.id ?? 0 }
  expect(await callRpc(slips, slips.readBoleto, key)).toEqual(boleto)
  const listed = await callRpc(slips, slips.listBoletos, key)
  expect(listed.boletos.map(({ id }) => id)).toEqual([boleto?.id, first?.id])
  const ofNone = { sellerId: other.sellerId, invoiceId: other.id }
  expect(await callRpc(slips, slips.listBoletos, ofNone)).toEqual({ boletos: [] })
  for (const strange of [{ sellerId: other.sellerId }, { invoiceId: other.id }, { boletoId: 0 }]) {
    await expect(callRpc(slips, slips.readBoleto, { ...key, ...strange })).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    })
  }
  const theirs = { ...key, sellerId: other.sellerId }
  await expect(callRpc(slips, slips.listBoletos, theirs)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})

test('a slip at an unknown address is NOT_FOUND', async () => {
  const { slips } = boletos
  await expect(callRpc(slips, slips.getBoleto, { publicId: 'none' })).rejects.toMatchObject({
    reason: 'NOT_FOUND',
  })
})
