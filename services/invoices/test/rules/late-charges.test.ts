import type { Fine, Interest, Invoice, InvoiceStatus } from '../../src/invoice/rules/invoice'
import { lateChargesOf } from '../../src/invoice/rules/late-charges'
import { isPastDue, lateDayOf } from '../../src/invoice/rules/lateness'

/** Noon in São Paulo. */
const noon = (day: string) => Date.parse(`${day}T15:00:00Z`)
const share = (percentageBps: number, startsAfterDays = 1): Fine => ({
  amountInCents: null,
  percentageBps,
  startsAfterDays,
})
const monthly = (monthlyPercentageBps: number, startsAfterDays = 1): Interest => ({
  dailyAmountInCents: null,
  monthlyPercentageBps,
  startsAfterDays,
})
const fixed = (amountInCents: number): Fine => ({ amountInCents, percentageBps: null, startsAfterDays: 1 })
const daily = (dailyAmountInCents: number, startsAfterDays = 1): Interest => ({
  dailyAmountInCents,
  monthlyPercentageBps: null,
  startsAfterDays,
})

type Terms = { amount: number; due: string; fine?: Fine; interest?: Interest; status?: InvoiceStatus }

function invoiceOf({ amount, due, fine, interest, status = 'CLOSED' }: Terms) {
  const dueDate = noon(due)
  const open = { principal: amount, fine: 0, interest: 0, countedTo: null }
  const terms = { amount, open, fine: fine ?? null, interest: interest ?? null, discounts: [] }
  return { ...terms, status, dueDate, lateFrom: null, lateOn: lateDayOf(due) } satisfies Partial<Invoice>
}

// Worked out by hand: principal, due, paid, terms, fine, interest.
test.each<[string, Terms, string, number, number]>([
  [
    'R$ 100, 5 days: 3.33 cents a day are 3',
    { amount: 10_000, due: '2026-11-23', fine: share(200), interest: monthly(100) },
    '2026-11-28',
    200,
    15,
  ],
  [
    'R$ 500, 10 days: 16.67 cents a day are 16',
    { amount: 50_000, due: '2026-11-23', fine: share(200), interest: monthly(100) },
    '2026-12-03',
    1_000,
    160,
  ],
  [
    'R$ 3,000, 10 days',
    { amount: 300_000, due: '2026-11-23', fine: share(200), interest: monthly(100) },
    '2026-12-03',
    6_000,
    1_000,
  ],
  [
    'R$ 200 at 1 % and 0.5 % a month, 15 days: 3.33 cents a day are 3',
    { amount: 20_000, due: '2026-11-23', fine: share(100), interest: monthly(50) },
    '2026-12-08',
    200,
    45,
  ],
  [
    'R$ 1,000, 30 days: 33.33 cents a day are 33',
    { amount: 100_000, due: '2026-11-23', fine: share(200), interest: monthly(100) },
    '2026-12-23',
    2_000,
    990,
  ],
  ['on the due date nothing', { amount: 10_000, due: '2026-11-23', fine: share(200) }, '2026-11-23', 0, 0],
  [
    'due on a Saturday, paid on Monday: nothing',
    { amount: 10_000, due: '2026-11-28', fine: share(200), interest: monthly(100) },
    '2026-11-30',
    0,
    0,
  ],
  [
    'due on a Saturday, paid on Tuesday: three days from Saturday',
    { amount: 30_000, due: '2026-11-28', fine: share(200), interest: monthly(100) },
    '2026-12-01',
    600,
    30,
  ],
  [
    'due on a holiday before a weekend (20 November 2026), paid on Monday: nothing',
    { amount: 10_000, due: '2026-11-20', fine: share(200), interest: monthly(100) },
    '2026-11-23',
    0,
    0,
  ],
  [
    'due on a holiday before a weekend, paid on Tuesday: four days',
    { amount: 30_000, due: '2026-11-20', fine: share(200), interest: monthly(100) },
    '2026-11-24',
    600,
    40,
  ],
  [
    'due on a Friday, paid on Saturday: late, no due date was moved',
    { amount: 30_000, due: '2026-11-27', fine: share(200), interest: monthly(100) },
    '2026-11-28',
    600,
    10,
  ],
  [
    '29 February counts: 28 February 2028 is a Carnival Monday, 1 March the first business day, 2 March is late',
    { amount: 30_000, due: '2028-02-28', fine: share(200), interest: monthly(100) },
    '2028-03-02',
    600,
    30,
  ],
  [
    'half a cent of fine goes up: 2 % of R$ 0.25',
    { amount: 25, due: '2026-11-23', fine: share(200) },
    '2026-11-24',
    1,
    0,
  ],
  [
    'a cent of interest a day: R$ 30 at 1 % a month',
    { amount: 3_000, due: '2026-11-23', interest: monthly(100) },
    '2026-11-24',
    0,
    1,
  ],
  [
    'less than a cent of interest a day is none: R$ 29.99',
    { amount: 2_999, due: '2026-11-23', interest: monthly(100) },
    '2026-11-24',
    0,
    0,
  ],
  [
    'fixed amounts: a fine once, interest by the day',
    { amount: 10_000, due: '2026-11-23', fine: fixed(1_000), interest: daily(33) },
    '2026-12-03',
    1_000,
    330,
  ],
  [
    'fine from the tenth day on, interest from the fifth: nine days late are five days of interest',
    { amount: 30_000, due: '2026-11-23', fine: share(200, 10), interest: monthly(100, 5) },
    '2026-12-02',
    0,
    50,
  ],
  [
    'fine from the tenth day on, interest from the eleventh: ten days late',
    { amount: 30_000, due: '2026-11-23', fine: share(200, 10), interest: monthly(100, 11) },
    '2026-12-03',
    600,
    0,
  ],
  [
    'a large amount for ten years',
    { amount: 40_000_000_000, due: '2026-11-23', interest: monthly(100) },
    '2036-11-23',
    0,
    48_706_665_449,
  ],
  [
    'no more than an amount can be',
    { amount: 99_999_999_000, due: '2026-11-23', fine: share(200), interest: monthly(100) },
    '2036-11-23',
    999,
    0,
  ],
  [
    'an UNCOLLECTIBLE one can still be paid, with all that lateness adds',
    { amount: 10_000, due: '2026-11-23', fine: share(200), status: 'UNCOLLECTIBLE' },
    '2026-11-24',
    200,
    0,
  ],
])('%s', (_name, terms, paidOn, fineAmount, interestAmount) => {
  const payableAmount = terms.amount + fineAmount + interestAmount
  expect(lateChargesOf(invoiceOf(terms), noon(paidOn))).toMatchObject({
    fineAmount,
    interestAmount,
    payableAmount,
  })
})

