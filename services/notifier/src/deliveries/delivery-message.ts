import { DeliveryStatus, type Delivery } from '@cofre/proto/notifier/v1/notifier'
import type { DeliveryStatus as Status, SeenDelivery } from './delivery-search-store'

const STATUSES: Record<Status, DeliveryStatus> = {
  PENDING: DeliveryStatus.PENDING,
  DELIVERED: DeliveryStatus.DELIVERED,
  FAILED: DeliveryStatus.FAILED,
}

export function deliveryMessage({
  endpointId,
  lastStatus,
  nextAttemptAt,
  createdAt,
  status,
  ...same
}: SeenDelivery): Delivery {
  return {
    ...same,
    status: STATUSES[status],
    endpointId: endpointId ?? undefined,
    lastStatus: lastStatus ?? undefined,
    nextAttemptAt: nextAttemptAt?.getTime(),
    createdAt: createdAt.getTime(),
  }
}
