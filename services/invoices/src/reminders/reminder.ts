import { addDays, dayOf } from '../invoice/calendar-day'

/** Letters leave in the morning, when they are read. Brazil keeps UTC-3 (Decreto 9.772/2019). */
const AT_09_00 = 'T09:00:00-03:00'

/** When the customer of an invoice is next reminded, epoch milliseconds. `passed`: how many reminders came before it. */
export type PlannedReminder = { passed: number; remindAt: number }

type Due = { dueDate: number }

/** The reminder that comes after a moment (epoch milliseconds). Undefined when there is none. */
export function reminderAfter(
  invoice: Due,
  reminderDays: readonly number[],
  after: number,
): PlannedReminder | undefined {
  const passed = reminderDays.findIndex((days) => timeOf(invoice, days) > after)
  const days = reminderDays[passed]
  return days === undefined ? undefined : { passed, remindAt: timeOf(invoice, days) }
}

/** The first reminder of a new invoice: nobody is reminded on the day on which the invoice itself was mailed. */
export function firstReminder(
  invoice: Due & { createdAt: number },
  reminderDays: readonly number[],
): PlannedReminder | undefined {
  const endOfDay = Date.parse(`${addDays(dayOf(invoice.createdAt), 1)}T00:00:00-03:00`) - 1
  return reminderAfter(invoice, reminderDays, endOfDay)
}

function timeOf({ dueDate }: Due, days: number): number {
  return Date.parse(`${addDays(dayOf(dueDate), days)}${AT_09_00}`)
}
