import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { dayOf } from '../invoice/calendar-day'
import { tellPastDue } from '../invoice/transition'
import { updateLate } from '../invoice-store/past-due-store'

const BATCH_SIZE = 100

/** Notifies sellers of invoices that became past due, each once. Returns how many it looked at. */
export function tellLate({ pool }: Pick<Deps, 'pool'>, at = now()): Promise<number> {
  return updateLate(pool, { today: dayOf(at), batch: BATCH_SIZE }, (invoice) => tellPastDue(invoice, at))
}
