import type { ListPage } from '@cofre/platform/list-page'
import { createdBetween, readList, type List, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Frequency } from '../rules/frequency'
import type { RecurringInvoice, RecurringStatus } from '../rules/recurring-invoice'
import { recurringOf, SELECT_RECURRING, type RecurringRow } from './recurring-store'

export type RecurringFilter = {
  sellerId: number
  /** Empty: any. */
  statuses: readonly RecurringStatus[]
  document: string | undefined
  orderReference: string | undefined
  frequency: Frequency | undefined
  /** Epoch milliseconds, inclusive. */
  created: { from: number | undefined; to: number | undefined }
}

/** A page of a seller's recurring invoices, newest first. Throws PAGE_TOO_DEEP. */
export async function listRecurring(
  pool: Pool,
  { sellerId, statuses, document, orderReference, frequency, created }: RecurringFilter,
  request: ListRequest,
): Promise<ListPage<RecurringInvoice>> {
  const conditions: List['conditions'] = [
    ['t.customer_document = $', document],
    ['t.order_reference = $', orderReference],
    ['t.frequency = $', frequency],
    ...createdBetween(created.from, created.to),
  ]
  const list = { table: 'recurring_invoices', select: SELECT_RECURRING, sellerId, conditions, statuses }
  const { entries, ...end } = await readList<RecurringRow>(pool, list, request)
  return { entries: entries.map(recurringOf), ...end }
}
