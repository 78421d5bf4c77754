import { ENDPOINT_EVENTS } from '@cofre/api/events'
import { epochMs } from '@cofre/api/schema'
import { z } from 'zod'

const URL_EXAMPLE = 'https://shop.example.com/hooks'

/** A URL to be told at; it is replaced as a whole. */
export const endpointRequestSchema = z
  .object({
    url: z.string().max(2048).meta({ format: 'uri' }),
    events: z
      .array(z.enum(ENDPOINT_EVENTS))
      .min(1)
      .max(50)
      .transform((events) => [...new Set(events)])
      .optional()
      .meta({
        description:
          'The event types that this endpoint gets. Without it, the endpoint gets all types, including types ' +
          'added later. `charge.capture_failed`, `charge.refund_failed` and `charge.void_failed` mean that a ' +
          'PENDING operation failed, at least on one card.',
      }),
  })
  .meta({
    id: 'EndpointRequest',
    examples: [{ url: URL_EXAMPLE, events: ['charge.captured', 'charge.refunded'] }, { url: URL_EXAMPLE }],
  })

/** From when on failed deliveries are sent again. */
export const recoverRequestSchema = z
  .object({ since: epochMs() })
  .meta({ id: 'RecoverRequest', examples: [{ since: 1_767_225_600_000 }] })
