import { unavailable } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { addDays, dayOf, endOf, startOf } from '@cofre/platform/calendar-day'
import { InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { PixStatus } from '@cofre/proto/invoices/v1/pix'
import { termsOf } from '../../sandbox/src/pix/charges/charge'
import { moveClock } from '../../services/invoices/src/clock/billing-clock'
import {
  create,
  DAY_MS,
  get,
  invoiceFor,
  newShop,
  voidInvoice,
} from '../../services/invoices/test/support/invoices'
import { withKey } from '../../services/invoices/test/support/repeated'
import {
  atBank,
  issue,
  issueAgain,
  look,
  newInvoice,
  ONLY_PIX,
  PIX_KEY,
  read,
  startPix,
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
})

const HOUR_MS = 3_600_000
const { PENDING, REGISTERED, CANCELLED, EXPIRED } = PixStatus

const nextChange = (kind: 'ANSWER_LOST' | 'HTTP_500' | 'DONE_500') =>
  pix.faults.add({ partner: 'PIX_BANK', kind, times: 1, delayMs: 0, changes: true, queries: false })

/** Lets the time pass after which the bank's silence proves something. */
const passDeadlines = () =>
  pix.pool.query(
    "UPDATE pix_charges SET dispatch_deadline = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE ask_at IS NOT NULL",
  )

test('the page offers Pix where the seller has an account, also while nobody can find it', async () => {
  const { publicId, sellerId } = await newInvoice(pix)
  const offered = async () => {
    const page = await callRpc(pix.pages, pix.pages.getPaymentPage, { publicId })
    return page.invoice?.acceptedMethods.some(({ method }) => method === PaymentMethod.PIX)
  }
  const account = pix.accounts.enabled.get(sellerId) ?? ''
  pix.vault.refuses = unavailable('The vault is away.')
  expect(await offered()).toBe(true)
  pix.vault.refuses = undefined
  pix.accounts.enabled.delete(sellerId)
  expect(await offered()).toBe(false)
  pix.accounts.enabled.set(sellerId, account)
  expect(await offered()).toBe(true)
})

test('a charge is registered with the terms of its invoice', async () => {
  const invoice = await newInvoice(pix, {
    acceptedMethods: ONLY_PIX,
    fine: { percentageBps: 200, startsAfterDays: 1, amountInCents: undefined },
    interest: { monthlyPercentageBps: 300, startsAfterDays: 1, dailyAmountInCents: undefined },
  })
  const charge = await issue(pix, invoice)
  expect(charge).toMatchObject({ status: REGISTERED, amount: 9_980 })
  const { calendario, valor, devedor, chave } = termsOf(atBank(pix, charge)) as unknown as {
    calendario: { dataDeVencimento: string; validadeAposVencimento: number }
    valor: object
    devedor: object
    chave: string
  }
  expect(calendario.dataDeVencimento >= dayOf(invoice.dueDate)).toBe(true)
  const last = addDays(calendario.dataDeVencimento, calendario.validadeAposVencimento)
  expect(charge.expiresAt).toBe(endOf(last) + 1)
  expect(valor).toMatchObject({ original: '99.80', juros: { modalidade: 1, valorPerc: '0.09' } })
  expect(chave).toBe(PIX_KEY)
  expect(devedor).toMatchObject({ nome: expect.any(String) })
})

test('a second request returns the same charge; the charge of an OPEN invoice makes it CLOSED', async () => {
  const shop = await newShop(pix)
  pix.accounts.enabled.set(shop.sellerId, PIX_KEY)
  const invoice = await create(pix, invoiceFor(shop))
  const first = await issue(pix, invoice)
  expect((await issueAgain(pix, invoice)).response).toEqual({ pix: first, existing: true })
  expect((await get(pix, invoice)).status).toBe(InvoiceStatus.CLOSED)
})

test('a repeated key gets the same answer; ten requests at once make one charge', async () => {
  const invoice = await newInvoice(pix)
  const once = () => withKey('k1', () => issueAgain(pix, invoice))
  const first = await once()
  expect(await once()).toEqual({ response: first.response, replayed: true })
  const raced = await newInvoice(pix)
  const charges = await Promise.all(Array.from({ length: 10 }, () => issue(pix, raced)))
  expect(new Set(charges.map(({ txid }) => txid)).size).toBe(1)
})

