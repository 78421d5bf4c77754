import { callRpc } from '@cofre/platform/grpc/client'
import { InvoicesAdminClient } from '@cofre/proto/invoices/v1/invoices'
import { BoletoStatus, UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { raiseBoletoNumbers } from '../../src/boletos/store/number-store'
import { get, voidInvoice } from '../support/invoices'
import type { BankSlip } from '../support/small-bank'
import {
  AGREEMENT,
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
beforeEach(() => {
  boletos.bank.slips.clear()
  boletos.bank.calls.length = 0
  boletos.bank.lie = {}
})

const { CLOSED, CANCELLED } = InvoiceStatus
const { REGISTERED } = BoletoStatus
const ANA = { tipoInscricao: 'CPF', numeroInscricao: '52998224725', nome: 'ANA' }

/** The number that Cofre gives next in the agreement. */
async function nextNumber(): Promise<string> {
  const { rows } = await boletos.pool.query('SELECT next FROM boleto_numbers WHERE account = $1', [AGREEMENT])
  return `${AGREEMENT}${String(rows[0]?.next ?? 1).padStart(10, '0')}`
}

/** Has the bank register a slip of another payer, which another system or a lost database made. */
async function foreignSlip(changes: Partial<BankSlip> & { documento?: string } = {}): Promise<BankSlip> {
  const nossoNumero = await nextNumber()
  const { documento = 'ERP-1', ...others } = changes
  const slip: BankSlip = {
    nossoNumero,
    dataVencimento: '2030-12-10',
    valorOriginal: 99.8,
    cancelled: false,
    pagamentos: [],
    registration: { numeroDocumento: documento, pagador: ANA },
    ...others,
  }
  boletos.bank.slips.set(nossoNumero, slip)
  return slip
}

async function numberOf({ id }: Invoice): Promise<string> {
  const { rows } = await boletos.pool.query(
    'SELECT our_number AS number FROM boletos WHERE invoice_id = $1',
    [id],
  )
  return rows[0].number
}

/** Pays the other system's slip, and has the bank tell of it. */
async function payForeign(slip: BankSlip, amount: number): Promise<void> {
  await tell(boletos, noticeOf(slip.nossoNumero, receive(slip, amount)))
}

/** Lets the sweeper look at all slips after the time in which an answer may come. */
async function lookLater(): Promise<void> {
  await boletos.pool.query(
    "UPDATE boletos SET dispatch_deadline = now() - interval '1 minute', ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL",
  )
  await look(boletos)
}

const DUE = Date.parse('2030-12-10T12:00:00-03:00')
const UNKNOWN = { reason: UnexpectedReason.UNKNOWN_BOLETO, invoiceId: 0 }

test('another payer’s slip of the same amount and day pays nothing of ours, and ours gets a number of its own', async () => {
  const invoice = await newInvoice(boletos, { dueDate: DUE })
  const theirs = await foreignSlip()
  const { boleto } = await issue(boletos, invoice)
  expect(boleto).toMatchObject({ status: REGISTERED })
  const number = await numberOf(invoice)
  expect(Number(number)).toBeGreaterThan(Number(theirs.nossoNumero))
  expect(boletos.bank.slips.get(number)?.registration).toMatchObject({ nossoNumero: number })
  expect(boleto?.barcode).toContain(number)
  await payForeign(theirs, 9_980)
  expect((await get(boletos, invoice)).status).toBe(CLOSED)
  expect(await unexpected(boletos, invoice)).toMatchObject([{ ...UNKNOWN, ourNumber: theirs.nossoNumero }])
})

test('another payer’s slip of another amount pays nothing of ours', async () => {
  const invoice = await newInvoice(boletos, { dueDate: DUE })
  const theirs = await foreignSlip({ valorOriginal: 500 })
  const { boleto } = await issue(boletos, invoice)
  expect(boleto).toMatchObject({ status: REGISTERED, amount: 9_980 })
  await payForeign(theirs, 50_000)
  expect((await get(boletos, invoice)).status).toBe(CLOSED)
  expect(await unexpected(boletos, invoice)).toMatchObject([{ ...UNKNOWN, unexpectedAmount: 50_000 }])
})

test.each(['lost_undone', 'http_500'] as const)(
  '%s, and the invoice is voided: another’s slip is not withdrawn and pays nothing',
  async (fault) => {
    const invoice = await newInvoice(boletos, { dueDate: DUE })
    boletos.bank.next('register', fault)
    const theirs = await foreignSlip()
    await issue(boletos, invoice)
    await voidInvoice(boletos, invoice)
    await lookLater()
    await lookLater()
    expect([theirs.cancelled, boletos.bank.countOf('withdraw')]).toEqual([false, 0])
    await payForeign(theirs, 9_980)
    expect((await get(boletos, invoice)).status).toBe(CANCELLED)
    expect(await unexpected(boletos, invoice)).toMatchObject([UNKNOWN])
    const { rows } = await boletos.pool.query('SELECT ask_at FROM boletos WHERE invoice_id = $1', [
      invoice.id,
    ])
    expect(rows).toEqual([{ ask_at: null }])
  },
)

test('a slip whose registration got no answer is registered under another number once another’s is found', async () => {
  const invoice = await newInvoice(boletos, { dueDate: DUE })
  boletos.bank.next('register', 'lost_undone')
  const theirs = await foreignSlip()
  const { boleto } = await issue(boletos, invoice)
  expect(boleto).toMatchObject({ status: BoletoStatus.PENDING })
  await lookLater()
  expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: REGISTERED })
  expect(await numberOf(invoice)).not.toBe(theirs.nossoNumero)
  expect(boletos.bank.slips.get(theirs.nossoNumero)).toBe(theirs)
})

