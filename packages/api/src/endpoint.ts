import { EndpointStatus, type Endpoint, type EndpointHealth } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { enumNames, epochMs } from './schema'

const status = enumNames('EndpointStatus', EndpointStatus)

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

const HEALTH_EXAMPLE = { delivered: 940, failed: 2, pending: 0, medianMs: 84, isLowerBound: false } as const

/** An endpoint as reads show it. */
export const endpointReadSchema = endpointSchema
  .extend({
    health: z
      .object({
        delivered: z.int(),
        failed: z.int(),
        pending: z.int().meta({ description: 'Deliveries that wait for an attempt.' }),
        medianMs: z
          .int()
          .nullable()
          .meta({ description: 'The median time to an answer, in milliseconds. Null: there was none.' }),
        isLowerBound: z.boolean().meta({
          description: 'There are more deliveries than Cofre counts: each figure is at least this.',
        }),
      })
      .meta({
        id: 'EndpointHealth',
        description: 'The deliveries of the last 24 hours.',
        examples: [HEALTH_EXAMPLE],
      }),
  })
  .meta({ id: 'EndpointRead', examples: [{ ...EXAMPLE, health: HEALTH_EXAMPLE }] })

export type EndpointJson = z.output<typeof endpointSchema>
export type EndpointReadJson = z.output<typeof endpointReadSchema>

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

/** An endpoint without deliveries has no health. */
export function presentEndpointRead(
  endpoint: Endpoint,
  health: EndpointHealth | undefined,
): EndpointReadJson {
  const { delivered = 0, failed = 0, pending = 0, medianMs, isLowerBound = false } = health ?? {}
  return {
    ...presentEndpoint(endpoint),
    health: { delivered, failed, pending, medianMs: medianMs ?? null, isLowerBound },
  }
}
