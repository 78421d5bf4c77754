import { checkDiscounts, discountAt, discountOn, discountsOf } from '../../src/invoice/rules/discounts'
import type { Discount, InvoiceStatus, WholeInvoice } from '../../src/invoice/rules/invoice'
import { lateChargesOf } from '../../src/invoice/rules/late-charges'
import { lateDayOf } from '../../src/invoice/rules/lateness'
import { pay, type Paid } from '../../src/invoice/rules/money'
import { invoiceIn } from './rule-invoices'

const noon = (day: string) => Date.parse(`${day}T15:00:00Z`)
const share = (daysBeforeDueDate: number, percentageBps: number): Discount => ({
  daysBeforeDueDate,
  percentageBps,
  amountInCents: null,
})
const off = (daysBeforeDueDate: number, amountInCents: number): Discount => ({
  daysBeforeDueDate,
  amountInCents,
  percentageBps: null,
})

/** R$ 100.00, due on Wednesday 10 March 2027 unless said otherwise: 10 % until Friday the 5th, R$ 3.00 until the 10th. */
function invoiceWith(
  discounts: readonly Discount[] = [share(5, 1_000), off(0, 300)],
  { due = '2027-03-10', status = 'CLOSED', ...changes }: Changes = {},
): WholeInvoice {
  const late = { dueDate: noon(due), lateOn: lateDayOf(due) }
  return invoiceIn(status, { ...late, discounts, ...changes })
}
type Changes = Partial<WholeInvoice> & { due?: string; status?: InvoiceStatus }

const open = (principal: number) => ({ principal, fine: 0, interest: 0, countedTo: null })

test.each([
  ['on the last day of the first', '2027-03-05T23:59:59.999-03:00', 1_000, '2027-03-05'],
  ['at the next midnight in São Paulo', '2027-03-06T00:00:00-03:00', 300, '2027-03-10'],
  ['on the due date', '2027-03-10T23:59:59.999-03:00', 300, '2027-03-10'],
  ['on the day after it', '2027-03-11T00:00:00-03:00', 0, undefined],
])('%s', (_when, moment, discountAmount, until) => {
  const at = Date.parse(moment)
  const discountUntil = until && Date.parse(`${until}T00:00:00-03:00`)
  expect(lateChargesOf(invoiceWith(), at)).toMatchObject({
    discountAmount,
    discountUntil,
    payableAmount: 10_000 - discountAmount,
  })
})

test.each<[string, readonly Discount[], Changes, ReturnType<typeof discountsOf>]>([
  ['a share is rounded down', [share(0, 1)], { amount: 29_999 }, [{ until: '2027-03-10', amount: 2 }]],
  ['less than a cent is none', [share(0, 1)], { amount: 9_999 }, []],
  [
    'a day that is over counts no more',
    [off(8, 900), off(7, 800)],
    {},
    [{ until: '2027-03-03', amount: 800 }],
  ],
  ['a Saturday ends on Friday', [off(0, 300)], { due: '2027-03-13' }, [{ until: '2027-03-12', amount: 300 }]],
  ['a holiday ends before it', [off(0, 300)], { due: '2027-03-26' }, [{ until: '2027-03-25', amount: 300 }]],
  [
    'a later due day moves them',
    [off(1, 300)],
    { lateFrom: '2027-03-12' },
    [{ until: '2027-03-11', amount: 300 }],
  ],
  ['the last day cuts them', [off(0, 300)], { due: '2027-04-12' }, [{ until: '2027-04-01', amount: 300 }]],
  [
    'of two for one day, the greater counts',
    [off(0, 300), off(1, 400)],
    { due: '2027-03-14' },
    [{ until: '2027-03-12', amount: 400 }],
  ],
  [
    'of two for as much, the longer counts',
    [share(5, 1), off(0, 1), off(2, 7)],
    { amount: 10_000 },
    [
      { until: '2027-03-08', amount: 7 },
      { until: '2027-03-10', amount: 1 },
    ],
  ],
  [
    'a cent is left to pay',
    [off(2, 500), off(0, 400)],
    { open: open(400) },
    [{ until: '2027-03-10', amount: 399 }],
  ],
  ['a cent has no discount', [off(0, 300)], { open: open(1) }, []],
])('%s', (_what, discounts, changes, expected) => {
  expect(discountsOf(invoiceWith(discounts, changes), ['2027-03-03', '2027-04-01'])).toEqual(expected)
})

test('each is for the days until its own', () => {
  const discounts = discountsOf(invoiceWith(), ['2027-03-01', '2027-03-10'])
  const days = ['2027-03-05', '2027-03-06', '2027-03-10', '2027-03-11']
  expect(days.map((day) => discountOn(discounts, day))).toEqual([1_000, 300, 300, 0])
})

