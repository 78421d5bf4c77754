import { statusNames } from '@cofre/platform/list-page'
import {
  ChargeStatus,
  type ListChargesRequest,
  type ListChargesResponse,
} from '@cofre/proto/orders/v1/orders'
import { toMessage } from '../charge-store/charge-message'
import {
  exportCharges as exportFound,
  listCharges as findCharges,
  type ChargeFilter,
} from '../charge-store/charge-search-store'
import type { Deps } from '../deps'
import { fault, throwFaults } from '../charge/order-check'

const SIZE_MAX = 100
const EXPORTED_MAX = 500

export async function listCharges({ pool }: Deps, request: ListChargesRequest): Promise<ListChargesResponse> {
  const { page, size, after, place } = request
  checkSize(size, SIZE_MAX)
  if (page < 0) throwFaults([fault('#/page', 'MIN', 'must be at least 0')])
  const { entries, ...end } = await findCharges(pool, filterOf(request), { page, size, after, place })
  return { charges: entries.map(toMessage), ...end }
}

export async function exportCharges(
  { pool }: Deps,
  request: ListChargesRequest,
): Promise<ListChargesResponse> {
  const { size, after, place } = request
  checkSize(size, EXPORTED_MAX)
  const { entries, ...end } = await exportFound(pool, filterOf(request), { size, after, place })
  return { charges: entries.map(toMessage), ...end, total: 0, totalIsLowerBound: false }
}

function checkSize(size: number, most: number): void {
  if (size < 1 || size > most) throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${most}`)])
}

function filterOf({
  page: _page,
  size: _size,
  after: _after,
  place: _place,
  statuses,
  ...filter
}: ListChargesRequest): ChargeFilter {
  return { ...filter, statuses: statusNames(ChargeStatus, statuses) }
}
