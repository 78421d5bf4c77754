import { isDay } from '@cofre/platform/calendar-day'
import { statusNames } from '@cofre/platform/list-page'
import {
  DisputeStatus,
  type ListDisputesRequest,
  type ListDisputesResponse,
} from '@cofre/proto/orders/v1/disputes'
import { fault, throwFaults } from '../charge/order-check'
import type { Deps } from '../deps'
import { toMessage } from '../dispute-store/dispute-message'
import { listDisputes as findDisputes } from '../dispute-store/dispute-search-store'

const SIZE_MAX = 100

export async function listDisputes(
  { pool }: Deps,
  request: ListDisputesRequest,
): Promise<ListDisputesResponse> {
  const { page, size, after, place, statuses, ...filter } = request
  const { respondByTo } = filter
  throwFaults([
    ...(size >= 1 && size <= SIZE_MAX ? [] : [fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)]),
    ...(page >= 0 ? [] : [fault('#/page', 'MIN', 'must be at least 0')]),
    ...(respondByTo === undefined || isDay(respondByTo)
      ? []
      : [fault('#/respondByTo', 'FORMAT', 'must be a day')]),
  ])
  const wanted = {
    sellerId: filter.sellerId,
    chargeId: filter.chargeId,
    openedFrom: filter.openedFrom,
    openedTo: filter.openedTo,
    respondByTo,
    statuses: statusNames(DisputeStatus, statuses),
  }
  const { entries, ...end } = await findDisputes(pool, wanted, { page, size, after, place })
  return { disputes: entries.map(toMessage), ...end }
}
