import type { GetRecurringInvoiceRequest, Schedule } from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { amountOf } from '../../invoice/amount'
import { startOf } from '../../invoice/calendar-day'
import { itemsOfCycle } from '../../recurring/cycle-invoice'
import { nextCycles } from '../../recurring/schedule'
import { toMessage } from '../../recurring-store/recurring-message'
import { readRecurring } from '../../recurring-store/recurring-store'

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
