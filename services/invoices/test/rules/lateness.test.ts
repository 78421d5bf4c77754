import { startOf } from '@cofre/platform/calendar-day'
import { daysLate, latenessOf } from '../../src/invoice/rules/lateness'

const due = (day: string) => ({ dueDate: startOf(day), lateFrom: null })

test.each([
  ['issued before it is due', '2027-03-10', '2027-03-01', [], null, '2027-03-11'],
  ['due on a Saturday', '2027-03-13', '2027-03-01', [], null, '2027-03-16'],
  ['issued on its due day', '2027-03-10', '2027-03-10', [], null, '2027-03-11'],
  ['due 90 days before it is issued', '2026-12-10', '2027-03-10', [], '2027-03-10', '2027-03-11'],
  ['issued late, on a Saturday', '2027-03-10', '2027-03-13', [], '2027-03-13', '2027-03-16'],
  ['due on a holiday of the town', '2027-01-25', '2027-01-01', ['2027-01-25'], '2027-01-26', '2027-01-27'],
  ['due on a Sunday before one', '2027-01-24', '2027-01-01', ['2027-01-25'], '2027-01-26', '2027-01-27'],
  ['due on a Friday that is one', '2027-03-12', '2027-01-01', ['2027-03-12'], '2027-03-15', '2027-03-16'],
  ['due on a Friday, with one on Monday', '2027-01-22', '2027-01-01', ['2027-01-25'], null, '2027-01-23'],
])('an invoice that is %s', (_what, dueDay, issuedOn, holidays, lateFrom, lateOn) => {
  expect(latenessOf(due(dueDay), issuedOn, holidays)).toEqual({ lateFrom, lateOn })
})

test('an invoice that is issued later is not late sooner', () => {
  const moved = {
    dueDate: startOf('2027-01-25'),
    ...latenessOf(due('2027-01-25'), '2027-01-01', ['2027-01-25']),
  }
  expect(latenessOf(moved, '2027-01-20')).toEqual({ lateFrom: '2027-01-26', lateOn: '2027-01-27' })
})

test('days count from the later day, and nobody is late with a draft', () => {
  const invoice = { ...due('2026-12-10'), ...latenessOf(due('2026-12-10'), '2027-03-10') }
  const on = (status: 'OPEN' | 'CLOSED', day: string) => daysLate({ ...invoice, status }, startOf(day))
  expect([on('CLOSED', '2027-03-10'), on('CLOSED', '2027-03-12'), on('OPEN', '2027-03-12')]).toEqual([
    0, 2, 0,
  ])
})
