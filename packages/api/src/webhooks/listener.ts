import type { ListenerEvent } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { eventResourceSchema } from '../delivery'
import { epochMs } from '../schema'

/** A listener, which keeps events for a program that fetches them. */
export const listenerSchema = z
  .object({
    id: z.int(),
    events: z.array(z.string()).nullable().meta({ description: 'Null: all.' }),
    secret: z.string().meta({ description: 'Signs the events that this listener reads.' }),
    createdAt: epochMs(),
  })
  .meta({
    id: 'Listener',
    examples: [
      {
        id: 4,
        events: ['charge.*'],
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        createdAt: 1_767_225_600_000,
      },
    ],
  })

const eventSchema = z
  .object({
    number: z.int().meta({ description: 'Grows with each event of the listener.' }),
    webhookId: z.string(),
    type: z.string(),
    resource: eventResourceSchema,
    createdAt: epochMs(),
    headers: z.record(z.string(), z.string()).meta({ description: 'As an endpoint gets them.' }),
    body: z
      .string()
      .meta({ description: 'The bytes that the signature covers, exactly as an endpoint receives them.' }),
  })
  .meta({ id: 'ListenerEvent' })

/** The events that a read of a listener returns. */
export const listenerEventsSchema = z
  .object({ events: z.array(eventSchema) })
  .meta({ id: 'ListenerEvents', examples: [{ events: [] }] })

export function presentListenerEvent({
  eventType,
  resourceKind: kind,
  resourceId,
  ...same
}: ListenerEvent): z.output<typeof eventSchema> {
  const id = /^(0|[1-9]\d{0,14})$/.test(resourceId) ? Number(resourceId) : resourceId
  return {
    number: same.number,
    webhookId: same.webhookId,
    type: eventType,
    resource: { kind, id },
    createdAt: same.createdAt,
    headers: same.headers,
    body: same.body,
  }
}
