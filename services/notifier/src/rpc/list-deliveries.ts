import { DomainError } from '@cofre/platform/errors'
import type { ListDeliveriesRequest, ListDeliveriesResponse } from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage, statusFrom } from '../deliveries/delivery-message'
import { findDeliveries } from '../deliveries/delivery-search-store'
import type { Deps } from '../deps'

const SIZE_MAX = 100

export async function listDeliveries(
  { pool }: Deps,
  { sellerId, statuses, page, size, after }: ListDeliveriesRequest,
): Promise<ListDeliveriesResponse> {
  if (size < 1 || size > SIZE_MAX || page < 0) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', `A page has 1 to ${SIZE_MAX} entries.`)
  }
  const wanted = statuses.flatMap((status) => statusFrom(status) ?? [])
  const { entries, ...end } = await findDeliveries(pool, { sellerId, statuses: wanted, page, size, after })
  return { deliveries: entries.map(deliveryMessage), ...end }
}
