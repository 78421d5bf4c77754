import { eventTypesOf } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'
import { statusNames } from '@cofre/platform/list-page'
import {
  DeliveryStatus,
  type ListDeliveriesRequest,
  type ListDeliveriesResponse,
} from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage } from '../deliveries/delivery-message'
import { findDeliveries } from '../deliveries/delivery-list-store'
import type { Deps } from '../deps'

const SIZE_MAX = 100

export async function listDeliveries(
  { pool }: Deps,
  request: ListDeliveriesRequest,
): Promise<ListDeliveriesResponse> {
  const { sellerId, statuses, eventTypes, page, size, after, endpointId } = request
  checkPage(request)
  const { entries, ...end } = await findDeliveries(pool, {
    sellerId,
    statuses: statusNames(DeliveryStatus, statuses),
    types: eventTypes.length > 0 ? eventTypesOf(eventTypes) : undefined,
    endpointId,
    resource: resourceOf(request),
    createdFrom: dateOf(request.createdFrom),
    createdTo: dateOf(request.createdTo),
    page,
    size,
    after,
  })
  return { deliveries: entries.map(deliveryMessage), ...end }
}

/** Throws VALIDATION_FAILED for a page that no list has. */
export function checkPage({ page, size }: Pick<ListDeliveriesRequest, 'page' | 'size'>): void {
  if (size >= 1 && size <= SIZE_MAX && page >= 0) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', `A page has 1 to ${SIZE_MAX} entries.`)
}

/** Throws VALIDATION_FAILED for a kind or an id alone: neither names a resource. */
function resourceOf({ resourceKind: kind, resourceId: id }: ListDeliveriesRequest) {
  if (kind !== undefined && id !== undefined) return { kind, id }
  if (kind === undefined && id === undefined) return undefined
  const [pointer, given] =
    id === undefined ? ['#/resourceId', 'resourceKind'] : ['#/resourceKind', 'resourceId']
  const errors = [{ pointer, code: 'REQUIRED', detail: `must be given with ${given}` }]
  const message = 'A resource is named by its kind and its id.'
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', message, { errors })
}

export function dateOf(epochMs: number | undefined): Date | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs)
}
