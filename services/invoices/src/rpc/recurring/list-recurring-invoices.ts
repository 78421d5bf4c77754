import {
  BillingFrequency,
  RecurringInvoiceStatus,
  type ListRecurringInvoicesRequest,
  type ListRecurringInvoicesResponse,
} from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { FREQUENCIES } from '../../recurring/frequency'
import { toEntry } from '../../recurring-store/recurring-message'
import { listRecurring } from '../../recurring-store/recurring-search-store'
import { checkPage } from '../request-check'

const STATUSES = ['ACTIVE', 'PAUSED', 'FINISHED', 'CANCELLED'] as const

export async function listRecurringInvoices(
  { pool }: Deps,
  request: ListRecurringInvoicesRequest,
): Promise<ListRecurringInvoicesResponse> {
  const { sellerId, page, size, after, statuses, document, orderReference } = request
  checkPage({ page, size })
  const filter = {
    sellerId,
    document,
    orderReference,
    statuses: STATUSES.filter((status) => statuses.includes(RecurringInvoiceStatus[status])),
    frequency: FREQUENCIES.find((each) => BillingFrequency[each] === request.frequency),
    created: { from: request.createdFrom, to: request.createdTo },
  }
  const { entries, ...end } = await listRecurring(pool, filter, { page, size, after })
  return { recurringInvoices: entries.map(toEntry), ...end }
}
