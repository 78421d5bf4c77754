import { addDays, dayOf, endOf } from '@cofre/platform/calendar-day'
import { businessDayFrom, lastBusinessDayBy } from '@cofre/platform/business-day'
import { Discount, Fine, Interest, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import {
  ExternalKind,
  MovementKind,
  RecordPaymentRequest,
  WriteOffReason,
} from '@cofre/proto/invoices/v1/money'
import { UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { moveClock } from '../../services/invoices/src/clock/billing-clock'
import { get } from '../../services/invoices/test/support/invoices'
import {
  atBank,
  issue,
  look,
  movementsOf,
  newInvoice,
  payAt,
  read,
  startPix,
  tell,
  unexpected,
  type TestPix,
} from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
afterEach(() => moveClock(0))

const DAY_MS = 86_400_000
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

async function issued(changes: object = {}) {
  const invoice = await newInvoice(pix, { ...terms, ...changes })
  return { invoice, charge: await issue(pix, invoice) }
}
const goTo = (moment: number) => moveClock(moment - Date.now())

test('a charge has its discounts as amounts until days, and shows what is asked for today', async () => {
  const { charge } = await issued()
  expect(charge.amount).toBe(8_982)
  expect(atBank(pix, charge).revisions.at(-1)).toMatchObject({
    valor: {
      original: '99.80',
      desconto: {
        modalidade: 1,
        descontoDataFixa: [
          { data: dayOf(LAST_MS), valorPerc: '9.98' },
          { data: DUE, valorPerc: '2.00' },
        ],
      },
    },
  })
  goTo(LAST_MS + 1)
  expect((await read(pix, charge)).amount).toBe(9_780)
})

test.each([
  ['at the last moment of the first discount', LAST_MS, 8_982],
  ['a moment later, with the next discount', LAST_MS + 1, 9_780],
])('a Pix that is paid %s settles its invoice', async (_when, at, amount) => {
  const { invoice, charge } = await issued()
  goTo(LAST_MS + 60_000)
  payAt(pix, charge, { at })
  await tell(pix, [charge.txid])
  await Promise.all([look(pix), look(pix)])
  expect(await get(pix, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paidAmount: amount,
    writtenOffAmount: 9_980 - amount,
  })
  expect((await movementsOf(pix, invoice)).toReversed()).toMatchObject([
    { kind: MovementKind.PAYMENT, amount, principal: amount },
    { kind: MovementKind.WRITE_OFF, amount: 9_980 - amount, reason: WriteOffReason.EARLY_PAYMENT_DISCOUNT },
  ])
})

test('a Pix settled after midnight has the discount of the day on which its payer scanned', async () => {
  const { invoice, charge } = await issued()
  goTo(LAST_MS + 60_000)
  payAt(pix, charge, { scannedAt: LAST_MS, at: LAST_MS + 3_000 })
  await tell(pix, [charge.txid])
  await Promise.all([look(pix), look(pix)])
  expect(await get(pix, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paymentDate: LAST_MS + 3_000,
    paidAmount: 8_982,
    writtenOffAmount: 998,
  })
  expect(await unexpected(pix, invoice)).toEqual([])
  expect((await movementsOf(pix, invoice)).toReversed()).toMatchObject([
    { kind: MovementKind.PAYMENT, amount: 8_982, at: LAST_MS + 3_000 },
    { kind: MovementKind.WRITE_OFF, amount: 998, reason: WriteOffReason.EARLY_PAYMENT_DISCOUNT },
  ])
})

test('a discount of two days before is not believed, whatever the bank says', async () => {
  const { invoice, charge } = await issued()
  const at = LAST_MS + DAY_MS + 3_000
  goTo(at + 60_000)
  payAt(pix, charge, { scannedAt: LAST_MS, at, forced: true })
  await tell(pix, [charge.txid])
  await look(pix)
  expect(await unexpected(pix, invoice)).toMatchObject([
    { openAmount: 8_982, reason: UnexpectedReason.UNDERPAID },
  ])
})

test('a late Pix settled after midnight owes the interest of the day on which its payer scanned', async () => {
  const { invoice, charge } = await issued({
    fine: Fine.fromPartial({ startsAfterDays: 1, percentageBps: 200 }),
    interest: Interest.fromPartial({ startsAfterDays: 1, dailyAmountInCents: 10 }),
  })
  const scannedAt = endOf(addDays(DUE, 3))
  goTo(scannedAt + 60_000)
  payAt(pix, charge, { scannedAt, at: scannedAt + 3_000 })
  await tell(pix, [charge.txid])
  await look(pix)
  expect(await movementsOf(pix, invoice)).toMatchObject([
    { kind: MovementKind.PAYMENT, principal: 9_980, fine: 200, interest: 30 },
  ])
})

test('a Pix scanned on the last day of its charge and settled after midnight is in time', async () => {
  const { invoice, charge } = await issued()
  const scannedAt = charge.expiresAt - 1
  goTo(scannedAt + 60_000)
  payAt(pix, charge, { scannedAt, at: scannedAt + 3_000 })
  await tell(pix, [charge.txid])
  await look(pix)
  expect(await get(pix, invoice)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: 9_980 })
})

test('the discounted amount a moment too late waits for a person', async () => {
  const { invoice, charge } = await issued()
  goTo(LAST_MS + 60_000)
  payAt(pix, charge, { at: LAST_MS + 1, amountInCents: 8_982, forced: true })
  await tell(pix, [charge.txid])
  await look(pix)
  expect(await unexpected(pix, invoice)).toMatchObject([
    { openAmount: 8_982, reason: UnexpectedReason.UNDERPAID },
  ])
})

test('after a part, a new charge asks for the rest, less the same discount; a Pix raced by cash pays once', async () => {
  const { invoice, charge } = await issued({ partialPayments: true })
  payAt(pix, charge, { amountInCents: 4_000, forced: true })
  await tell(pix, [charge.txid])
  await look(pix)
  const rest = await issue(pix, invoice)
  expect(rest.amount).toBe(4_982)
  payAt(pix, rest)
  await tell(pix, [rest.txid])
  const cash = RecordPaymentRequest.fromPartial({
    sellerId: invoice.sellerId,
    invoiceId: invoice.id,
    amount: 4_982,
    paidAt: Date.now() - 1_000,
    kind: ExternalKind.CASH,
  })
  await Promise.allSettled([look(pix), callRepeatable(pix.money, pix.money.recordPayment, cash)])
  expect(await get(pix, invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    paidAmount: 8_982,
    writtenOffAmount: 998,
    balanceAmount: 0,
  })
})
