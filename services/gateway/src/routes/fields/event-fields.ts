import { ENDPOINT_EVENTS, EVENT_PREFIXES } from '@cofre/api/events'
import { z } from 'zod'

/** The event types of a subscription, by name or by prefix, each once. Absent: all. */
export function subscribedEvents() {
  return z
    .array(z.enum([...ENDPOINT_EVENTS, ...EVENT_PREFIXES]))
    .min(1)
    .max(50)
    .transform((events) => [...new Set(events)])
    .optional()
}
