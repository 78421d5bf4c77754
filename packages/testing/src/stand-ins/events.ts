import { notFound } from '@cofre/platform/errors'
import {
  Delivery,
  DeliveryStatus,
  type Event,
  type EventRequest,
  type ListEventsRequest,
  type ResendEventRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Marks } from './marks'

type Kept = Delivery & { sellerId: number }

/** The events of the deliveries that a test gives the notifier. */
export function createEvents(marks: Marks, deliveries: Kept[]) {
  const ofEvent = ({ sellerId, eventId }: EventRequest) => {
    const found = deliveries.filter((each) => each.webhookId === eventId && each.sellerId === sellerId)
    if (found.length === 0) throw notFound('There is no such event.')
    return found
  }
  return {
    listEvents: async (request: ListEventsRequest) => {
      const found = deliveries.filter((each) => isOf(each, request))
      const ids = [...new Set(found.map(({ webhookId }) => webhookId))]
      const [from, to] = [request.page * request.size, (request.page + 1) * request.size]
      return {
        events: ids.slice(from, to).map((id) => eventOf(deliveries, id)),
        total: ids.length,
        totalIsLowerBound: false,
        more: ids.length > to,
      }
    },
    getEvent: async (request: EventRequest) => {
      const found = ofEvent(request)
      return {
        event: eventOf(deliveries, request.eventId),
        body: `{"id":"${request.eventId}"}`,
        deliveries: found,
      }
    },
    resendEvent: async ({ endpointId, ...request }: ResendEventRequest) =>
      marks.once(request.sellerId, Delivery, () => {
        const [first] = ofEvent(request)
        if (!first) throw new Error('an event has a delivery')
        const sent = { ...first, id: first.id + 1_000, endpointId, status: DeliveryStatus.PENDING }
        deliveries.push(sent)
        return sent
      }),
  }
}

function isOf(
  { sellerId, eventType, resourceId, createdAt }: Kept,
  { eventTypes, createdFrom = createdAt, createdTo = createdAt, ...asked }: ListEventsRequest,
): boolean {
  const isType = (filter: string) => `${eventType}.`.startsWith(filter.replace(/\*?$/, ''))
  return (
    sellerId === asked.sellerId &&
    (eventTypes.length === 0 || eventTypes.some(isType)) &&
    (asked.resourceId === undefined || resourceId === asked.resourceId) &&
    createdAt >= createdFrom &&
    createdAt <= createdTo
  )
}

function eventOf(deliveries: readonly Kept[], id: string): Event {
  const of = deliveries.filter(({ webhookId }) => webhookId === id)
  const { eventType, resourceKind, resourceId, createdAt } = of[0] ?? Delivery.fromPartial({})
  const counted = (status: DeliveryStatus) => of.filter((each) => each.status === status).length
  return {
    id,
    eventType,
    resourceKind,
    resourceId,
    createdAt,
    pending: counted(DeliveryStatus.PENDING),
    delivered: counted(DeliveryStatus.DELIVERED),
    failed: counted(DeliveryStatus.FAILED),
  }
}
