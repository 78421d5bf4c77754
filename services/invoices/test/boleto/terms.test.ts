import { askedOn, termsOf } from '../../src/boletos/rules/terms'
import { stillHolds } from '../../src/methods/rules/registered-ask'
import { endOf, dayOf } from '@cofre/platform/calendar-day'
import { lateDayOf } from '../../src/invoice/rules/lateness'
import { ALL_METHODS, type AcceptedMethod } from '../../src/methods/methods'

const noon = (day: string) => Date.parse(`${day}T12:00:00-03:00`)
const boleto = (daysAfterDueDate: number | null): AcceptedMethod[] => [
  { method: 'BOLETO', daysAfterDueDate, instructions: ['Pague em dia.'] },
]

/** R$ 100.00 due on Wednesday, 10 March 2027; 2 % and 1 % a month. */
const invoice = (changes: object = {}) => {
  const given = {
    status: 'CLOSED' as const,
    amount: 10_000,
    dueDate: noon('2027-03-10'),
    fine: { amountInCents: null, percentageBps: 200, startsAfterDays: 1 },
    interest: { dailyAmountInCents: null, monthlyPercentageBps: 100, startsAfterDays: 1 },
    discounts: [],
    paymentLimitDate: null,
    acceptedMethods: boleto(10),
    ...changes,
  }
  const open = { principal: given.amount, fine: 0, interest: 0, countedTo: null }
  return { ...given, open, lateFrom: null, lateOn: lateDayOf(dayOf(given.dueDate)) }
}

test('before it is late, a slip asks for the amount by the due date, and stays payable for some days after it', () => {
  expect(termsOf(invoice(), noon('2027-03-01'))).toMatchObject({
    dueDay: '2027-03-10',
    lateOn: '2027-03-11',
    // 20 March 2027 is a Saturday.
    payableUntil: '2027-03-22',
    amount: 10_000,
    fine: { percentageBps: 200 },
    instructions: ['Pague em dia.'],
  })
})

test('once it is late, a slip asks for all that is payable on the next business day, and only on that day', () => {
  // 13 March 2027 is a Saturday. By Monday the payment is five days late.
  expect(termsOf(invoice(), noon('2027-03-13'))).toMatchObject({
    dueDay: '2027-03-15',
    payableUntil: '2027-03-15',
    amount: 10_000 + 200 + 15,
    fine: null,
    interest: null,
  })
})

test('on the first late day a slip already asks for fine and interest', () => {
  expect(termsOf(invoice(), noon('2027-03-11'))).toMatchObject({
    dueDay: '2027-03-11',
    payableUntil: '2027-03-11',
    amount: 10_000 + 200 + 3,
    fine: null,
    interest: null,
  })
})

test('an amount due on a weekend is payable on the next business day, and not after it', () => {
  const terms = termsOf(
    invoice({ dueDate: noon('2027-03-13'), acceptedMethods: boleto(0) }),
    noon('2027-03-01'),
  )
  expect(terms).toMatchObject({ dueDay: '2027-03-13', lateOn: '2027-03-16', payableUntil: '2027-03-15' })
  expect(askedOn(terms, '2027-03-15')).toBe(10_000)
  expect(askedOn(terms, '2027-03-16')).toBe(10_000 + 200 + 9)
})

test('a slip can be paid to the end of the day of paymentLimitDate, and not after it', () => {
  const limited = invoice({ paymentLimitDate: noon('2027-03-12') })
  expect(termsOf(limited, endOf('2027-03-12')).payableUntil).toBe('2027-03-12')
  expect(termsOf(limited, noon('2027-03-01')).payableUntil).toBe('2027-03-12')
  expect(() => termsOf(limited, noon('2027-03-13'))).toThrow(
    expect.objectContaining({ reason: 'PAYMENT_WINDOW_CLOSED' }),
  )
})

test('without settings a slip is payable for thirty days', () => {
  expect(termsOf(invoice({ acceptedMethods: ALL_METHODS }), noon('2027-03-01')).payableUntil).toBe(
    '2027-04-09',
  )
})

test.each([
  ['it does not accept boletos', { acceptedMethods: [{ method: 'CREDIT_CARD', maxInstallments: null }] }],
  ['nothing is to be paid', { amount: 0 }],
  ['more is to be paid than a barcode can say', { amount: 10_000_000_000 }],
  ['it is due so far away that banks would read another day', { dueDate: noon('2049-03-10') }],
])('an invoice gets no boleto when %s', (_why, changes) => {
  expect(() => termsOf(invoice(changes), noon('2027-03-01'))).toThrow(
    expect.objectContaining({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' }),
  )
})

test('terms hold until the end of the last day', () => {
  const terms = { payableUntil: '2027-03-20' }
  expect(stillHolds(terms, endOf('2027-03-20'))).toBe(true)
  expect(stillHolds(terms, endOf('2027-03-20') + 1)).toBe(false)
})

test.each(['2018-11-04', '2018-12-31', '2027-03-20', '2018-02-17'])('%s ends at its midnight', (day) => {
  expect([dayOf(endOf(day)), dayOf(endOf(day) + 1) > day]).toEqual([day, true])
})
