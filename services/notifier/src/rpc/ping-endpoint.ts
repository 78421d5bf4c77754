import { withIdempotency } from '@cofre/platform/idempotency'
import { Delivery, type EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage } from '../delivery-message'
import { readDeliveryOf } from '../delivery-search-store'
import { insertDelivery } from '../delivery-store'
import type { Deps } from '../deps'
import { lockEndpoint } from '../endpoint-store'
import { deliveriesOf, endpointNotification } from '../envelope'

export function pingEndpoint(
  { pool, baseUrl }: Deps,
  { sellerId, endpointId }: EndpointRequest,
): Promise<Delivery> {
  return withIdempotency(pool, sellerId, Delivery, async (tx) => {
    const endpoint = await lockEndpoint(tx, sellerId, endpointId)
    const ping = endpointNotification('test.ping', endpoint, { baseUrl, now: Date.now() })
    for (const delivery of deliveriesOf(ping, [endpoint])) await insertDelivery(tx, delivery)
    return deliveryMessage(await readDeliveryOf(tx, ping.webhookId, endpoint.id))
  })
}
