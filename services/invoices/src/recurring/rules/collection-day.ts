import { addDays, type CalendarDay } from '@cofre/platform/calendar-day'
import { SENT_AHEAD } from '../../pix/rules/collection'

/**
 * The day on which an invoice is collected, or the day from which its collection may be sent. One that is due sooner than
 * banks allow is collected on the first day that they do: its payer has been in time.
 */
export function collectionDay(
  dueDay: CalendarDay,
  today: CalendarDay,
): { day: CalendarDay } | { sendFrom: CalendarDay } {
  const sendFrom = addDays(dueDay, -SENT_AHEAD.most)
  if (today < sendFrom) return { sendFrom }
  const earliest = addDays(today, SENT_AHEAD.least)
  return { day: dueDay > earliest ? dueDay : earliest }
}
