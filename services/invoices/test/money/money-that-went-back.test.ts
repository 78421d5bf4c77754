import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { InvoiceStatus, MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { Lateness, MovementKind } from '@cofre/proto/invoices/v1/money'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { get } from '../support/invoices'
import {
  answerAsUsual,
  chargeOf,
  declines,
  pay as payByCard,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { startMoney, LATE_TERMS, TEN_DAYS_LATE, type TestMoney } from '../support/money'
import { issue, newInvoice, unexpected } from '../support/start-boletos'

let on: TestMoney
beforeAll(async () => {
  on = await startMoney()
})
afterAll(() => on.stop())
beforeEach(() => {
  on.boletos.bank.slips.clear()
  answerAsUsual(on.boletos)
})

const PARTS = ['principal', 'fine', 'interest'] as const

/** The sums of the movements of money, by part: what the invoice holds. */
async function heldOf(invoice: Invoice) {
  const moved = (await on.movementsOf(invoice)).filter(({ kind }) => kind !== MovementKind.WRITE_OFF)
  const sum = (part: (typeof PARTS)[number]) =>
    moved.reduce((total, each) => total + (each.kind === MovementKind.PAYMENT ? each[part] : -each[part]), 0)
  return Object.fromEntries(PARTS.map((part) => [part, sum(part)]))
}

test('three payments that bounce leave the whole invoice owed', async () => {
  const invoice = await newInvoice(on.boletos)
  for (let nth = 0; nth < 3; nth++) {
    await on.recordPayment(invoice, { amount: 6_000 })
    await on.recordReturn(invoice, 6_000)
  }
  expect(await get(on.boletos, invoice)).toMatchObject({ balanceAmount: 9_980, payableAmount: 9_980 })
  expect(await heldOf(invoice)).toEqual({ principal: 0, fine: 0, interest: 0 })
})

test('a part of a late invoice that goes back is owed again as principal, fine and interest', async () => {
  const one = await on.issued(LATE_TERMS)
  await on.makeLate(one)
  const before = await get(on.boletos, one.invoice)
  await on.recordPayment(one.invoice, { amount: 500, paidAt: Date.now() - 1_000 })
  await on.recordReturn(one.invoice, 500)
  const after = await get(on.boletos, one.invoice)
  const { fineAmount, interestAmount, payableAmount } = before
  expect(after).toMatchObject({ balanceAmount: 9_980, fineAmount, interestAmount, payableAmount })
  expect(await heldOf(one.invoice)).toEqual({ principal: 0, fine: 0, interest: 0 })
})

test('all of a late payment that goes back takes back each part, by no method of the seller’s asks', async () => {
  const one = await on.issued(LATE_TERMS)
  await on.makeLate(one)
  await on.receiveOf(9_980 + 200 + 30, TEN_DAYS_LATE)
  await on.recordReturn(one.invoice, 10_100)
  await on.recordReturn(one.invoice, 110)
  expect(await heldOf(one.invoice)).toEqual({ principal: 0, fine: 0, interest: 0 })
  const returns = (await on.movementsOf(one.invoice)).filter(({ kind }) => kind === MovementKind.RETURN)
  expect(returns.map(({ method, principal, fine, interest }) => [method, principal, fine, interest])).toEqual(
    [
      [MovementMethod.EXTERNAL, 9_980, 120, 0],
      [MovementMethod.EXTERNAL, 0, 80, 30],
    ],
  )
})

describe('a slip from before money went back', () => {
  /** An invoice of 9,980 whose slip asks for 4,980, and which is owed 9,980 again. */
  async function reopened(partialPayments: boolean): Promise<Invoice> {
    const invoice = await newInvoice(on.boletos, { partialPayments })
    await on.recordPayment(invoice, { amount: 5_000 })
    await issue(on.boletos, invoice)
    await on.recordReturn(invoice, 5_000)
    return invoice
  }

  test('pays a part where the invoice takes parts', async () => {
    const invoice = await reopened(true)
    await on.receiveOf(4_980)
    expect(await get(on.boletos, invoice)).toMatchObject({
      status: InvoiceStatus.CLOSED,
      balanceAmount: 5_000,
      writtenOffAmount: 0,
    })
  })

  test('waits for a person where it does not: nobody waives the principal', async () => {
    const invoice = await reopened(false)
    await on.receiveOf(4_980)
    expect(await get(on.boletos, invoice)).toMatchObject({
      status: InvoiceStatus.CLOSED,
      balanceAmount: 9_980,
      writtenOffAmount: 0,
    })
    expect(await unexpected(on.boletos, invoice)).toMatchObject([
      { openAmount: 4_980, reason: expect.anything() },
    ])
  })
})

test('money outside that covers the principal pays a late invoice, unless the seller demands the lateness', async () => {
  const one = await on.issued(LATE_TERMS)
  await on.makeLate(one)
  const two = await on.issued(LATE_TERMS)
  await on.makeLate(two)
  await on.recordPayment(one.invoice, { amount: 9_980 })
  expect(await get(on.boletos, one.invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
  const { sellerId } = two.invoice
  const settings = {
    lateness: Lateness.DEMAND,
    holidays: [],
    cardFees: [],
    pixReceiver: undefined,
    contact: undefined,
  }
  await callRepeatable(on.money, on.money.replaceBillingSettings, { sellerId, settings })
  await on.recordPayment(two.invoice, { amount: 9_980 })
  expect((await get(on.boletos, two.invoice)).status).toBe(InvoiceStatus.CLOSED)
})

test('while a card is charged no return is recorded; once it is declined, one is', async () => {
  const invoice = await newInvoice(on.boletos)
  await on.recordPayment(invoice, { amount: 3_000 })
  on.boletos.behind.orders.hooks.outcome = staysSilent
  await payByCard(on.boletos, invoice)
  await expect(on.recordReturn(invoice, 3_000)).rejects.toMatchObject({
    kind: 'conflict',
    reason: 'PAYMENT_PENDING',
  })
  chargeOf(on.boletos, invoice, declines)
  await resolveLater(on.boletos)
  expect((await get(on.boletos, invoice)).balanceAmount).toBe(9_980 - 3_000)
  await on.recordReturn(invoice, 3_000)
  expect((await get(on.boletos, invoice)).balanceAmount).toBe(9_980)
})
