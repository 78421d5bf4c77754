import {
  deliveryDetailSchema,
  deliverySchema,
  deliveryStatus,
  presentDelivery,
  presentDeliveryDetail,
} from '@cofre/api/delivery'
import { ENDPOINT_EVENTS, EVENT_PREFIXES, EVENT_TYPES, resourceKindOf } from '@cofre/api/events'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Delivery } from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { withRule } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import {
  afterQuery,
  pageQuery,
  queryBound,
  queryInteger,
  queryNames,
  queryText,
} from '../fields/query-fields'

const PATH = '/api/v2/webhooks/deliveries'
const tag = 'Notifications'
const byId = z.object({ id: pathId })

const RESOURCE_KINDS = [...new Set(ENDPOINT_EVENTS.map(resourceKindOf))]

/** Requires the parameter `missing` when the parameter `given` is present. */
function bothOrNeither<Schema extends z.ZodObject>(schema: Schema, given: string, missing: string): Schema {
  const detail = `must be given with ${given}`
  return withRule(schema, {
    code: 'REQUIRED',
    detail,
    path: [missing],
    holds: (query) => query[given] === undefined || query[missing] !== undefined,
  })
}

const listFilters = z.object({
  ...pageQuery,
  after: afterQuery.after,
  status: queryNames(deliveryStatus.schema).optional(),
  type: queryNames(z.enum([...EVENT_TYPES, ...EVENT_PREFIXES]))
    .optional()
    .meta({ description: 'Event types, by name or by prefix: `charge.captured`, `charge.*`.' }),
  endpointId: queryInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  resourceKind: z.enum(RESOURCE_KINDS).optional().meta({ description: 'With `resourceId`: `charge`.' }),
  resourceId: queryText().optional().meta({ description: 'With `resourceKind`: `981`.' }),
  createdFrom: queryBound('from').optional(),
  createdTo: queryBound('to').optional(),
})
const deliveryQuery = bothOrNeither(
  bothOrNeither(listFilters, 'resourceKind', 'resourceId'),
  'resourceId',
  'resourceKind',
)

const absentFilters = {
  after: undefined,
  endpointId: undefined,
  resourceKind: undefined,
  resourceId: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}

const listDeliveries = route({
  method: 'GET',
  path: PATH,
  scope: 'webhooks:read',
  operationId: 'listDeliveries',
  tag,
  summary: 'List webhook deliveries, newest first',
  description: 'Deliveries are kept for 30 days.',
  query: deliveryQuery,
  responses: {
    200: { description: 'A page.', schema: pageSchema(deliverySchema, 'DeliveryPage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query: { status = [], type = [], ...filters } }, { services: { notifier } }) => {
    const statuses = status.map(deliveryStatus.valueOf)
    const request = { ...absentFilters, sellerId, statuses, eventTypes: type, ...filters }
    return callRpc(notifier, notifier.listDeliveries, request)
  },
  present: ({ deliveries, ...end }, view) =>
    answerPage(PATH, { items: deliveries.map(presentDelivery), ...end }, view),
})

const getDelivery = route({
  method: 'GET',
  path: `${PATH}/{id}`,
  scope: 'webhooks:read',
  operationId: 'getDelivery',
  tag,
  summary: 'Read a delivery with its body and attempts',
  params: byId,
  responses: { 200: { description: 'The current delivery.', schema: deliveryDetailSchema } },
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRpc(notifier, notifier.getDelivery, { sellerId, deliveryId: params.id }),
  present: (detail) => ({ status: 200, body: presentDeliveryDetail(detail) }),
})

const resendDelivery = route({
  method: 'POST',
  path: `${PATH}/{id}/resend`,
  scope: 'webhooks:write',
  operationId: 'resendDelivery',
  tag,
  summary: 'Send a delivery again',
  description:
    'Sends the same webhook-id and body. The retry schedule starts over. A delivery whose endpoint was deleted is 404.',
  params: byId,
  responses: { 202: { description: 'The delivery is queued.', schema: deliverySchema } },
  message: Delivery,
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.resendDelivery, { sellerId, deliveryId: params.id }),
  present: (delivery) => ({ status: 202, body: presentDelivery(delivery) }),
})

export const deliveryRoutes = [listDeliveries, getDelivery, resendDelivery]
