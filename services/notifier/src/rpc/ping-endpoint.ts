import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Delivery, type EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage } from '../deliveries/delivery-message'
import { readDeliveryOf } from '../deliveries/delivery-search-store'
import { insertDeliveries } from '../deliveries/delivery-store'
import { openApart } from '../deliveries/lane-store'
import type { Deps } from '../deps'
import { lockEndpoint } from '../endpoints/endpoint-store'
import { deliveriesOf, endpointNotification } from '../notifications/envelope'

export function pingEndpoint(
  { pool, baseUrl }: Deps,
  { sellerId, endpointId }: EndpointRequest,
): Promise<Replayable<Delivery>> {
  return withIdempotency(pool, sellerId, Delivery, async (tx) => {
    const endpoint = await lockEndpoint(tx, sellerId, endpointId)
    const ping = endpointNotification('test.ping', endpoint, { baseUrl, now: Date.now() })
    await insertDeliveries(tx, deliveriesOf(ping, [endpoint]))
    const delivery = await readDeliveryOf(tx, ping.webhookId, endpoint.id)
    if (endpoint.status === 'DISABLED') await openApart(tx, { ...endpoint, endpoint }, delivery.id)
    return deliveryMessage(delivery)
  })
}
