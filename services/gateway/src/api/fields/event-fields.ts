import { ENDPOINT_EVENTS, EVENT_PREFIXES } from '@cofre/api/events'
import { z } from 'zod'

const eventFilterSchema = z
  .enum([...ENDPOINT_EVENTS, ...EVENT_PREFIXES])
  .meta({ id: 'EventFilter', description: 'An event type, or a prefix for all types of a kind.' })

/** The event types of a subscription, by name or by prefix, each once. Absent or empty: all. */
export function subscribedEvents() {
  return z
    .array(eventFilterSchema)
    .max(50)
    .transform((events) => (events.length === 0 ? undefined : [...new Set(events)]))
    .optional()
}
