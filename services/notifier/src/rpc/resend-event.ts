import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { Delivery, type ResendEventRequest } from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage } from '../deliveries/delivery-message'
import { makePendingAgain, readDeliveryOf, type SeenDelivery } from '../deliveries/delivery-search-store'
import { insertDeliveries } from '../deliveries/delivery-store'
import { deliveryTo, readMessage } from '../deliveries/event-store'
import { openApart } from '../deliveries/lane-store'
import type { Deps } from '../deps'
import type { Endpoint } from '../endpoints/endpoint'
import { lockNamed, notNamed } from '../endpoints/named-endpoint'
import type { NewDelivery } from '../deliveries/delivery'

/** Sends an event to an endpoint, also a disabled one: its delivery again, or one that it did not have. */
export function resendEvent(
  { pool }: Deps,
  { sellerId, eventId, endpointId }: ResendEventRequest,
): Promise<Replayable<Delivery>> {
  return withIdempotency(pool, sellerId, Delivery, async (tx) => {
    const message = await readMessage(tx, sellerId, eventId)
    const endpoint = await lockNamed(tx, sellerId, endpointId)
    const known = await deliveryTo(tx, eventId, endpointId)
    if (known !== undefined) return deliveryMessage(await makePendingAgain(tx, sellerId, known))
    return deliveryMessage(await addDelivery(tx, message, endpoint))
  })
}

/** Throws REFERENCE_NOT_FOUND for an event whose only message was made for the URL of a request. */
async function addDelivery(tx: Db, message: NewDelivery, endpoint: Endpoint): Promise<SeenDelivery> {
  if (message.endpointId === null && !isEnvelope(message)) {
    throw notNamed('gets other messages than the notificationUrl that this event was for')
  }
  await insertDeliveries(tx, [{ ...message, endpointId: endpoint.id, url: endpoint.url }])
  const delivery = await readDeliveryOf(tx, message.webhookId, endpoint.id)
  if (endpoint.status === 'DISABLED') await openApart(tx, { ...endpoint, endpoint }, delivery.id)
  return delivery
}

/** The notificationUrl of a charge gets what endpoints get; that of a token gets the token alone. */
function isEnvelope({ webhookId, body }: NewDelivery): boolean {
  const { id } = JSON.parse(body) as { id?: unknown }
  return id === webhookId
}
