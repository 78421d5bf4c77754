import type { ListPage } from '@cofre/platform/list-page'
import { createdBetween, readList, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Charge } from '../charge/charge'
import { SELECT_CHARGE, storedCharge, type SelectedCharge } from './charge-store'

export type ChargeFilter = {
  sellerId: number
  orderReference: string | undefined
  externalReference: number | undefined
  /** Empty: any status. */
  statuses: string[]
  /** Epoch milliseconds, inclusive. */
  createdFrom: number | undefined
  createdTo: number | undefined
}

/** A page of a seller's charges, newest first. Throws PAGE_TOO_DEEP. */
export async function listCharges(
  pool: Pool,
  filter: ChargeFilter,
  request: ListRequest,
): Promise<ListPage<Charge>> {
  const { sellerId, statuses, orderReference, externalReference, createdFrom, createdTo } = filter
  const conditions = [
    ['t.order_reference = $', orderReference],
    ['t.external_reference = $', externalReference],
    ...createdBetween(createdFrom, createdTo),
  ] as const
  const list = { table: 'charges', select: SELECT_CHARGE, sellerId, conditions, statuses }
  const { entries, ...end } = await readList<SelectedCharge>(pool, list, request)
  return { entries: entries.map((row) => storedCharge(row).charge), ...end }
}
