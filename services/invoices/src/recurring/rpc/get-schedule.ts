import type { GetRecurringInvoiceRequest, Schedule } from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { amountOf } from '../../invoice/rules/amount'
import { startOf } from '@cofre/platform/calendar-day'
import { itemsOfCycle } from '../rules/cycle-invoice'
import { nextCycles } from '../rules/schedule'
import { toMessage } from '../store/recurring-message'
import { readRecurring } from '../store/recurring-store'

const SHOWN = 12

export async function getSchedule(
  { pool }: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<Schedule> {
  const recurring = await readRecurring(pool, { sellerId, id })
  return {
    recurringInvoice: toMessage(recurring),
    nextCycles: nextCycles(recurring, SHOWN).map(({ day, dueDate }, place) => {
      const cycle = recurring.cyclesBilled + 1 + place
      return { cycle, date: startOf(day), dueDate, amount: amountOf(itemsOfCycle(recurring.items, cycle)) }
    }),
  }
}
