import { DomainError, notFound } from '@cofre/platform/errors'
import {
  Delivery,
  DeliveryStatus,
  Endpoint,
  EndpointStatus,
  EndpointWithSecret,
  RecoverEndpointResponse,
  SigningSecret,
  type CreateEndpointRequest,
  type EndpointHealth,
  type EndpointHealthRequest,
  type EndpointRequest,
  type ListEndpointsRequest,
  type RecoverEndpointRequest,
  type ReplaceEndpointRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Marks } from './marks'

const MOST = 5

/** Registered endpoints as the notifier keeps them, in memory. */
export function createEndpoints(marks: Marks) {
  const endpoints: (Endpoint & { sellerId: number })[] = []
  const health = new Map<number, EndpointHealth>()
  let lastId = 0
  const find = ({ sellerId, endpointId }: EndpointRequest) => {
    const found = endpoints.find((each) => each.id === endpointId && each.sellerId === sellerId)
    if (!found) throw notFound('There is no such endpoint.')
    return found
  }
  const create = ({ sellerId, url, events, description, headers, rateLimit }: CreateEndpointRequest) => {
    if (endpoints.filter((each) => each.sellerId === sellerId).length === MOST)
      throw new DomainError('failed_precondition', 'ENDPOINT_LIMIT_REACHED', 'No more.')
    const id = (lastId += 1)
    const headerNames = Object.keys(headers?.values ?? {})
    const terms = { url, events, description, headerNames, rateLimit }
    const endpoint = { id, sellerId, ...terms, status: EndpointStatus.ENABLED, createdAt: id }
    endpoints.unshift(endpoint)
    return { endpoint, secret: `whsec_${id}` }
  }
  const ping = (request: EndpointRequest) =>
    Delivery.fromPartial({
      id: 7,
      eventType: 'test.ping',
      resourceKind: 'endpoint',
      resourceId: String(find(request).id),
      status: DeliveryStatus.PENDING,
    })
  const handlers = {
    createEndpoint: async (request: CreateEndpointRequest) =>
      marks.once(request.sellerId, EndpointWithSecret, () => create(request)),
    listEndpoints: async ({ sellerId, page, size }: ListEndpointsRequest) => {
      const found = endpoints.filter((each) => each.sellerId === sellerId)
      return { endpoints: found.slice(page * size, (page + 1) * size), total: found.length }
    },
    getEndpointHealth: async ({ sellerId, endpointIds }: EndpointHealthRequest) => ({
      endpoints: endpointIds.flatMap((endpointId) => health.get(find({ sellerId, endpointId }).id) ?? []),
    }),
    getEndpoint: async (request: EndpointRequest) => find(request),
    replaceEndpoint: async ({
      url,
      events,
      description,
      headers,
      rateLimit,
      ...of
    }: ReplaceEndpointRequest) =>
      marks.once(of.sellerId, Endpoint, () => {
        const found = find(of)
        const headerNames = headers ? Object.keys(headers.values) : found.headerNames
        return Object.assign(found, { url, events, description, headerNames, rateLimit })
      }),
    deleteEndpoint: async (request: EndpointRequest) => {
      const [removed] = endpoints.splice(endpoints.indexOf(find(request)), 1)
      return removed ?? find(request)
    },
    enableEndpoint: async (request: EndpointRequest) =>
      marks.once(request.sellerId, Endpoint, () =>
        Object.assign(find(request), { status: EndpointStatus.ENABLED }),
      ),
    rotateEndpointSecret: async (request: EndpointRequest) =>
      marks.once(request.sellerId, SigningSecret, () => ({ secret: `whsec_new_${find(request).id}` })),
    pingEndpoint: async (request: EndpointRequest) =>
      marks.once(request.sellerId, Delivery, () => ping(request)),
    recoverEndpoint: async (request: RecoverEndpointRequest) =>
      marks.once(request.sellerId, RecoverEndpointResponse, () => ({
        deliveries: find(request).id > 0 && request.since === 0 ? 3 : 0,
      })),
  }
  return { handlers, endpoints, health }
}
