import { listenerEventsSchema, listenerSchema, presentListenerEvent } from '@cofre/api/webhooks/listener'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Listener } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { route } from '../../http/route'
import { subscribedEvents } from '../fields/event-fields'
import { pathId } from '../fields/path-fields'
import { queryInteger } from '../fields/query-fields'

const PATH = '/api/v2/webhooks/listeners'
const tag = 'Notifications'
const byId = z.object({ id: pathId })

const requestSchema = z
  .object({
    events: subscribedEvents().meta({
      description: 'Event types, by name or by prefix: `charge.*`. Without it, all.',
    }),
  })
  .meta({ id: 'ListenerRequest', examples: [{ events: ['charge.*'] }] })

const createListener = route({
  method: 'POST',
  path: PATH,
  scope: 'webhooks:write',
  operationId: 'createListener',
  tag,
  summary: 'Listen to events without a public URL',
  description:
    'For development: `cofrectl listen` uses it. From now on, Cofre keeps the events for the listener, each for a day and at most 10,000. Cofre removes a listener that nobody has read for a day. A seller can have five listeners.',
  body: { kind: 'json', schema: requestSchema, required: false },
  responses: {
    201: {
      description: 'The listener, with its signing secret. No other answer contains the secret.',
      schema: listenerSchema,
      headers: ['Location'],
    },
  },
  problems: ['LISTENER_LIMIT_REACHED'],
  message: Listener,
  handle: ({ sellerId, body: { events = [] } }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.createListener, { sellerId, events }),
  present: ({ id, events, secret, createdAt }, { baseUrl }) => ({
    status: 201,
    headers: { Location: `${baseUrl}${PATH}/${id}/events` },
    body: { id, events: events.length > 0 ? events : null, secret, createdAt },
  }),
})

const WAIT_MAX_SECONDS = 20

const readListener = route({
  method: 'GET',
  path: `${PATH}/{id}/events`,
  scope: 'webhooks:read',
  operationId: 'readListener',
  // It may wait as long as calls to other companies: such requests share half of the places.
  callsPartner: 'listeners',
  tag,
  summary: 'Read the events of a listener',
  description:
    'Answers when there is an event, or when `wait` is over. Send the `number` of your last event as `after`, and nothing is lost while you are away. Each event has its body and its Standard Webhooks headers, signed with the secret of the listener. A seller can have five requests waiting; Cofre answers further requests at once.',
  params: byId,
  query: z.object({
    after: queryInteger(0, Number.MAX_SAFE_INTEGER)
      .default(0)
      .meta({ default: 0, description: 'The `number` of the last event that you have.' }),
    size: queryInteger(1, 100).default(100).meta({ default: 100 }),
    wait: queryInteger(0, WAIT_MAX_SECONDS).default(0).meta({ default: 0, description: 'Seconds.' }),
  }),
  responses: { 200: { description: 'Events, in order.', schema: listenerEventsSchema } },
  handle: ({ sellerId, params, query: { after, size, wait } }, { services: { notifier } }) => {
    const waitMs = wait * 1_000
    return callRpc(notifier, notifier.readListener, { sellerId, listenerId: params.id, after, size, waitMs })
  },
  present: ({ events }) => ({ status: 200, body: { events: events.map(presentListenerEvent) } }),
})

const deleteListener = route({
  method: 'DELETE',
  path: `${PATH}/{id}`,
  scope: 'webhooks:write',
  operationId: 'deleteListener',
  tag,
  summary: 'Stop listening',
  params: byId,
  responses: { 204: { description: 'The listener and its events are removed.' } },
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRpc(notifier, notifier.deleteListener, { sellerId, listenerId: params.id }),
  present: () => ({ status: 204 }),
})

export const listenerRoutes = [createListener, readListener, deleteListener]
