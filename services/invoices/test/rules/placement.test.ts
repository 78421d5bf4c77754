import { daysBetween, dayOf, startOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { WholeInvoice } from '../../src/invoice/rules/invoice'
import type { Ask, BankReceipt } from '../../src/methods/ask'
import { place, type Lateness } from '../../src/money/placement'
import { invoiceIn } from './rule-invoices'

const LAST = '2026-12-04'
const fine = { amountInCents: 200, percentageBps: null, startsAfterDays: 1 }
const interest = { dailyAmountInCents: 10, monthlyPercentageBps: null, startsAfterDays: 1 }
/** R$ 100.00, due on 23 November 2026; then R$ 2.00 at once and R$ 0.10 a day. */
const invoice = (changes: Partial<WholeInvoice> = {}) => invoiceIn('CLOSED', { fine, interest, ...changes })
const dueOn = (day: CalendarDay) =>
  day <= '2026-11-23' ? 10_000 : 10_200 + 10 * daysBetween('2026-11-23', day)
const ask = (changes: Partial<Ask> = {}): Ask => ({
  id: 1,
  method: 'PIX',
  sellerId: 1,
  invoiceId: 1,
  amount: 10_000,
  payableUntil: LAST,
  isCurrent: true,
  isAgreed: false,
  dueOn,
  ...changes,
})
/** Money that the bank took three seconds after a day began. */
const after = (midnight: CalendarDay, amount: number, original?: number | null): BankReceipt => ({
  bankId: 'E1',
  amount,
  paidAt: startOf(midnight) + 3_000,
  ...(original !== undefined && { original }),
})
const placed = (
  receipt: BankReceipt,
  { of = invoice(), by = ask(), lateness = 'DEMAND' as Lateness } = {},
) => {
  const { askedAt, ...placement } = place(by, of, receipt, lateness)
  return { ...placement, askedOn: dayOf(askedAt) }
}
const taken = (paid: number, askedOn: CalendarDay) => ({
  paid,
  rest: 'LATENESS_WAIVED',
  unexpected: 0,
  reason: null,
  askedOn,
})
const waiting = (unexpected: number, reason: string, askedOn: CalendarDay) => ({
  paid: 0,
  rest: 'OWED',
  unexpected,
  reason,
  askedOn,
})

test('what is due on the day is taken as of that day, whatever the bank says it consists of', () => {
  for (const original of [undefined, null, 10_000, 1])
    expect(placed(after('2026-11-26', 10_230, original))).toEqual(taken(10_230, '2026-11-26'))
})

test('what was due on the day before is taken as of it, where the bank makes it up from the ask’s amount', () => {
  expect(placed(after('2026-11-26', 10_220, 10_000))).toEqual(taken(10_220, '2026-11-25'))
  const receipt = { ...after('2026-11-26', 10_220, 10_000), paidAt: startOf('2026-11-27') - 1 }
  expect(placed(receipt)).toEqual(taken(10_220, '2026-11-25'))
})

test.each([
  ['the bank does not say what it consists of', 10_220, undefined],
  ['the bank’s words do not explain it', 10_220, null],
  ['it is made up from another amount', 10_220, 9_999],
  ['it was due two days before', 10_210, 10_000],
  ['it was due on no day', 10_215, 10_000],
])('an amount of another day waits when %s', (_why, amount, original) => {
  expect(placed(after('2026-11-26', amount, original))).toEqual(waiting(amount, 'UNDERPAID', '2026-11-26'))
})

test('what was asked for on the last day is in time after midnight, and no day later', () => {
  const amount = dueOn(LAST)
  expect(placed(after('2026-12-05', amount, 10_000))).toEqual(taken(amount, LAST))
  expect(placed(after('2026-12-05', amount))).toEqual(waiting(amount, 'AFTER_EXPIRY', '2026-12-05'))
  expect(placed(after('2026-12-06', amount, 10_000))).toEqual(waiting(amount, 'AFTER_EXPIRY', '2026-12-06'))
})

test('a discount of the day before leaves its invoice nothing to be asked for', () => {
  const discounted = invoice({
    discounts: [{ daysBeforeDueDate: 4, amountInCents: 500, percentageBps: null }],
  })
  const by = ask({ dueOn: (day) => (day <= '2026-11-19' ? 9_500 : 10_000) })
  expect(placed(after('2026-11-20', 9_500, 10_000), { of: discounted, by })).toEqual(
    taken(9_500, '2026-11-19'),
  )
  expect(placed(after('2026-11-20', 9_500), { of: discounted, by })).toEqual(
    waiting(9_500, 'UNDERPAID', '2026-11-20'),
  )
})

test('a bank’s rounding of what it added is no part of the invoice, up to two cents either way', () => {
  for (const off of [-2, -1, 1, 2])
    expect(placed(after('2026-11-26', 10_230 + off))).toEqual(taken(10_230 + off, '2026-11-26'))
  expect(placed(after('2026-11-26', 10_227))).toEqual(waiting(10_227, 'UNDERPAID', '2026-11-26'))
  expect(placed(after('2026-11-26', 10_233))).toEqual({
    ...taken(10_230, '2026-11-26'),
    unexpected: 3,
    reason: 'OVERPAID',
  })
  // In time, the bank adds nothing that it could round.
  expect(placed(after('2026-11-20', 10_001))).toMatchObject({ paid: 10_000, unexpected: 1 })
})

test('the principal alone pays where lateness is waived, or is a part where parts are taken', () => {
  const receipt = after('2026-11-26', 10_000)
  expect(placed(receipt, { lateness: 'WAIVE' })).toEqual(taken(10_000, '2026-11-26'))
  const of = invoice({ partialPayments: true })
  expect(placed(receipt, { of })).toEqual({ ...taken(10_000, '2026-11-26'), rest: 'OWED' })
  expect(placed(after('2026-11-26', 9_999), { lateness: 'WAIVE' })).toMatchObject({ reason: 'UNDERPAID' })
  expect(placed(after('2026-11-26', 9_999), { of })).toMatchObject({ paid: 9_999, rest: 'OWED' })
})

test.each([
  ['PAID', 'ALREADY_PAID'],
  ['CANCELLED', 'INVOICE_VOIDED'],
] as const)('an invoice that is %s takes nothing', (status, reason) => {
  expect(placed(after('2026-11-20', 10_000), { of: invoiceIn(status) })).toEqual(
    waiting(10_000, reason, '2026-11-20'),
  )
})

test('an ask from before other money moved counts for what is owed now', () => {
  const open = { principal: 6_000, fine: 0, interest: 0, countedTo: null }
  const of = invoice({ paidAmount: 4_000, open })
  const by = ask({ isCurrent: false })
  expect(placed(after('2026-11-20', 10_000), { of, by })).toMatchObject({ paid: 6_000, unexpected: 4_000 })
  expect(placed(after('2026-11-20', 10_000), { by })).toMatchObject({ paid: 10_000, unexpected: 0 })
  const forgiven = invoice({ writtenOffAmount: 4_000, open })
  expect(placed(after('2026-11-20', 10_000), { of: forgiven, by })).toMatchObject({ paid: 6_000 })
})

test('an amount that is the same each day is in time after midnight of the last day', () => {
  const by = ask({ dueOn: () => 10_000 })
  expect(placed(after('2026-12-05', 10_000, 10_000), { of: invoiceIn('CLOSED'), by })).toEqual(
    taken(10_000, LAST),
  )
})

test('a charge of another amount than is owed counts while nothing else moved, or while it is open', () => {
  const old = ask({ isCurrent: false, dueOn: () => 10_250 })
  expect(placed(after('2026-11-26', 10_250), { by: old })).toEqual(taken(10_250, '2026-11-26'))
  const open = { principal: 6_000, fine: 0, interest: 0, countedTo: null }
  const touched = invoice({ paidAmount: 4_000, open })
  const current = ask({ amount: 6_020, dueOn: () => 6_020 })
  expect(placed(after('2026-11-20', 6_020), { of: touched, by: current })).toMatchObject({
    paid: 6_020,
    unexpected: 0,
  })
  const discounts = [{ daysBeforeDueDate: 0, amountInCents: 500, percentageBps: null }]
  expect(
    placed(after('2026-11-20', 5_500), { of: { ...touched, discounts }, by: ask({ isCurrent: false }) }),
  ).toMatchObject({ paid: 5_500, unexpected: 0 })
})

test('a charge for less than the principal, without a discount, is no payment of it', () => {
  const by = ask({ amount: 9_500, dueOn: () => 9_500 })
  expect(placed(after('2026-11-20', 9_500), { by })).toEqual(waiting(9_500, 'UNDERPAID', '2026-11-20'))
})

test('what a payer has agreed to pays the invoice on each day, also with its discount', () => {
  const by = ask({ isAgreed: true, dueOn: () => 9_500, amount: 9_500 })
  expect(placed(after('2026-11-26', 9_500), { by })).toMatchObject({
    paid: 9_500,
    rest: 'EARLY_PAYMENT_DISCOUNT',
  })
  const whole = ask({ isAgreed: true, dueOn: () => 10_000 })
  expect(placed(after('2026-11-26', 10_000), { by: whole })).toEqual(taken(10_000, '2026-11-26'))
})
