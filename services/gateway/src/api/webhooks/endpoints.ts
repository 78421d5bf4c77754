import { presentDelivery, deliverySchema } from '@cofre/api/delivery'
import {
  endpointReadSchema,
  endpointSchema,
  newEndpointSchema,
  presentEndpoint,
  presentEndpointRead,
  recoveredSchema,
} from '@cofre/api/endpoint'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import {
  Delivery,
  Endpoint,
  EndpointWithSecret,
  RecoverEndpointResponse,
  SigningSecret,
} from '@cofre/proto/notifier/v1/notifier'
import { z } from 'zod'
import type { Services } from '../../clients'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { endpointRequestSchema, recoverRequestSchema } from './endpoint-request'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery } from '../fields/query-fields'
import { secretSchema } from './webhooks'

const PATH = '/api/v2/webhooks/endpoints'
const ONE = `${PATH}/{id}`
const tag = 'Notifications'
const byId = z.object({ id: pathId })
const terms = { kind: 'json', schema: endpointRequestSchema, required: true, urls: ['url'] } as const

/** Returns the terms of an endpoint for the notifier. */
function termsOf({
  url,
  events = [],
  description = '',
  headers,
  rateLimit,
}: z.output<typeof endpointRequestSchema>) {
  return { url, events, description, headers: headers && { values: headers }, rateLimit }
}

const createEndpoint = route({
  method: 'POST',
  path: PATH,
  scope: 'webhooks:write',
  operationId: 'createEndpoint',
  tag,
  summary: 'Register a webhook endpoint',
  description:
    'Deliveries to the endpoint are signed with its own secret. Only this answer contains the secret.',
  body: terms,
  responses: { 201: { description: 'Registered.', schema: newEndpointSchema, headers: ['Location'] } },
  problems: ['NOTIFICATION_URL_NOT_PUBLIC', 'ENDPOINT_LIMIT_REACHED'],
  message: EndpointWithSecret,
  handle: ({ sellerId, body }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.createEndpoint, { sellerId, ...termsOf(body) }),
  present: ({ endpoint, secret }, { baseUrl }) => {
    if (!endpoint) throw new Error('an endpoint was answered without itself')
    const headers = { Location: `${baseUrl}${PATH}/${endpoint.id}` }
    return { status: 201, headers, body: { ...presentEndpoint(endpoint), secret } }
  },
})

const listEndpoints = route({
  method: 'GET',
  path: PATH,
  scope: 'webhooks:read',
  operationId: 'listEndpoints',
  tag,
  summary: 'List endpoints, newest first',
  query: z.object({ ...pageQuery, after: afterQuery.after }),
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(endpointReadSchema, 'EndpointPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE'],
  handle: async ({ sellerId, query }, { services: { notifier } }) => {
    const { endpoints, ...end } = await callRpc(notifier, notifier.listEndpoints, { sellerId, ...query })
    return { ...(await withHealth(notifier, sellerId, endpoints)), end }
  },
  present: ({ endpoints, healthOf, end }, view) =>
    answerPage(
      PATH,
      { items: endpoints.map((each) => presentEndpointRead(each, healthOf.get(each.id))), ...end },
      view,
    ),
})

const getEndpoint = route({
  method: 'GET',
  path: ONE,
  scope: 'webhooks:read',
  operationId: 'getEndpoint',
  tag,
  summary: 'Read an endpoint',
  params: byId,
  responses: { 200: { description: 'The endpoint, without its secret.', schema: endpointReadSchema } },
  handle: async ({ sellerId, params: { id: endpointId } }, { services: { notifier } }) => {
    const endpoint = await callRpc(notifier, notifier.getEndpoint, { sellerId, endpointId })
    return { endpoint, ...(await withHealth(notifier, sellerId, [endpoint])) }
  },
  present: ({ endpoint, healthOf }) => ({
    status: 200,
    body: presentEndpointRead(endpoint, healthOf.get(endpoint.id)),
  }),
})

/** Asks for the health of all at once. */
async function withHealth(notifier: Services['notifier'], sellerId: number, endpoints: Endpoint[]) {
  const endpointIds = endpoints.map(({ id }) => id)
  const health = await callRpc(notifier, notifier.getEndpointHealth, { sellerId, endpointIds })
  return { endpoints, healthOf: new Map(health.endpoints.map((each) => [each.endpointId, each])) }
}

