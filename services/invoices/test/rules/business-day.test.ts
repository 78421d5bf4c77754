import { businessDayFrom, isBusinessDay } from '@cofre/platform/business-day'
import { addDays, dayOf, daysBetween } from '@cofre/platform/calendar-day'
import { lateDayOf } from '../../src/invoice/rules/lateness'

// From ANBIMA's calendar.
test.each([
  ['2026-01-01', 'Confraternização Universal, a Thursday'],
  ['2026-02-16', 'Carnival Monday'],
  ['2026-02-17', 'Carnival Tuesday'],
  ['2026-04-03', 'Good Friday'],
  ['2026-04-21', 'Tiradentes'],
  ['2026-05-01', 'Dia do Trabalho'],
  ['2026-06-04', 'Corpus Christi'],
  ['2026-09-07', 'Independência'],
  ['2026-10-12', 'Nossa Senhora Aparecida'],
  ['2026-11-02', 'Finados'],
  ['2026-11-20', 'Consciência Negra'],
  ['2024-11-20', 'the first Consciência Negra'],
  ['2026-12-25', 'Natal'],
  ['2025-03-04', 'Carnival Tuesday of a late Easter'],
  ['2024-03-29', 'Good Friday of an early Easter'],
  ['2038-06-24', 'Corpus Christi of the latest Easter'],
  ['2026-11-15', 'Proclamação da República, a Sunday'],
  ['2026-11-21', 'a Saturday'],
  ['2028-02-29', 'Carnival Tuesday on 29 February'],
])('%s is no business day: %s', (day) => expect(isBusinessDay(day)).toBe(false))

test.each([
  ['2026-02-18', 'Ash Wednesday: banks open at noon'],
  ['2026-04-02', 'Maundy Thursday'],
  ['2023-11-20', 'before Lei 14.759/2023'],
  ['2024-02-29', 'a Thursday'],
  ['2026-12-31', 'a Thursday'],
])('%s is a business day: %s', (day) => expect(isBusinessDay(day)).toBe(true))

/** Easter Sundays of the Gregorian calendar, with the earliest and the latest possible ones. */
const EASTERS = [
  '1818-03-22 1886-04-25 1943-04-25 1954-04-18 1961-04-02 1962-04-22 1963-04-14 1964-03-29 1965-04-18 1966-04-10',
  '1981-04-19 1991-03-31 1992-04-19 1993-04-11 2000-04-23 2008-03-23 2011-04-24 2019-04-21 2020-04-12 2021-04-04',
  '2022-04-17 2023-04-09 2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21 2031-04-13',
  '2032-03-28 2033-04-17 2034-04-09 2035-03-25 2036-04-13 2037-04-05 2038-04-25 2049-04-18 2076-04-19 2100-03-28',
].flatMap((line) => line.split(' '))

test.each(EASTERS)('Good Friday and Carnival are counted from Easter on %s', (easter) => {
  for (const days of [-48, -47, -2, 60]) expect(isBusinessDay(addDays(easter, days))).toBe(false)
  for (const days of [-45, -3, 59]) {
    const day = addDays(easter, days)
    if (!/-(01-01|04-21|05-01)$/.test(day)) expect(isBusinessDay(day)).toBe(true)
  }
})

test.each([
  ['2026-11-23', '2026-11-23'],
  ['2026-11-21', '2026-11-23'],
  ['2026-11-20', '2026-11-23'],
  ['2026-02-14', '2026-02-18'],
  ['2026-04-03', '2026-04-06'],
  ['2027-01-01', '2027-01-04'],
  ['2028-02-26', '2028-03-01'],
])('an amount due on %s may be paid on %s', (due, last) => expect(businessDayFrom(due)).toBe(last))

test('a moment has the day of São Paulo', () => {
  expect(dayOf(Date.parse('2026-11-23T02:59:59.999Z'))).toBe('2026-11-22')
  expect(dayOf(Date.parse('2026-11-23T03:00:00Z'))).toBe('2026-11-23')
  // With daylight saving time, which Brazil had until 2019.
  expect(dayOf(Date.parse('2018-12-01T01:59:59Z'))).toBe('2018-11-30')
  expect(dayOf(Date.parse('2018-12-01T02:00:00Z'))).toBe('2018-12-01')
})

test('days are counted across the ends of months and years, and 29 February counts', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
  expect(daysBetween('2027-02-28', '2027-03-01')).toBe(1)
  expect(daysBetween('2026-12-31', '2027-01-01')).toBe(1)
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
})

test('the calendar ends with the year 9999: an invoice due on its last day is late on it', () => {
  expect(lateDayOf('9999-12-30')).toBe('9999-12-31')
  expect(lateDayOf('9999-12-31')).toBe('9999-12-31')
})
