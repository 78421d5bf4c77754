import { addDays, dayOf, endOf } from '@cofre/platform/calendar-day'
import { businessDayFrom, lastBusinessDayBy } from '@cofre/platform/business-day'
import { AcceptedMethod, Discount, InvoiceStatus, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind, WriteOffReason } from '@cofre/proto/invoices/v1/money'
import { moveClock } from '../../src/clock/billing-clock'
import { create, get, invoiceFor, newShop, voidInvoice } from '../support/invoices'
import { answerAsUsual, pay } from '../support/payments'
import { startMoney, type TestMoney } from '../support/money'
import { newInvoice, noticeOf, receive, tell } from '../support/start-boletos'

let on: TestMoney
beforeAll(async () => {
  on = await startMoney()
})
afterAll(() => on.stop())
beforeEach(() => {
  on.boletos.bank.slips.clear()
  answerAsUsual(on.boletos)
})
afterEach(() => moveClock(0))

const DUE = businessDayFrom(addDays(dayOf(Date.now()), 20))
const LAST_MS = endOf(lastBusinessDayBy(addDays(DUE, -5)))
/** Of R$ 99.80: R$ 9.98 until five days before the due date, and R$ 2.00 until it. */
const terms = {
  dueDate: endOf(DUE),
  discounts: [
    Discount.fromPartial({ daysBeforeDueDate: 5, percentageBps: 1_000 }),
    Discount.fromPartial({ daysBeforeDueDate: 0, amountInCents: 200 }),
  ],
}
const { PAYMENT, WRITE_OFF } = MovementKind
const EARLY = [
  { kind: PAYMENT, amount: 8_982, principal: 8_982 },
  { kind: WRITE_OFF, amount: 998, principal: 998, reason: WriteOffReason.EARLY_PAYMENT_DISCOUNT },
]
const settled = { status: InvoiceStatus.PAID, paidAmount: 8_982, writtenOffAmount: 998, balanceAmount: 0 }

test('a slip is registered with the last days and amounts of its discounts', async () => {
  const { invoice } = await on.issued(terms)
  expect(await get(on.boletos, invoice)).toMatchObject({ discountAmount: 998, payableAmount: 8_982 })
  const [slip] = [...on.boletos.bank.slips.values()]
  expect(slip?.registration).toMatchObject({
    valorOriginal: 99.8,
    descontos: [
      { data: dayOf(LAST_MS), valor: 9.98 },
      { data: DUE, valor: 2 },
    ],
  })
})

test('money of the last moment that the bank reports days later, eight times at once, settles the invoice once', async () => {
  const one = await on.issued(terms)
  moveClock(LAST_MS + 2 * 86_400_000 - Date.now())
  const [slip] = [...on.boletos.bank.slips.values()]
  if (!slip) throw new Error('the bank has no slip')
  const notice = noticeOf(slip.nossoNumero, receive(slip, 8_982, LAST_MS))
  await Promise.all(Array.from({ length: 8 }, () => tell(on.boletos, notice)))
  expect(await get(on.boletos, one.invoice)).toMatchObject(settled)
  expect(await on.movementsOf(one.invoice)).toMatchObject(EARLY)
})

test('a moment later the same money is too little; a person applies it by the day on which it came', async () => {
  const one = await on.issued(terms)
  moveClock(LAST_MS + 86_400_000 - Date.now())
  await on.receiveOf(8_982, LAST_MS + 1)
  const { openAmount } = await on.waiting(one.invoice)
  expect([openAmount, (await get(on.boletos, one.invoice)).payableAmount]).toEqual([8_982, 9_780])
  await on.apply(one.invoice)
  expect(await get(on.boletos, one.invoice)).toMatchObject({
    status: InvoiceStatus.CLOSED,
    balanceAmount: 998,
  })
})

test('money that waited is applied with the discount of its day, and what is beyond waits on', async () => {
  const { invoice } = await on.issued()
  await voidInvoice(on.boletos, invoice)
  moveClock(LAST_MS + 86_400_000 - Date.now())
  await on.receiveOf(9_980, LAST_MS)
  const shop = await newShop(on.boletos, invoice.sellerId)
  const other = await create(on.boletos, invoiceFor(shop, { ...terms, finalize: true }))
  const { id: receiptId } = await on.waiting(invoice)
  expect(await on.apply(invoice, { receiptId, invoiceId: other.id })).toMatchObject({ openAmount: 998 })
  expect(await get(on.boletos, other)).toMatchObject(settled)
})

test('a payment outside is judged by its day, and may leave the discount', async () => {
  const [one, whole] = [await on.issued(terms), await on.issued(terms)]
  await on.recordPayment(one.invoice, { amount: 8_982 })
  expect(await get(on.boletos, one.invoice)).toMatchObject(settled)
  expect(await on.movementsOf(one.invoice)).toMatchObject(EARLY)
  await on.recordPayment(whole.invoice, { amount: 9_980 })
  expect(await get(on.boletos, whole.invoice)).toMatchObject({ paidAmount: 9_980, writtenOffAmount: 0 })
})

test('a card is charged the discounted amount, with the fee on top; begun in time, it settles after midnight', async () => {
  const cardSettings = { maxInstallments: 3, feePassThrough: true, threeDSecure: false }
  const acceptedMethods = [AcceptedMethod.fromPartial({ method: PaymentMethod.CREDIT_CARD, cardSettings })]
  const { boletos } = on
  const invoice = await newInvoice(boletos, { ...terms, acceptedMethods })
  moveClock(LAST_MS - 60_000 - Date.now())
  boletos.behind.orders.hooks.before = async () => moveClock(LAST_MS + 60_000 - Date.now())
  const { transactions } = await pay(boletos, invoice, { installments: 2 })
  expect(transactions).toMatchObject([{ amount: 9_396 }])
  expect(await get(boletos, invoice)).toMatchObject(settled)
  expect(await on.movementsOf(invoice)).toMatchObject([{ ...EARLY[0], amount: 9_396, fee: 414 }, EARLY[1]])
})
