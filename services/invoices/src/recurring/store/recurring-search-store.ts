import type { ListPage } from '@cofre/platform/list-page'
import { createdBetween, readList, type List, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Frequency } from '../rules/frequency'
import type { ListedRecurring, RecurringStatus } from '../rules/recurring-invoice'
import { cardFailsIs } from './failing-card-store'
import { BESIDE, recurringOf, type RecurringRow } from './recurring-store'

export type RecurringFilter = {
  sellerId: number
  /** Empty: any. */
  statuses: readonly RecurringStatus[]
  document: string | undefined
  orderReference: string | undefined
  frequency: Frequency | undefined
  /** A card of it fails or was given up. */
  cardFails: boolean | undefined
  /** Epoch milliseconds, inclusive. */
  created: { from: number | undefined; to: number | undefined }
}

const SELECT_LISTED = `SELECT row_to_json(t) AS row, ${BESIDE}, (
    SELECT coalesce(sum(i.quantity * i.unit_price), 0)::bigint FROM recurring_items i
    WHERE i.recurring_invoice_id = t.id AND i.cycle IS NULL) AS amount
  FROM recurring_invoices t`

/** A page of a seller's recurring invoices, newest first. Throws PAGE_TOO_DEEP. */
export async function listRecurring(
  pool: Pool,
  { sellerId, statuses, document, orderReference, frequency, cardFails, created }: RecurringFilter,
  request: ListRequest,
): Promise<ListPage<ListedRecurring>> {
  const conditions: List['conditions'] = [
    ['t.customer_document = $', document],
    ['t.order_reference = $', orderReference],
    ['t.frequency = $', frequency],
    [cardFailsIs(cardFails === true), cardFails === undefined ? undefined : sellerId],
    ...createdBetween(created.from, created.to),
  ]
  const list = { table: 'recurring_invoices', select: SELECT_LISTED, sellerId, conditions, statuses }
  const { entries, ...end } = await readList<RecurringRow & { amount: number }>(pool, list, request)
  return { entries: entries.map(({ amount, ...row }) => ({ ...recurringOf(row), amount })), ...end }
}
