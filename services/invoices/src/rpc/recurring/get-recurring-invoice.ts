import type { GetRecurringInvoiceRequest, RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { toMessage } from '../../recurring-store/recurring-message'
import { readRecurring } from '../../recurring-store/recurring-store'

export async function getRecurringInvoice(
  { pool }: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<RecurringInvoice> {
  return toMessage(await readRecurring(pool, { sellerId, id }))
}
