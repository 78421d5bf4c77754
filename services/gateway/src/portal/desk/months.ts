import { addDays, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Words } from '../words/language'

/** The ways to the whole of this month and of the last, where a list has the days `from` and `to`. */
export function monthLinks(
  path: string,
  { t }: Words,
  today: CalendarDay,
  others: Record<string, string> = {},
): { label: string; href: string }[] {
  const lastOfBefore = addDays(firstOf(today), -1)
  const hrefOf = (from: CalendarDay, to: CalendarDay) =>
    `${path}?${new URLSearchParams({ ...others, from, to }).toString()}`
  return [
    { label: t('This month'), href: hrefOf(firstOf(today), today) },
    { label: t('Last month'), href: hrefOf(firstOf(lastOfBefore), lastOfBefore) },
  ]
}

function firstOf(day: CalendarDay): CalendarDay {
  return `${day.slice(0, 8)}01`
}
