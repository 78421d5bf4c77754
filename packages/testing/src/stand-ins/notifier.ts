import { notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn, type OnCall } from '../stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  Delivery,
  DeliveryStatus,
  NotifierService,
  SigningSecret,
  type DeliveryRequest,
  type GetSigningSecretRequest,
  type ListDeliveriesRequest,
} from '@cofre/proto/notifier/v1/notifier'
import { createMarks } from './marks'
import { createEndpoints } from './endpoints'
import { createEvents } from './events'
import { createListeners } from './listeners'

/** True when a request asks for a delivery. */
function matches(
  delivery: Delivery & { sellerId: number },
  { sellerId, statuses, eventTypes, endpointId, resourceKind, resourceId, ...made }: ListDeliveriesRequest,
): boolean {
  const { status, eventType, createdAt } = delivery
  return (
    delivery.sellerId === sellerId &&
    (statuses.length === 0 || statuses.includes(status)) &&
    (eventTypes.length === 0 ||
      eventTypes.some((filter) => `${eventType}.`.startsWith(filter.replace(/\*?$/, '')))) &&
    (endpointId === undefined || delivery.endpointId === endpointId) &&
    (resourceId === undefined ||
      `${delivery.resourceKind} ${delivery.resourceId}` === `${resourceKind} ${resourceId}`) &&
    createdAt >= (made.createdFrom ?? createdAt) &&
    createdAt <= (made.createdTo ?? createdAt)
  )
}

/** A signing secret for each seller, and the deliveries that a test gives it, in memory. */
export function createNotifier({ onCall }: { onCall?: OnCall } = {}) {
  const marks = createMarks()
  const deliveries: (Delivery & { sellerId: number })[] = []
  const secrets = new Map<number, string>()
  let made = 0
  const makeSecret = (sellerId: number) => {
    const secret = `whsec_${Buffer.from(`secret ${(made += 1)} of seller ${sellerId}`).toString('base64')}`
    secrets.set(sellerId, secret)
    return { secret }
  }
  const find = ({ sellerId, deliveryId }: DeliveryRequest) => {
    const found = deliveries.find((each) => each.id === deliveryId && each.sellerId === sellerId)
    if (!found) throw notFound('There is no such delivery.')
    return found
  }
  const { handlers: ofEndpoints, endpoints, health } = createEndpoints(marks)
  const {
    handlers: ofListeners,
    listeners,
    samples,
  } = createListeners(marks, (sellerId, id) =>
    endpoints.some((each) => each.id === id && each.sellerId === sellerId),
  )
  const handlers = {
    ...ofEndpoints,
    ...ofListeners,
    ...createEvents(marks, deliveries),
    getSigningSecret: async ({ sellerId }: GetSigningSecretRequest) => {
      const secret = secrets.get(sellerId)
      return secret === undefined ? makeSecret(sellerId) : { secret }
    },
    rotateSigningSecret: async ({ sellerId }: GetSigningSecretRequest) =>
      marks.once(sellerId, SigningSecret, () => makeSecret(sellerId)),
    listDeliveries: async (request: ListDeliveriesRequest) => {
      const { page, size } = request
      const found = deliveries.filter((each) => matches(each, request))
      const [from, to] = [page * size, (page + 1) * size]
      return {
        deliveries: found.slice(from, to),
        total: found.length,
        totalIsLowerBound: false,
        more: found.length > to,
      }
    },
    getDelivery: async (request: DeliveryRequest) => ({
      delivery: find(request),
      body: '{"id":"evt_1"}',
      attempts: [
        { number: 1, at: 1, durationMs: 15_000, status: undefined, error: 'timeout', response: undefined },
        { number: 2, at: 2, durationMs: 9, status: 500, error: undefined, response: 'sorry' },
      ],
    }),
    resendDelivery: async (request: DeliveryRequest) =>
      marks.once(request.sellerId, Delivery, () => {
        const found = find(request)
        found.status = DeliveryStatus.PENDING
        found.attempts += 1
        return found
      }),
  }
  const services = (log: Logger): ServedService[] => [
    standIn(log, NotifierService, handlers, { onCall }),
    marks.service(log),
  ]
  return { services, deliveries, endpoints, health, listeners, samples, secrets }
}
