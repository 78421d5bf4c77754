import { epochMs } from '@cofre/api/schema'
import { z } from 'zod'
import { line } from '../fields/body-fields'
import { subscribedEvents } from '../fields/event-fields'
import { ownHeaders } from '../fields/header-fields'
import { isInMilliseconds, NOT_IN_MILLISECONDS } from '../fields/instant'

const URL_EXAMPLE = 'https://shop.example.com/hooks'

/** An endpoint, created or replaced as a whole. */
export const endpointRequestSchema = z
  .object({
    url: z.string().max(2048).meta({ format: 'uri' }),
    events: subscribedEvents().meta({
      description:
        'The event types that this endpoint gets, by name or by prefix: `charge.*`. Absent or empty: the endpoint gets all types, including ' +
        'types added later. `charge.capture_failed`, `charge.refund_failed` and `charge.void_failed` mean that a ' +
        'PENDING operation failed, on at least one card.',
    }),
    description: line().optional().meta({ description: 'A note for yourself.' }),
    headers: ownHeaders.optional(),
    rateLimit: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'The maximum number of attempts per second. Without it, there is no limit.' }),
  })
  .meta({
    id: 'EndpointRequest',
    examples: [
      {
        url: URL_EXAMPLE,
        events: ['charge.captured', 'invoice.*'],
        headers: { 'x-api-key': 'k1' },
        rateLimit: 20,
      },
      { url: URL_EXAMPLE },
    ],
  })

/** Failed deliveries from `since` on are sent again. */
export const recoverRequestSchema = z
  .object({ since: epochMs().refine(isInMilliseconds, NOT_IN_MILLISECONDS) })
  .meta({ id: 'RecoverRequest', examples: [{ since: 1_767_225_600_000 }] })
