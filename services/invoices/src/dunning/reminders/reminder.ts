import { addDays, dayOf, endOf, momentOf } from '@cofre/platform/calendar-day'

/** Letters leave in the morning, when they are read. */
const AT_09_00 = 'T09:00'

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
  return reminderAfter(invoice, reminderDays, endOf(dayOf(invoice.createdAt)))
}

/** When a letter leaves that waits for another day, epoch milliseconds. */
export function nextMorning(at: number): number {
  return momentOf(`${addDays(dayOf(at), 1)}${AT_09_00}`)
}

function timeOf({ dueDate }: Due, days: number): number {
  return momentOf(`${addDays(dayOf(dueDate), days)}${AT_09_00}`)
}
