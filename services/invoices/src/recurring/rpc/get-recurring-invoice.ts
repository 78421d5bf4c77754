import type { GetRecurringInvoiceRequest, RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { latestPermission } from '../../pix/automatic/permission-store'
import { toMessage } from '../store/recurring-message'
import { readRecurring } from '../store/recurring-store'

export async function getRecurringInvoice(
  { pool }: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<RecurringInvoice> {
  const recurring = await readRecurring(pool, { sellerId, id })
  return toMessage(recurring, await latestPermission(pool, id))
}