test.each(['ANSWER_LOST', 'DONE_500'] as const)(
  '%s: the charge is PENDING, and the bank is asked, not called again',
  async (fault) => {
    const invoice = await newInvoice(pix)
    nextChange(fault)
    const charge = await issue(pix, invoice)
    expect(charge).toMatchObject({ status: PENDING, copyAndPaste: '' })
    await passDeadlines()
    await look(pix)
    expect(await read(pix, charge)).toMatchObject({ status: REGISTERED, txid: charge.txid })
    expect(atBank(pix, charge).revisions).toHaveLength(1)
  },
)

test('a charge that never reached the bank is sent again under its txid', async () => {
  const invoice = await newInvoice(pix)
  nextChange('HTTP_500')
  const charge = await issue(pix, invoice)
  expect(charge.status).toBe(PENDING)
  await passDeadlines()
  await look(pix)
  expect(await read(pix, charge)).toMatchObject({ status: REGISTERED, txid: charge.txid })
})

test('a voided invoice withdraws its charge at the bank, also when the answer to that is lost', async () => {
  const invoice = await newInvoice(pix)
  const charge = await issue(pix, invoice)
  await voidInvoice(pix, invoice)
  expect((await read(pix, charge)).status).toBe(CANCELLED)
  nextChange('ANSWER_LOST')
  await passDeadlines()
  await look(pix)
  await passDeadlines()
  await look(pix)
  expect(atBank(pix, charge).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  await expect(callRpc(pix.charges, pix.charges.getPixCode, charge)).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('a late invoice gets a charge of today’s amount for today, and a new one tomorrow', async () => {
  const invoice = await newInvoice(pix, {
    fine: { amountInCents: 200, startsAfterDays: 1, percentageBps: undefined },
    interest: { dailyAmountInCents: 7, startsAfterDays: 1, monthlyPercentageBps: undefined },
  })
  moveClock(30 * DAY_MS)
  const today = dayOf(Date.now() + 30 * DAY_MS)
  const charge = await issue(pix, invoice)
  expect(charge.amount).toBe((await get(pix, invoice)).payableAmount)
  expect(charge.amount).toBeGreaterThan(9_980 + 200)
  expect(charge.expiresAt).toBe(endOf(today) + 1)
  expect(atBank(pix, charge).kind).toBe('cob')
  moveClock(31 * DAY_MS)
  const next = await issue(pix, invoice)
  expect(next.amount).toBe(charge.amount + 7)
  expect([(await read(pix, charge)).status, next.status]).toEqual([CANCELLED, REGISTERED])
})

test('a charge for one day that reaches its bank late ends with its day there too', async () => {
  const invoice = await newInvoice(pix)
  const noon = startOf(addDays(dayOf(Date.now()), 30)) + DAY_MS / 2
  moveClock(noon - Date.now())
  nextChange('HTTP_500')
  const charge = await issue(pix, invoice)
  moveClock(noon + 6 * HOUR_MS - Date.now())
  await passDeadlines()
  await look(pix)
  expect((await read(pix, charge)).status).toBe(REGISTERED)
  const { calendario } = termsOf(atBank(pix, charge)) as { calendario: { expiracao?: number } }
  const left = (charge.expiresAt - (noon + 6 * HOUR_MS)) / 1_000
  expect(calendario.expiracao).toBeLessThanOrEqual(left)
  expect(calendario.expiracao).toBeGreaterThan(left - 600)
})

test('a charge whose last day is over becomes EXPIRED', async () => {
  const invoice = await newInvoice(pix)
  const charge = await issue(pix, invoice)
  moveClock(90 * DAY_MS)
  await look(pix)
  expect((await read(pix, charge)).status).toBe(EXPIRED)
})

test('a seller without an account, and an invoice that takes no Pix, are refused', async () => {
  const refused = { kind: 'failed_precondition', reason: 'PAYMENT_METHOD_NOT_ACCEPTED' }
  const without = await newInvoice(pix)
  pix.accounts.enabled.delete(without.sellerId)
  await expect(issue(pix, without)).rejects.toMatchObject(refused)
})
