import type { Invoice, Split } from '../../src/invoice/rules/invoice'
import { checkSplits } from '../../src/invoice/rules/splits'
import { madeNumber } from '../../src/invoice/rules/invoice-number'
import { warningsOf } from '../../src/invoice/rules/warnings'

const split = (amountInCents: number | null, percentageBps: number | null = null): Split => ({
  recipientId: 1,
  amountInCents,
  percentageBps,
  liable: false,
  chargeProcessingFee: false,
})

test.each<[string, Split[], number]>([
  ['nothing', [], 0],
  ['the whole as an amount', [split(100)], 100],
  ['the whole as shares that do not divide', [split(null, 3_333), split(null, 6_667)], 101],
  ['an amount and a share', [split(50), split(null, 5_000)], 100],
])('splits may be %s', (_name, splits, amount) => {
  expect(() => checkSplits(splits, amount)).not.toThrow()
})

test.each<[string, Split[]]>([
  ['one cent more', [split(101)]],
  ['shares of more than all', [split(null, 10_000), split(null, 1)]],
  ['a share of a cent beside all', [split(99), split(null, 101)]],
  ['an amount and a share', [split(51), split(null, 5_000)]],
])('splits of %s than the total are refused', (_name, splits) => {
  const errors = [{ pointer: '#/splits', code: 'SUM', detail: expect.stringContaining('the total') }]
  const refusal = {
    kind: 'failed_precondition',
    message: 'The splits exceed the total.',
    reason: 'SPLIT_EXCEEDS_TOTAL',
    extra: { errors },
  }
  expect(() => checkSplits(splits, 100)).toThrow(expect.objectContaining(refusal))
})

test('shares of more than the whole are refused for an amount of 0 too', () => {
  const all = [split(null, 10_000), split(null, 1)]
  expect(() => checkSplits(all, 0)).toThrow(expect.objectContaining({ reason: 'SPLIT_EXCEEDS_TOTAL' }))
})

const fine = (amountInCents: number | null, percentageBps: number | null) => ({
  amountInCents,
  percentageBps,
  startsAfterDays: 1,
})
const interest = (dailyAmountInCents: number | null, monthlyPercentageBps: number | null) => ({
  dailyAmountInCents,
  monthlyPercentageBps,
  startsAfterDays: 1,
})

const UNPAID = { splits: [split(100)], paidAmount: 0, refundedAmount: 0, disputedAmount: 0 }
const IN_TIME = {
  status: 'CLOSED' as const,
  ...UNPAID,
  dueDate: 1_800_000_000_000,
  createdAt: 1_790_000_000_000,
  recurringInvoiceId: null,
}

test('customary terms have no warning', () => {
  const amount = 30_000
  expect(warningsOf({ ...IN_TIME, amount, fine: fine(null, 200), interest: interest(null, 100) })).toEqual([])
  expect(warningsOf({ ...IN_TIME, amount, fine: fine(600, null), interest: interest(10, null) })).toEqual([])
  expect(warningsOf({ ...IN_TIME, amount, fine: null, interest: null })).toEqual([])
})

test('a fine above 2 % and interest above 1 % a month get a warning each, as shares and as amounts', () => {
  const codes = ['FINE_ABOVE_CUSTOM', 'INTEREST_ABOVE_CUSTOM']
  const codesOf = (given: Pick<Invoice, 'amount' | 'fine' | 'interest'>) =>
    warningsOf({ ...IN_TIME, ...given }).map(({ code }) => code)
  const amount = 30_000
  expect(codesOf({ amount, fine: fine(null, 201), interest: interest(null, 101) })).toEqual(codes)
  expect(codesOf({ amount, fine: fine(601, null), interest: interest(11, null) })).toEqual(codes)
  expect(codesOf({ amount: 0, fine: fine(1, null), interest: interest(1, null) })).toEqual(codes)
})

test('a due date that is past when a seller makes the invoice has a warning; a cycle billed late has none', () => {
  const late = { ...IN_TIME, dueDate: IN_TIME.createdAt - 86_400_000, amount: 1, fine: null, interest: null }
  expect(warningsOf(late)).toMatchObject([{ pointer: '#/dueDate', code: 'DUE_DATE_PAST' }])
  expect(warningsOf({ ...late, recurringInvoiceId: 1 })).toEqual([])
})

test.each<[string, Partial<Invoice>, boolean]>([
  ['nothing was paid', {}, false],
  ['a part was paid', { paidAmount: 999 }, true],
  ['all was paid', { paidAmount: 1_000 }, false],
  ['a part went back', { paidAmount: 1_050, refundedAmount: 51 }, true],
  ['what went back was fine', { paidAmount: 1_050, refundedAmount: 25, disputedAmount: 25 }, false],
  ['a card holder disputes a part', { paidAmount: 1_000, disputedAmount: 1 }, true],
  ['a part was paid of what is split by shares', { paidAmount: 999, splits: [split(null, 1)] }, false],
])('a fixed amount that is not covered has a warning: %s', (_how, changes, isWarned) => {
  const invoice = { ...IN_TIME, amount: 1_000, fine: null, interest: null, ...changes }
  const expected = isWarned ? [{ pointer: '#/splits', code: 'SPLIT_NOT_COVERED' }] : []
  expect(warningsOf(invoice)).toMatchObject(expected)
})

test('a made number has six digits, and more once these are used up', () => {
  expect([1, 999_999, 1_000_000].map(madeNumber)).toEqual(['000001', '999999', '1000000'])
})
