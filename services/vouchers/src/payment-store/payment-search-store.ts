import type { ListPage } from '@cofre/platform/list-page'
import type { Row } from '@cofre/platform/postgres/columns'
import { createdBetween, readList, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Payment } from '../payment/payment'
import { paymentOf, SELECT_PAYMENT } from './payment-store'

export type PaymentFilter = {
  sellerId: number
  referenceId: string | undefined
  /** Empty: any. */
  statuses: string[]
  brand: string | undefined
  token: string | undefined
  /** Epoch milliseconds, inclusive. */
  createdFrom: number | undefined
  createdTo: number | undefined
}

/** A page of a seller's payments, newest first. Throws PAGE_TOO_DEEP. */
export async function listPayments(
  pool: Pool,
  filter: PaymentFilter,
  request: ListRequest,
): Promise<ListPage<Payment>> {
  const { sellerId, statuses, referenceId, brand, token, createdFrom, createdTo } = filter
  const conditions = [
    ['t.reference_id = $', referenceId],
    ['t.brand = $', brand],
    ['t.token = $', token],
    ...createdBetween(createdFrom, createdTo),
  ] as const
  const list = { table: 'payments', select: SELECT_PAYMENT, sellerId, conditions, statuses }
  const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
  return { entries: entries.map(paymentOf), ...end }
}