test('nothing is off what is not to be paid, and a draft is counted as if it were issued now', () => {
  const at = noon('2027-03-01')
  const amountOf = (status: InvoiceStatus, moment = at) =>
    discountAt(invoiceWith(undefined, { status }), moment)?.amount
  expect([amountOf('PAID'), amountOf('CANCELLED')]).toEqual([undefined, undefined])
  expect([amountOf('UNCOLLECTIBLE'), amountOf('OPEN')]).toEqual([1_000, 1_000])
  expect(amountOf('OPEN', noon('2027-03-17'))).toBe(300)
  expect(discountAt(invoiceWith([]), at)).toBeUndefined()
})

const payment = (amount: number, day: string, changes: Partial<Paid> = {}): Paid => ({
  method: 'PIX',
  amount,
  rest: 'OWED',
  at: noon('2027-03-20'),
  paidAt: noon(day),
  ...changes,
})

test.each<[string, Paid]>([
  ['a bank reports', payment(9_000, '2027-03-05')],
  ['a card brought', payment(9_000, '2027-03-20', { asOf: noon('2027-03-05'), rest: 'NOT_ASKED' })],
  ['a person applied', payment(9_000, '2027-03-05', { rest: 'BY_SELLER' })],
])('what %s in time settles the invoice: the discount is a write-off', (_what, paid) => {
  expect(pay(invoiceWith(), paid)).toMatchObject({
    invoice: { status: 'PAID', paidAmount: 9_000, writtenOffAmount: 1_000, open: open(0) },
    event: 'invoice.paid',
    movements: [
      { kind: 'PAYMENT', amount: 9_000, principal: 9_000 },
      { kind: 'WRITE_OFF', amount: 1_000, principal: 1_000, reason: 'EARLY_PAYMENT_DISCOUNT', method: null },
    ],
  })
})

test.each<[string, Paid]>([
  ['a day late', payment(9_000, '2027-03-06')],
  ['a cent short', payment(8_999, '2027-03-05', { rest: 'LATENESS_WAIVED' })],
])('%s, it is a part', (_what, paid) => {
  const { invoice, movements } = pay(invoiceWith(), paid)
  expect([invoice.status, invoice.writtenOffAmount, movements]).toMatchObject([
    'CLOSED',
    0,
    [{ kind: 'PAYMENT' }],
  ])
})

test('what is paid beyond the discounted amount is less discount; after a part, the rest has the whole discount', () => {
  const full = pay(invoiceWith(), payment(10_000, '2027-03-05'))
  expect([full.invoice.writtenOffAmount, full.movements]).toMatchObject([0, [{ amount: 10_000 }]])
  expect(pay(invoiceWith(), payment(9_400, '2027-03-05')).invoice).toMatchObject({ writtenOffAmount: 600 })
  const { invoice } = pay(invoiceWith(), payment(4_000, '2027-03-04'))
  expect(lateChargesOf(invoice, noon('2027-03-05')).payableAmount).toBe(5_000)
  expect(pay(invoice, payment(5_000, '2027-03-05')).invoice).toMatchObject({
    status: 'PAID',
    writtenOffAmount: 1_000,
  })
})

test.each<[string, readonly Discount[], number, string[]]>([
  ['as much as the total', [off(0, 10_000)], 10_000, ['#/discounts/0/amountInCents RANGE']],
  ['a share of nothing', [share(0, 100)], 0, ['#/discounts/0/percentage RANGE']],
  [
    'the same days twice',
    [off(3, 1), share(3, 200)],
    10_000,
    ['#/discounts/0/daysBeforeDueDate UNIQUE', '#/discounts/1/daysBeforeDueDate UNIQUE'],
  ],
  ['as much with more days', [off(9, 200), share(3, 200)], 10_000, ['#/discounts/0/amountInCents RANGE']],
  ['less with more days', [off(3, 500), share(5, 200)], 10_000, ['#/discounts/1/percentage RANGE']],
])('%s is refused with its place', (_what, discounts, total, faults) => {
  const errors = faults.map((each) => {
    const [pointer, code] = each.split(' ')
    return { pointer, code, detail: expect.stringMatching(/^must /) }
  })
  const refusal = { kind: 'invalid_argument', reason: 'VALIDATION_FAILED', extra: { errors } }
  expect(() => checkDiscounts(discounts, total)).toThrow(expect.objectContaining(refusal))
})

test('discounts that grow with the days and leave a cent are taken', () => {
  expect(() => checkDiscounts([off(0, 9_998), share(1, 9_999)], 10_000_000)).not.toThrow()
  expect(() => checkDiscounts([off(0, 1)], 2)).not.toThrow()
  expect(() => checkDiscounts([], 0)).not.toThrow()
})
