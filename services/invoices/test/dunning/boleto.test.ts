import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { MoneyClient, ReturnReceiptRequest } from '@cofre/proto/invoices/v1/money'
import { billedInvoice, chargeDue, stopCharging } from '../support/dunning'
import { DAY_MS, get, newShop } from '../support/invoices'
import { answerAsUsual, PAN } from '../support/payments'
import type { BankSlip } from '../support/small-bank'
import {
  AGREEMENT,
  issue,
  look,
  receive,
  startBoletos,
  unexpected,
  type TestBoletos,
} from '../support/start-boletos'

const { WAITING, PAID, STOPPED, GIVEN_UP } = AutomaticChargeStatus
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let boletos: TestBoletos
let money: MoneyClient
beforeAll(async () => {
  boletos = await startBoletos()
  money = await boletos.network.clientOf(MoneyClient, boletos.address, 'gateway')
})
beforeEach(() => {
  answerAsUsual(boletos)
  boletos.bank.lie = {}
})
afterEach(() => stopCharging(boletos))
afterAll(() => boletos.stop())

const authorizations = () => boletos.behind.orders.asked.authorize.length

/** An invoice with automatic charging, and with a slip that its customer has. */
async function billedWithSlip() {
  const shop = await newShop(boletos)
  boletos.accounts.enabled.set(shop.sellerId, AGREEMENT)
  const billed = await billedInvoice(boletos, { shop })
  await issue(boletos, billed.invoice)
  return { ...billed, slip: [...boletos.bank.slips.values()].at(-1) as BankSlip }
}

test('a boleto paid yesterday, without a notice from the bank yet, keeps the card from being charged', async () => {
  const { invoice, slip, dueAt } = await billedWithSlip()
  receive(slip, invoice.amount, dueAt - DAY_MS)
  const before = authorizations()
  await chargeDue(boletos, dueAt)
  expect(await get(boletos, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paidAmount: invoice.amount,
    automaticCharge: { status: STOPPED, attempts: 0, reason: 'INVOICE_PAID' },
  })
  expect(authorizations()).toBe(before)
})

test('a boleto that the bank no longer accepts keeps the card from being charged if it was paid before', async () => {
  const { invoice, slip, dueAt } = await billedWithSlip()
  slip.cancelled = true
  await boletos.pool.query(`UPDATE boletos SET ask_at = now() - interval '1 second' WHERE invoice_id = $1`, [
    invoice.id,
  ])
  await look(boletos)
  const { rows } = await boletos.pool.query('SELECT status FROM boletos WHERE invoice_id = $1', [invoice.id])
  expect(rows).toEqual([{ status: 'CANCELLED' }])
  receive(slip, invoice.amount, dueAt - DAY_MS)
  const before = authorizations()
  await chargeDue(boletos, dueAt)
  expect(await get(boletos, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paidAmount: invoice.amount,
    automaticCharge: { status: STOPPED, attempts: 0, reason: 'INVOICE_PAID' },
  })
  expect(authorizations()).toBe(before)
})

test('an unpaid boleto changes nothing: the card is charged on the due day', async () => {
  const { invoice, dueAt } = await billedWithSlip()
  await chargeDue(boletos, dueAt)
  expect(await get(boletos, invoice)).toMatchObject({ automaticCharge: { status: PAID, attempts: 1 } })
})

test('while the bank does not answer the card waits, for half a day', async () => {
  const { invoice, dueAt } = await billedWithSlip()
  boletos.bank.next('query', ...Array(6).fill('http_500'))
  await chargeDue(boletos, dueAt)
  expect(await get(boletos, invoice)).toMatchObject({
    automaticCharge: {
      status: WAITING,
      attempts: 0,
      nextAttemptAt: dueAt + 15 * MINUTE_MS,
      reason: 'BANK_NOT_REACHED',
    },
  })
  boletos.bank.next('query', ...Array(100).fill('http_500'))
  for (let hour = 1; hour < 12; hour += 1) await chargeDue(boletos, dueAt + hour * HOUR_MS)
  expect(await get(boletos, invoice)).toMatchObject({ automaticCharge: { status: WAITING, attempts: 0 } })
  for (let hour = 12; hour < 24; hour += 1) await chargeDue(boletos, dueAt + hour * HOUR_MS)
  expect(await get(boletos, invoice)).toMatchObject({ automaticCharge: { status: PAID, attempts: 1 } })
  boletos.bank.forget('query')
})

