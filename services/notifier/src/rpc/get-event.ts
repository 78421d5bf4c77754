import type { EventDetail, EventRequest } from '@cofre/proto/notifier/v1/notifier'
import { deliveryMessage } from '../deliveries/delivery-message'
import { eventMessage } from '../deliveries/event-message'
import { readEvent } from '../deliveries/event-store'
import type { Deps } from '../deps'

export async function getEvent({ pool }: Deps, { sellerId, eventId }: EventRequest): Promise<EventDetail> {
  const { event, body, deliveries } = await readEvent(pool, sellerId, eventId)
  return { event: eventMessage(event), body, deliveries: deliveries.map(deliveryMessage) }
}
