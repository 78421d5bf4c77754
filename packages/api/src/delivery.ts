import { DeliveryStatus, type Delivery, type DeliveryDetail } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { enumNames, epochMs } from './schema'
import { NO_ANSWER_CODES, whyNoAnswer } from './webhooks/no-answer'

export const deliveryStatus = enumNames('DeliveryStatus', DeliveryStatus)

/** The resource of an event. Tokens have a text for their id. */
export const eventResourceSchema = z
  .object({ kind: z.string(), id: z.union([z.int(), z.string()]).meta({ id: 'ResourceId' }) })
  .meta({ id: 'EventResource' })

const EXAMPLE = {
  id: 512,
  webhookId: 'evt_0b6c4b3a5d8e4f7f9b1e2a3c4d5e6f70',
  eventType: 'charge.captured',
  resource: { kind: 'charge', id: 981 },
  endpointId: null,
  url: 'https://shop.example.com/hooks',
  status: 'PENDING',
  attempts: 1,
  lastStatus: 500,
  nextAttemptAt: 1_767_225_605_000,
  createdAt: 1_767_225_600_000,
} as const

/** A delivery as an entry of a list: one event for one receiver. */
export const deliverySchema = z
  .object({
    id: z.int(),
    webhookId: z.string().meta({ description: 'The same in every attempt.' }),
    eventType: z.string(),
    resource: eventResourceSchema,
    endpointId: z.int().nullable().meta({ description: 'Null: to the notificationUrl of the request.' }),
    url: z.string(),
    status: deliveryStatus.schema,
    attempts: z.int(),
    lastStatus: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status that your server answered last. Null: it did not answer.' }),
    nextAttemptAt: epochMs().nullable().meta({
      description:
        'Epoch milliseconds. Null: the delivery is over, or waits for an earlier event of its resource.',
    }),
    createdAt: epochMs(),
  })
  .meta({ id: 'Delivery', examples: [EXAMPLE] })

const attemptSchema = z
  .object({
    number: z.int(),
    at: epochMs(),
    durationMs: z.int(),
    status: z.int().nullable(),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why there is no answer, in words.', examples: [whyNoAnswer('timeout').error] }),
    errorCode: z
      .enum(NO_ANSWER_CODES)
      .nullable()
      .meta({
        description: 'Why there is no answer. The page /docs/webhooks lists all codes with their words.',
        examples: ['TIMEOUT'],
      }),
    response: z.string().nullable().meta({
      description:
        'The start of your server’s answer, with long numbers masked. Null: no answer, or an unknown one.',
    }),
  })
  .meta({ id: 'DeliveryAttempt' })

/** A delivery that is read alone, with its body and its attempts. */
export const deliveryDetailSchema = deliverySchema
  .extend({
    body: z.string().meta({ description: 'The request body, exactly as Cofre sends it.' }),
    attemptHistory: z.array(attemptSchema).meta({ description: 'Oldest first.' }),
  })
  .meta({
    id: 'DeliveryDetail',
    examples: [
      {
        ...EXAMPLE,
        body: '{"id":"evt_0b6c4b3a5d8e4f7f9b1e2a3c4d5e6f70","type":"charge.captured", …}',
        attemptHistory: [
          {
            number: 1,
            at: 1_767_225_600_100,
            durationMs: 84,
            status: 500,
            error: null,
            errorCode: null,
            response: 'Internal Server Error',
          },
        ],
      },
    ],
  })

export type DeliveryJson = z.output<typeof deliverySchema>
export type DeliveryDetailJson = z.output<typeof deliveryDetailSchema>

/** A resource as the API names it. */
export function resourceOf({
  resourceKind: kind,
  resourceId,
}: Pick<Delivery, 'resourceKind' | 'resourceId'>): z.output<typeof eventResourceSchema> {
  return { kind, id: /^(0|[1-9]\d{0,14})$/.test(resourceId) ? Number(resourceId) : resourceId }
}

export function presentDelivery(delivery: Delivery): z.output<typeof deliverySchema> {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventType: delivery.eventType,
    resource: resourceOf(delivery),
    endpointId: delivery.endpointId ?? null,
    url: delivery.url,
    status: deliveryStatus.nameOf(delivery.status),
    attempts: delivery.attempts,
    lastStatus: delivery.lastStatus ?? null,
    nextAttemptAt: delivery.nextAttemptAt ?? null,
    createdAt: delivery.createdAt,
  }
}

export function presentDeliveryDetail({
  delivery,
  body,
  attempts,
}: DeliveryDetail): z.output<typeof deliveryDetailSchema> {
  if (!delivery) throw new Error('a delivery was answered without itself')
  return {
    ...presentDelivery(delivery),
    body,
    attemptHistory: attempts.map(({ status, error, response, ...attempt }) => ({
      ...attempt,
      status: status ?? null,
      ...(error === undefined ? { error: null, errorCode: null } : whyNoAnswer(error)),
      response: response ?? null,
    })),
  }
}
