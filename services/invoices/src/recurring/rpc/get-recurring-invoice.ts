import type { GetRecurringInvoiceRequest, RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { latestPermission } from '../../pix/automatic/permission-store'
import { readNextCard } from '../store/plan-card-store'
import { toMessage } from '../store/recurring-message'
import { readRecurring } from '../store/recurring-store'

export async function getRecurringInvoice(
  { pool }: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<RecurringInvoice> {
  const recurring = await readRecurring(pool, { sellerId, id })
  const permission = await latestPermission(pool, id)
  return toMessage(recurring, { permission, nextCardId: await readNextCard(pool, recurring) })
}
