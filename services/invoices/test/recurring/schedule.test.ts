import { addDays, dayOf, LAST_DAY, startOf } from '@cofre/platform/calendar-day'
import { cycleDayOf, FREQUENCIES, periodFrom, type Frequency } from '../../src/recurring/rules/frequency'
import { anchorOf, dueDateOf, missedCycles, nextCycles } from '../../src/recurring/rules/schedule'
import { walkCycles } from '../support/calendar-walk'

const ANCHORS = [
  '2027-01-31',
  '2028-02-29',
  '2027-02-28',
  '2027-08-29',
  '2027-10-30',
  '2027-12-31',
  '2026-11-24',
  '2099-12-29',
]
const YEARS = 4

const daysOf = (anchor: string, frequency: Frequency, count: number) =>
  Array.from({ length: count }, (_none, period) => cycleDayOf(anchor, frequency, period))

test.each(FREQUENCIES.flatMap((frequency) => ANCHORS.map((anchor) => [frequency, anchor] as const)))(
  '%s from %s on: four years of cycles match a calendar walked day by day',
  (frequency, anchor) => {
    const walked = walkCycles(anchor, frequency, YEARS)
    expect(walked.length).toBeGreaterThanOrEqual(YEARS)
    expect(daysOf(anchor, frequency, walked.length)).toEqual(walked)
  },
)

// Counted by hand on a printed calendar.
test('the anchor day is kept: a day that a short month cuts off comes back', () => {
  expect(daysOf('2027-01-31', 'MONTHLY', 14)).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
    '2027-07-31',
    '2027-08-31',
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
    '2028-02-29',
  ])
  expect(daysOf('2028-02-29', 'YEARLY', 5)).toEqual([
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ])
  expect(daysOf('2027-08-30', 'SEMIANNUALLY', 4)).toEqual([
    '2027-08-30',
    '2028-02-29',
    '2028-08-30',
    '2029-02-28',
  ])
  expect(daysOf('2027-12-28', 'BIWEEKLY', 3)).toEqual(['2027-12-28', '2028-01-11', '2028-01-25'])
})

test.each(FREQUENCIES)('%s: the first cycle on or after any day is found', (frequency) => {
  for (const anchor of ANCHORS) {
    const cycles = daysOf(anchor, frequency, 120)
    for (const step of [-400, -1, 0, 1, 6, 27, 58, 89, 365, 366]) {
      const day = addDays(anchor, step)
      expect(periodFrom(anchor, frequency, day)).toBe(cycles.findIndex((cycle) => cycle >= day))
    }
  }
})

test('no schedule leaves the calendar', () => {
  expect(cycleDayOf('9999-06-15', 'YEARLY', 1)).toBe(LAST_DAY)
  expect(cycleDayOf('9999-12-30', 'WEEKLY', 1)).toBe(LAST_DAY)
  expect(periodFrom('9999-06-15', 'YEARLY', LAST_DAY)).toBe(1)
})

describe('the first cycle', () => {
  const today = '2027-03-10'
  const at = (day: string) => startOf(day)
  test.each([
    ['is today where nothing is said', undefined, false, '2027-03-10', 0],
    ['is on a day to come', at('2027-03-31'), false, '2027-03-31', 0],
    ['of a past day is today', at('2027-01-31'), false, '2027-03-10', 0],
    ['of a past day that is overridden holds: two were missed', at('2027-01-31'), true, '2027-01-31', 2],
    ['on a day to come that is overridden is the same', at('2027-03-31'), true, '2027-03-31', 0],
  ])('%s', (_is, date, isOverridden, anchorDay, missed) => {
    expect(anchorOf({ date, isOverridden }, today)).toBe(anchorDay)
    expect(missedCycles({ anchorDay, frequency: 'MONTHLY' }, today)).toBe(missed)
  })

  test('is on the day of America/Sao_Paulo: late in the evening there it is the next day elsewhere', () => {
    const evening = Date.parse('2027-04-01T02:59:59Z')
    expect(anchorOf({ date: evening, isOverridden: false }, today)).toBe('2027-03-31')
  })
})

describe('the due date of a cycle', () => {
  const monthly = {
    kind: 'RECURRING',
    anchorDay: '2027-01-31',
    frequency: 'MONTHLY',
    daysUntilDue: 5,
    firstDueDate: null,
  } as const

  test('is so many days after its cycle day, at the first moment of the day', () => {
    expect(dueDateOf(monthly, 1)).toBe(Date.parse('2027-03-05T03:00:00Z'))
    expect(dueDateOf({ ...monthly, daysUntilDue: 0 }, 1)).toBe(Date.parse('2027-02-28T03:00:00Z'))
  })

  test('keeps the day of the month of a booklet’s first due date', () => {
    const booklet = { ...monthly, kind: 'BOOKLET', anchorDay: '2027-01-20', daysUntilDue: 11 } as const
    const days = [0, 1, 2, 13].map((period) => dayOf(dueDateOf(booklet, period)))
    expect(days).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2028-02-29'])
  })

  test('is the seller’s own for the first cycle, and for no later one', () => {
    const given = { ...monthly, firstDueDate: Date.parse('2027-02-14T15:30:00Z') }
    expect(dueDateOf(given, 0)).toBe(given.firstDueDate)
    expect(dueDateOf(given, 1)).toBe(dueDateOf(monthly, 1))
  })

  test('is listed for the next cycles in order; none is listed when no cycle comes', () => {
    const active = { ...monthly, nextPeriod: 1, nextCycleDay: '2027-02-28' }
    expect(nextCycles(active, 2)).toEqual([
      { day: '2027-02-28', dueDate: dueDateOf(monthly, 1) },
      { day: '2027-03-31', dueDate: dueDateOf(monthly, 2) },
    ])
    expect(nextCycles({ ...active, nextCycleDay: null }, 2)).toEqual([])
  })
})

test('a day begins at its first moment, even where summer time began at midnight', () => {
  expect(startOf('2027-05-10')).toBe(Date.parse('2027-05-10T03:00:00Z'))
  // In 2018 the clocks of America/Sao_Paulo went from 23:59:59 to 01:00 on 4 November.
  for (const day of ['2018-11-04', '2018-12-01', '2019-02-16', '2019-02-17']) {
    expect(dayOf(startOf(day))).toBe(day)
    expect(dayOf(startOf(day) - 1)).toBe(addDays(day, -1))
  }
})