test.each<InvoiceStatus>(['PAID', 'CANCELLED'])('nothing is to be paid of a %s one', (status) => {
  const invoice = invoiceOf({ amount: 10_000, due: '2026-11-23', fine: share(200), status })
  expect(lateChargesOf(invoice, noon('2026-12-23')).payableAmount).toBe(0)
})

test('an invoice becomes past due at midnight in São Paulo after its last day', () => {
  const invoice = invoiceOf({ amount: 1, due: '2026-11-28' })
  expect(isPastDue(invoice, Date.parse('2026-12-01T02:59:59.999Z'))).toBe(false)
  expect(isPastDue(invoice, Date.parse('2026-12-01T03:00:00Z'))).toBe(true)
  const due = (status: InvoiceStatus) =>
    isPastDue(invoiceOf({ amount: 1, due: '2026-11-23', status }), noon('2026-11-24'))
  expect(due('OPEN')).toBe(true)
  expect([due('PAID'), due('CANCELLED'), due('UNCOLLECTIBLE')]).toEqual([false, false, false])
})

test('after a part was paid, fine and interest are of what is open, from that day on', () => {
  const terms = { amount: 10_000, due: '2026-11-23', fine: share(200), interest: monthly(3_000) }
  const invoice = invoiceOf(terms)
  const half = {
    ...invoice,
    open: { principal: 3_000, fine: 7, interest: 11, countedTo: '2026-11-26' as const },
  }
  // 30 cents a day of R$ 30.00; the fine was counted with the part.
  expect(lateChargesOf(half, noon('2026-11-28'))).toMatchObject({
    fineAmount: 7,
    interestAmount: 11 + 2 * 30,
    payableAmount: 3_000 + 7 + 11 + 60,
  })
  const early = { ...half, open: { ...half.open, countedTo: '2026-11-20' as const } }
  expect(lateChargesOf(early, noon('2026-11-24'))).toMatchObject({
    fineAmount: 7 + 60,
    interestAmount: 11 + 30,
  })
  expect(lateChargesOf(half, noon('2026-11-24'))).toMatchObject({ fineAmount: 7, interestAmount: 11 })
})
