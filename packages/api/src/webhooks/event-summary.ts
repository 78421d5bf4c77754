import type { Event, EventDetail } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { deliverySchema, eventResourceSchema, presentDelivery, resourceOf } from '../delivery'
import { epochMs } from '../schema'

const EXAMPLE = {
  id: 'evt_0b6c4b3a5d8e4f7f9b1e2a3c4d5e6f70',
  type: 'charge.captured',
  resource: { kind: 'charge', id: 981 },
  createdAt: 1_767_225_600_000,
  deliveryCounts: { pending: 0, delivered: 1, failed: 0 },
}

/** An event as an entry of a list. */
export const eventSummarySchema = z
  .object({
    id: z.string().meta({ description: 'The webhook-id of its deliveries.' }),
    type: z.string(),
    resource: eventResourceSchema,
    createdAt: epochMs(),
    deliveryCounts: z
      .object({ pending: z.int(), delivered: z.int(), failed: z.int() })
      .meta({ id: 'DeliveryCounts' }),
  })
  .meta({ id: 'EventSummary', examples: [EXAMPLE] })

/** An event that is read alone, with its body and its deliveries. */
export const eventDetailSchema = eventSummarySchema
  .extend({
    body: z.string().meta({
      description:
        'The request body, as Cofre sends it to endpoints. Of an event for a notificationUrl alone, as that gets it.',
    }),
    deliveries: z.array(deliverySchema).meta({ description: 'Oldest first, at most 200.' }),
  })
  .meta({
    id: 'EventDetail',
    examples: [
      {
        ...EXAMPLE,
        body: `{"id":"${EXAMPLE.id}","type":"charge.captured", …}`,
        deliveries: [
          {
            id: 512,
            webhookId: EXAMPLE.id,
            eventType: EXAMPLE.type,
            resource: EXAMPLE.resource,
            endpointId: 3,
            url: 'https://shop.example.com/hooks',
            status: 'DELIVERED',
            attempts: 1,
            lastStatus: 204,
            nextAttemptAt: null,
            createdAt: EXAMPLE.createdAt,
          },
        ],
      },
    ],
  })

export type EventSummaryJson = z.output<typeof eventSummarySchema>
export type EventDetailJson = z.output<typeof eventDetailSchema>

export function presentEventSummary(event: Event): EventSummaryJson {
  const { id, eventType: type, createdAt, pending, delivered, failed } = event
  return {
    id,
    type,
    resource: resourceOf(event),
    createdAt,
    deliveryCounts: { pending, delivered, failed },
  }
}

export function presentEventDetail({ event, body, deliveries }: EventDetail): EventDetailJson {
  if (!event) throw new Error('an event was answered without itself')
  return { ...presentEventSummary(event), body, deliveries: deliveries.map(presentDelivery) }
}
