import { deliverySchema, presentDelivery } from '@cofre/api/delivery'
import { EVENT_PREFIXES, EVENT_TYPES } from '@cofre/api/events'
import { pageSchema } from '@cofre/api/page'
import {
  eventDetailSchema,
  eventSummarySchema,
  presentEventDetail,
  presentEventSummary,
} from '@cofre/api/webhooks/event-summary'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Delivery } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { AFTER, pageQuery, placeQuery, queryBound, queryNames, queryText } from '../fields/query-fields'

const PATH = '/api/v2/events'
const tag = 'Notifications'
const eventId = () => z.string().regex(/^evt_\w{1,100}$/)
const byId = z.object({ id: eventId() })

const listEvents = route({
  method: 'GET',
  path: PATH,
  scope: 'webhooks:read',
  operationId: 'listEvents',
  tag,
  summary: 'List events, newest first',
  description:
    'What happened, once for each event, whoever was notified of it. Cofre keeps an event for 30 days if an endpoint or a notificationUrl was to get it. `after` is the id of the last event that you have.',
  query: z.object({
    ...pageQuery,
    after: eventId().optional().meta({ description: AFTER }),
    ...placeQuery,
    type: queryNames(z.enum([...EVENT_TYPES, ...EVENT_PREFIXES]))
      .optional()
      .meta({ description: 'Event types, by name or by prefix: `charge.captured`, `charge.*`.' }),
    resourceId: queryText()
      .optional()
      .meta({ description: 'Of any kind: with `type`, `invoice.*` and 77 are the events of invoice 77.' }),
    createdFrom: queryBound('from').optional(),
    createdTo: queryBound('to').optional(),
  }),
  responses: {
    200: { description: 'A page.', schema: pageSchema(eventSummarySchema, 'EventPage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query: { type = [], ...filters } }, { services: { notifier } }) =>
    callRpc(notifier, notifier.listEvents, { ...ABSENT, ...filters, sellerId, eventTypes: type }),
  present: ({ events, ...end }, view) =>
    answerPage(PATH, { items: events.map(presentEventSummary), ...end }, view),
})

const ABSENT = { after: undefined, resourceId: undefined, createdFrom: undefined, createdTo: undefined }

const getEvent = route({
  method: 'GET',
  path: `${PATH}/{id}`,
  scope: 'webhooks:read',
  operationId: 'getEvent',
  tag,
  summary: 'Read an event with its body and its deliveries',
  params: byId,
  responses: { 200: { description: 'The event, and where it was sent.', schema: eventDetailSchema } },
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRpc(notifier, notifier.getEvent, { sellerId, eventId: params.id }),
  present: (detail) => ({ status: 200, body: presentEventDetail(detail) }),
})

const resendEvent = route({
  method: 'POST',
  path: `${PATH}/{id}/resend`,
  scope: 'webhooks:write',
  operationId: 'resendEvent',
  tag,
  summary: 'Send an event to an endpoint again',
  description:
    'The endpoint gets the event under its webhook-id, also if it never got it, is not subscribed to the type, or is disabled. The retry schedule starts over.',
  params: byId,
  body: {
    kind: 'json',
    schema: z
      .object({ endpointId: z.int().min(1) })
      .meta({ id: 'EventResendRequest', examples: [{ endpointId: 3 }] }),
    required: true,
  },
  responses: { 202: { description: 'The delivery is queued.', schema: deliverySchema } },
  problems: ['REFERENCE_NOT_FOUND'],
  message: Delivery,
  handle: ({ sellerId, params, body: { endpointId } }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.resendEvent, { sellerId, eventId: params.id, endpointId }),
  present: (delivery) => ({ status: 202, body: presentDelivery(delivery) }),
})

export const eventRoutes = [listEvents, getEvent, resendEvent]
