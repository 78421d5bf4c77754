import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Delivery, type DeliveryRequest } from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage } from '../deliveries/delivery-message'
import { makePendingAgain } from '../deliveries/delivery-search-store'
import type { Deps } from '../deps'

export function resendDelivery(
  { pool }: Deps,
  { sellerId, deliveryId }: DeliveryRequest,
): Promise<Replayable<Delivery>> {
  return withIdempotency(pool, sellerId, Delivery, async (tx) =>
    deliveryMessage(await makePendingAgain(tx, sellerId, deliveryId)),
  )
}