test('a boleto that the bank calls paid without reporting the money keeps the card waiting until it does', async () => {
  const { invoice, slip, dueAt } = await billedWithSlip()
  boletos.bank.lie = { situacao: 'LIQUIDADO' }
  const before = authorizations()
  for (let hour = 0; hour < 48; hour += 4) await chargeDue(boletos, dueAt + hour * HOUR_MS)
  expect(await get(boletos, invoice)).toMatchObject({ automaticCharge: { status: WAITING, attempts: 0 } })
  receive(slip, invoice.amount, dueAt - DAY_MS)
  await chargeDue(boletos, dueAt + 3 * DAY_MS)
  expect(await get(boletos, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    automaticCharge: { status: STOPPED, reason: 'INVOICE_PAID' },
  })
  expect(authorizations()).toBe(before)
})

test.each([
  ['gives it back: then the card is charged', 'returned', { status: PAID, attempts: 1 }],
  ['keeps it: then no card is ever charged', 'kept', { status: GIVEN_UP, attempts: 0, reason: 'MONEY_KEPT' }],
  ['decides nothing for a month', 'left', { status: GIVEN_UP, attempts: 0, reason: 'MONEY_RECEIVED' }],
])('money that no invoice took keeps the card waiting until a person %s', async (_what, end, outcome) => {
  const { invoice, slip, shop, dueAt } = await billedWithSlip()
  receive(slip, invoice.amount - 1, dueAt - DAY_MS)
  const before = authorizations()
  for (const day of [0, 1, 2]) await chargeDue(boletos, dueAt + day * DAY_MS)
  expect(await get(boletos, invoice)).toMatchObject({
    status: InvoiceStatus.CLOSED,
    automaticCharge: {
      status: WAITING,
      attempts: 0,
      reason: 'MONEY_RECEIVED',
      nextAttemptAt: dueAt + 3 * DAY_MS,
    },
  })
  expect(authorizations()).toBe(before)
  const { slips } = boletos
  for (const { id: receiptId } of await unexpected(boletos, shop)) {
    if (end === 'kept')
      await callRpc(slips, slips.resolveUnexpectedReceipt, { ...shop, receiptId, note: 'Kept.' })
    const given = ReturnReceiptRequest.fromPartial({ ...shop, receiptId, returnedAt: Date.now() - 1_000 })
    if (end === 'returned') await callRpc(money, money.returnReceipt, given)
  }
  await chargeDue(boletos, dueAt + (end === 'left' ? 40 : 3) * DAY_MS)
  expect(await get(boletos, invoice)).toMatchObject({ automaticCharge: outcome })
  expect(authorizations() - before).toBe(outcome.attempts)
})

test('money that no invoice took keeps no other invoice of the seller from being charged', async () => {
  const { invoice, slip, shop, dueAt } = await billedWithSlip()
  const { id: chosenCard } = boletos.behind.vault.store(shop.sellerId, PAN)
  const dueDate = dueAt + DAY_MS
  const other = await billedInvoice(boletos, { shop, card: null, chosenCard, dueDate })
  receive(slip, invoice.amount - 1, dueAt - DAY_MS)
  await chargeDue(boletos, dueAt)
  expect((await get(boletos, invoice)).automaticCharge).toMatchObject({ reason: 'MONEY_RECEIVED' })
  await chargeDue(boletos, other.dueAt)
  expect((await get(boletos, other.invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 1 })
})

test('a bank that does not answer causes no charge before the due day', async () => {
  const { invoice, dueAt } = await billedWithSlip()
  await boletos.pool.query(
    `UPDATE automatic_charges SET status = 'NEEDS_CARD', next_attempt_at = NULL, look_at = 'epoch' WHERE invoice_id = $1`,
    [invoice.id],
  )
  boletos.bank.next('query', 'http_500')
  const at = dueAt - 5 * DAY_MS
  for (let minute = 0; minute < 60; minute += 15) await chargeDue(boletos, at + minute * MINUTE_MS)
  expect(await get(boletos, invoice)).toMatchObject({
    automaticCharge: { status: WAITING, attempts: 0, nextAttemptAt: dueAt, reason: '' },
  })
  await chargeDue(boletos, dueAt)
  expect(await get(boletos, invoice)).toMatchObject({ automaticCharge: { status: PAID, attempts: 1 } })
  boletos.bank.forget('query')
})
