import { dayOf, endOf, isDay, localTimeOf, momentOf, startOf } from '../src/calendar-day'

test.each([
  ['2027-03-05T06:00', '2027-03-05T06:00:00-03:00'],
  ['2027-03-05T06:00:07', '2027-03-05T06:00:07-03:00'],
  // Summer time, as it was, and may be again.
  ['2019-01-10T09:00', '2019-01-10T09:00:00-02:00'],
  // On 4 November 2018 the clocks went from 23:59:59 to 01:00.
  ['2018-11-04T00:30', '2018-11-04T01:30:00-02:00'],
  // On 17 February 2019 the hour before midnight came twice.
  ['2019-02-16T23:30', '2019-02-16T23:30:00-02:00'],
])('the clocks of São Paulo show %s at %s', (local, moment) => {
  expect(momentOf(local)).toBe(Date.parse(moment))
})

test.each(['', 'noon', '2027-13-01T06:00', '2027-03-05'])('the clocks of São Paulo never show %j', (text) => {
  expect(momentOf(text)).toBeNaN()
})

test('a moment is written as the clocks of São Paulo show it', () => {
  expect(localTimeOf(Date.parse('2027-03-06T02:05:59Z'))).toBe('2027-03-05T23:05')
  expect(localTimeOf(Date.parse('2019-01-10T02:05:00Z'))).toBe('2019-01-10T00:05')
})

test.each(['2018-11-03', '2018-11-04', '2019-02-16', '2027-03-05'])('%s has its own moments only', (day) => {
  expect([dayOf(startOf(day)), dayOf(endOf(day))]).toEqual([day, day])
  expect(dayOf(startOf(day) - 1) < day && day < dayOf(endOf(day) + 1)).toBe(true)
})

test('only a day that the calendar has is a day', () => {
  expect(['2028-02-29', '2027-12-31'].every(isDay)).toBe(true)
  expect(['2027-02-29', '2027-04-31', '2027-1-1', '05/03/2027', ''].some(isDay)).toBe(false)
})
