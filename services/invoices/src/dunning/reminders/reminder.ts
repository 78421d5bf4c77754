import { addDays, dayOf, endOf } from '@cofre/platform/calendar-day'
import { morningOf } from '../../letters/queue/email'

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

function timeOf({ dueDate }: Due, days: number): number {
  return morningOf(addDays(dayOf(dueDate), days))
}