const replaceEndpoint = route({
  method: 'PUT',
  path: ONE,
  scope: 'webhooks:write',
  operationId: 'replaceEndpoint',
  tag,
  summary: 'Replace an endpoint',
  description:
    'Pending deliveries go to the new URL. The secret and the status do not change. Without `headers`, the endpoint keeps its headers. Every other field that the request leaves out is removed. You can send what a read or the creation answered: `id`, `status`, `headerNames`, `health`, `createdAt` and `secret` are ignored.',
  params: byId,
  body: { ...terms, readOnly: ['id', 'status', 'headerNames', 'health', 'createdAt', 'secret'] },
  responses: { 200: { description: 'Replaced.', schema: endpointSchema } },
  problems: ['NOTIFICATION_URL_NOT_PUBLIC'],
  message: Endpoint,
  handle: ({ sellerId, params, body }, { services: { notifier } }) => {
    const request = { sellerId, endpointId: params.id, ...termsOf(body) }
    return callRepeatable(notifier, notifier.replaceEndpoint, request)
  },
  present: (endpoint) => ({ status: 200, body: presentEndpoint(endpoint) }),
})

const deleteEndpoint = route({
  method: 'DELETE',
  path: ONE,
  scope: 'webhooks:write',
  operationId: 'deleteEndpoint',
  tag,
  summary: 'Delete a webhook endpoint',
  description: 'Pending deliveries to this endpoint fail.',
  params: byId,
  responses: { 204: { description: 'Removed.' } },
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRpc(notifier, notifier.deleteEndpoint, { sellerId, endpointId: params.id }),
  present: () => ({ status: 204 }),
})

const rotateEndpointSecret = route({
  method: 'POST',
  path: `${ONE}/rotate-secret`,
  scope: 'webhooks:write',
  operationId: 'rotateEndpointSecret',
  tag,
  summary: 'Rotate the signing secret of an endpoint',
  description:
    'For 24 hours, deliveries also carry a signature of the old secret. If the old secret leaked, verify with the new secret alone at once.',
  params: byId,
  responses: { 200: { description: 'The new secret.', schema: secretSchema } },
  message: SigningSecret,
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.rotateEndpointSecret, { sellerId, endpointId: params.id }),
  present: ({ secret }) => ({ status: 200, body: { secret } }),
})

const enableEndpoint = route({
  method: 'POST',
  path: `${ONE}/enable`,
  scope: 'webhooks:write',
  operationId: 'enableEndpoint',
  tag,
  summary: 'Enable a disabled endpoint',
  description:
    'Deliveries that waited while it was disabled are sent, in order. Failed deliveries are not sent again. To get those too, and each resource’s events in order, recover the endpoint first and enable it afterwards.',
  params: byId,
  responses: { 200: { description: 'Enabled.', schema: endpointSchema } },
  message: Endpoint,
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.enableEndpoint, { sellerId, endpointId: params.id }),
  present: (endpoint) => ({ status: 200, body: presentEndpoint(endpoint) }),
})

const pingEndpoint = route({
  method: 'POST',
  path: `${ONE}/ping`,
  scope: 'webhooks:write',
  operationId: 'pingEndpoint',
  tag,
  summary: 'Send a test event to an endpoint',
  params: byId,
  responses: { 202: { description: 'The delivery is queued.', schema: deliverySchema } },
  message: Delivery,
  handle: ({ sellerId, params }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.pingEndpoint, { sellerId, endpointId: params.id }),
  present: (delivery) => ({ status: 202, body: presentDelivery(delivery) }),
})

const recoverEndpoint = route({
  method: 'POST',
  path: `${ONE}/recover`,
  scope: 'webhooks:write',
  operationId: 'recoverEndpoint',
  tag,
  summary: 'Send everything that an endpoint missed',
  description:
    'Sends every delivery since then that failed or is waiting for a retry, at once and in order. The retry schedule of each delivery starts over. A disabled endpoint stays disabled. A later event of the same resource may have arrived before: compare `sequence`.',
  params: byId,
  body: { kind: 'json', schema: recoverRequestSchema, required: true },
  responses: { 202: { description: 'The deliveries are queued.', schema: recoveredSchema } },
  message: RecoverEndpointResponse,
  handle: ({ sellerId, params, body: { since } }, { services: { notifier } }) =>
    callRepeatable(notifier, notifier.recoverEndpoint, { sellerId, endpointId: params.id, since }),
  present: ({ deliveries }) => ({ status: 202, body: { deliveries } }),
})

export const endpointRoutes = [
  createEndpoint,
  listEndpoints,
  getEndpoint,
  replaceEndpoint,
  deleteEndpoint,
  rotateEndpointSecret,
  enableEndpoint,
  pingEndpoint,
  recoverEndpoint,
]
