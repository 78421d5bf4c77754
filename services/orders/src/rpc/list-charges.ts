import { statusNames } from '@cofre/platform/list-page'
import {
  ChargeStatus,
  type ListChargesRequest,
  type ListChargesResponse,
} from '@cofre/proto/orders/v1/orders'
import { toMessage } from '../charge-store/charge-message'
import { listCharges as findCharges } from '../charge-store/charge-search-store'
import type { Deps } from '../deps'
import { fault, throwFaults } from '../charge/order-check'

const SIZE_MAX = 100

export async function listCharges({ pool }: Deps, request: ListChargesRequest): Promise<ListChargesResponse> {
  const { page, size, after, statuses, ...filter } = request
  if (size < 1 || size > SIZE_MAX) throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)])
  if (page < 0) throwFaults([fault('#/page', 'MIN', 'must be at least 0')])
  const { entries, ...end } = await findCharges(
    pool,
    {
      sellerId: filter.sellerId,
      orderReference: filter.orderReference,
      externalReference: filter.externalReference,
      statuses: statusNames(ChargeStatus, statuses),
      createdFrom: filter.createdFrom,
      createdTo: filter.createdTo,
    },
    { page, size, after },
  )
  return { charges: entries.map(toMessage), ...end }
}
