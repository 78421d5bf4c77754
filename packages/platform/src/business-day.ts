import { addDays, daysBetween, weekdayOf, type CalendarDay } from './calendar-day'

/** Month and day, and the first year: Lei 662/1949 (as of Lei 10.607/2002), Lei 6.802/1980, Lei 14.759/2023. */
const FIXED_HOLIDAYS: readonly (readonly [day: string, since: number])[] = [
  ['01-01', 0],
  ['04-21', 0],
  ['05-01', 0],
  ['09-07', 0],
  ['10-12', 0],
  ['11-02', 0],
  ['11-15', 0],
  ['11-20', 2024],
  ['12-25', 0],
]

/** Days from Easter: Carnival Monday and Tuesday, Good Friday, Corpus Christi (Resolução CMN 4.880/2020, days without banks). */
const FROM_EASTER = [-48, -47, -2, 60]

/** Whether banks are open in the whole country: neither a weekend nor a national holiday. */
export function isBusinessDay(day: CalendarDay): boolean {
  return weekdayOf(day) % 6 !== 0 && !isHoliday(day)
}

/** The day itself, or the next one on which banks are open. `closed`: days on which those of a town are not. */
// Stryker disable next-line ArrayDeclaration: what is no day is closed on none
export function businessDayFrom(day: CalendarDay, closed: readonly CalendarDay[] = []): CalendarDay {
  const isOpen = isBusinessDay(day) && !closed.includes(day)
  return isOpen ? day : businessDayFrom(addDays(day, 1), closed)
}

/** The day itself, or the last one before it on which banks were open. */
export function lastBusinessDayBy(day: CalendarDay): CalendarDay {
  return isBusinessDay(day) ? day : lastBusinessDayBy(addDays(day, -1))
}

function isHoliday(day: CalendarDay): boolean {
  const year = day.slice(0, 4)
  const isFixed = FIXED_HOLIDAYS.some(([date, since]) => day.endsWith(date) && Number(year) >= since)
  return isFixed || FROM_EASTER.includes(daysBetween(easterOf(year), day))
}

/** Easter Sunday of a year of the Gregorian calendar (the anonymous algorithm: Meeus, Astronomical Algorithms, chapter 8). */
function easterOf(year: string): CalendarDay {
  const golden = Number(year) % 19
  const century = Number(year.slice(0, 2))
  const ofCentury = Number(year.slice(2))
  const correction = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  return addDays(`${year}-03-22`, epact + weekday - 7 * shift)
}
