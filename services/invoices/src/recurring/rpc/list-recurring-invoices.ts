import { statusNames } from '@cofre/platform/list-page'
import {
  RecurringInvoiceStatus,
  type ListRecurringInvoicesRequest,
  type ListRecurringInvoicesResponse,
} from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { toListed } from '../store/recurring-message'
import { listRecurring } from '../store/recurring-search-store'
import { checkPage, throwFaults } from '../../request-check'
import { frequencyFaults, frequencyOf } from './recurring-request'

export async function listRecurringInvoices(
  { pool }: Deps,
  request: ListRecurringInvoicesRequest,
): Promise<ListRecurringInvoicesResponse> {
  const { sellerId, page, size, after, place, statuses, document, orderReference, frequency } = request
  checkPage({ page, size })
  if (frequency !== undefined) throwFaults(frequencyFaults(frequency))
  const filter = {
    sellerId,
    document,
    orderReference,
    statuses: statusNames(RecurringInvoiceStatus, statuses),
    frequency: frequency && frequencyOf(frequency),
    cardFails: request.cardFails,
    created: { from: request.createdFrom, to: request.createdTo },
  }
  const { entries, ...end } = await listRecurring(pool, filter, { page, size, after, place })
  return { recurringInvoices: entries.map(toListed), ...end }
}