test('money that is told before the slip is known pays only the slip that is ours', async () => {
  const ours = await newInvoice(boletos, { dueDate: DUE })
  boletos.bank.next('register', 'answer_lost')
  await issue(boletos, ours)
  const number = await numberOf(ours)
  const slip = boletos.bank.only
  boletos.bank.next('query', 'http_500')
  const payment = receive(slip, 9_980)
  await expect(tell(boletos, noticeOf(number, payment))).rejects.toMatchObject({ kind: 'unavailable' })
  await tell(boletos, noticeOf(number, payment))
  expect(await get(boletos, ours)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })

  const other = await newInvoice(boletos, { dueDate: DUE })
  boletos.bank.next('register', 'lost_undone')
  const theirs = await foreignSlip()
  await issue(boletos, other)
  await payForeign(theirs, 9_980)
  expect((await get(boletos, other)).status).toBe(CLOSED)
  expect(await unexpected(boletos, other)).toMatchObject([UNKNOWN])
})

test.each([
  ['document number', { numeroDocumento: 'OTHER' }],
  ['payer', { pagador: ANA }],
  ['line', { linhaDigitavel: '0'.repeat(47) }],
])(
  'money for a slip that the bank registered with another %s is unexpected, and it stays',
  async (_w, lie) => {
    const invoice = await newInvoice(boletos, { dueDate: DUE })
    boletos.bank.lie = lie
    await expect(issue(boletos, invoice)).rejects.toMatchObject({ reason: 'BOLETO_REFUSED' })
    const slip = boletos.bank.only
    await voidInvoice(boletos, invoice)
    await lookLater()
    await payForeign(slip, 9_980)
    expect((await get(boletos, invoice)).status).toBe(CANCELLED)
    expect(await unexpected(boletos, invoice)).toMatchObject([UNKNOWN])
    expect(boletos.bank.countOf('withdraw')).toBe(0)
  },
)

test('a seller with a long row of taken numbers gets a slip: the sweeper goes on where the request ended', async () => {
  const invoice = await newInvoice(boletos, { dueDate: DUE })
  const taken = { status: 409, body: { erro: 'BOLETO_DUPLICADO' } }
  const theirs = await foreignSlip()
  boletos.bank.next('register', ...Array.from({ length: 5 }, () => taken))
  const answers = { status: 200, body: boletos.bank.shown(theirs) }
  boletos.bank.next('query', ...Array.from({ length: 5 }, () => answers))
  const { boleto } = await issue(boletos, invoice)
  expect([boleto?.status, boletos.bank.countOf('register')]).toEqual([BoletoStatus.PENDING, 5])
  await lookLater()
  expect(await slipOf(boletos, boleto?.publicId ?? '')).toMatchObject({ status: REGISTERED })
})

test('numbers begin where they are set to, never go back, and never come twice', async () => {
  const { sellerId } = await newInvoice(boletos)
  const range = { sellerId, account: AGREEMENT }
  expect(await raiseBoletoNumbers(boletos.pool, range, 5_000_000)).toBe(5_000_000)
  expect(await raiseBoletoNumbers(boletos.pool, range, 4)).toBe(5_000_000)
  const invoices = await Promise.all(Array.from({ length: 10 }, () => newInvoice(boletos)))
  await Promise.all(invoices.map((invoice) => issue(boletos, invoice)))
  const numbers = await Promise.all(invoices.map(numberOf))
  const expected = Array.from(
    { length: 10 },
    (_none, at) => `${AGREEMENT}${String(5_000_000 + at).padStart(10, '0')}`,
  )
  expect(numbers.toSorted()).toEqual(expected)
})

test('the platform team raises the numbers of a seller’s own agreement, and no other', async () => {
  const { sellerId } = await newInvoice(boletos)
  const admin = await boletos.network.clientOf(InvoicesAdminClient, boletos.address, 'cofrectl')
  const raise = (changes: object) => {
    const request = { sellerId, account: AGREEMENT, firstNumber: 6_000_000, ...changes }
    return callRpc(admin, admin.raiseBoletoNumbers, request)
  }
  expect(await raise({})).toEqual({ nextNumber: 6_000_000 })
  expect(await raise({ firstNumber: 1 })).toEqual({ nextNumber: 6_000_000 })
  for (const wrong of [
    { firstNumber: 0 },
    { firstNumber: 10_000_000_000 },
    { account: '7654321' },
    { sellerId: 1 },
  ])
    await expect(raise(wrong)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('money for an unknown number goes to the seller of the agreement, also before its first slip', async () => {
  const { sellerId } = await newInvoice(boletos)
  await raiseBoletoNumbers(boletos.pool, { sellerId, account: AGREEMENT }, 1)
  await payForeign(await foreignSlip({ nossoNumero: `${AGREEMENT}9999999997` }), 700)
  expect(await unexpected(boletos, { sellerId })).toMatchObject([UNKNOWN])
})

test('long invoice numbers with one beginning have document numbers of their own at the bank', async () => {
  const number = (end: string) => `CONTRATO-2026-${end}`
  const seen = []
  for (const end of [`0001-${Date.now()}`, `0002-${Date.now()}`]) {
    boletos.bank.slips.clear()
    const invoice = await newInvoice(boletos, { invoiceNumber: number(end) })
    await issue(boletos, invoice)
    seen.push(boletos.bank.only.registration.numeroDocumento)
  }
  expect(new Set(seen).size).toBe(2)
  for (const one of seen) expect(String(one).length).toBeLessThanOrEqual(15)
})
