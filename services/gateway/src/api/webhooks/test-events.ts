import { EVENT_TYPES } from '@cofre/api/events'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { SendTestEventResponse } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { route } from '../../http/route'
import { sampleEvent } from '../../docs/sample-events'

const requestSchema = z
  .object({
    type: z.enum(EVENT_TYPES).meta({ id: 'EventType' }),
    endpointId: z.int().min(1).optional().meta({
      description: 'Only this endpoint gets the event, even if it is disabled or not subscribed to the type.',
    }),
  })
  .meta({ id: 'TestEventRequest', examples: [{ type: 'charge.captured' }] })

const sentSchema = z
  .object({
    webhookId: z.string(),
    receivers: z.int().meta({ description: 'How many endpoints and listeners get the event.' }),
  })
  .meta({
    id: 'TestEventSent',
    examples: [{ webhookId: 'evt_test_0b6c4b3a5d8e4f7f9b1e2a3c4d5e6f70', receivers: 1 }],
  })

const sendTestEvent = route({
  method: 'POST',
  path: '/api/v2/webhooks/test-events',
  scope: 'webhooks:write',
  operationId: 'sendTestEvent',
  tag: 'Notifications',
  summary: 'Send a sample event',
  description:
    'The event is the example in this reference. Its ids (`0`, `TEST`) do not exist. Its `webhook-id` begins with `evt_test_`. Unlike a real event, it has the header `webhook-test: true` and `"test": true` in its body. Ignore such events in production. Enabled endpoints and listeners that subscribe to the type get it.',
  body: { kind: 'json', schema: requestSchema, required: true },
  responses: { 202: { description: 'The event is queued.', schema: sentSchema } },
  problems: ['REFERENCE_NOT_FOUND'],
  message: SendTestEventResponse,
  handle: ({ sellerId, body: { type, endpointId } }, { services: { notifier } }) => {
    const { kind, id, path, data } = sampleEvent(type)
    const resource = { resourceKind: kind, resourceId: id, resourcePath: path, data: JSON.stringify(data) }
    return callRepeatable(notifier, notifier.sendTestEvent, {
      sellerId,
      eventType: type,
      endpointId,
      ...resource,
    })
  },
  present: ({ webhookId, receivers }) => ({ status: 202, body: { webhookId, receivers } }),
})

export const testEventRoutes = [sendTestEvent]
