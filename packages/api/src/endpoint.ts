import { EndpointStatus, type Endpoint } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { enumNames, epochMs } from './schema'

const status = enumNames(EndpointStatus)

const EXAMPLE = {
  id: 3,
  url: 'https://shop.example.com/hooks',
  events: ['charge.captured', 'charge.refunded'],
  status: 'ENABLED',
  description: 'The shop, production',
  headerNames: ['x-api-key'],
  rateLimit: null,
  createdAt: 1_767_225_600_000,
} as const

/** A URL that receives a seller's events. */
export const endpointSchema = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Event types, by name or by prefix (`charge.*`). Null: all.' }),
    description: z.string().nullable(),
    headerNames: z
      .array(z.string())
      .meta({ description: 'The names of your own headers. No answer shows their values.' }),
    rateLimit: z
      .int()
      .nullable()
      .meta({ description: 'The maximum number of attempts per second. Null: no limit.' }),
    status: status.schema.meta({
      description:
        'DISABLED: it answered 410, or failed for five days. Its deliveries wait until you enable it.',
    }),
    createdAt: epochMs(),
  })
  .meta({ id: 'Endpoint', examples: [EXAMPLE] })

/** An endpoint with its secret, which is shown at its creation and never again. */
export const newEndpointSchema = endpointSchema
  .extend({ secret: z.string().meta({ description: 'Signs the deliveries to this endpoint.' }) })
  .meta({ id: 'NewEndpoint', examples: [{ ...EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }] })

export const recoveredSchema = z
  .object({
    deliveries: z.int().meta({ description: 'How many will be sent.' }),
  })
  .meta({ id: 'Recovered' })

export function presentEndpoint({
  id,
  url,
  events,
  status: state,
  createdAt,
  description,
  headerNames,
  rateLimit,
}: Endpoint): z.output<typeof endpointSchema> {
  return {
    id,
    url,
    events: events.length > 0 ? events : null,
    description: description === '' ? null : description,
    headerNames,
    rateLimit: rateLimit ?? null,
    status: status.nameOf(state),
    createdAt,
  }
}
