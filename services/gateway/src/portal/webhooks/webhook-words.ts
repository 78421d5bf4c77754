import { presentDelivery } from '@cofre/api/delivery'
import { presentEndpoint } from '@cofre/api/endpoint'
import type { Delivery, Endpoint, EndpointHealth } from '@cofre/proto/notifier/v1/notifier'
import { formatExactTime, formatTime } from '../brazilian-format'
import type { Badge } from '../charge-words'

export const DELIVERY_BADGES: Record<ReturnType<typeof presentDelivery>['status'], Badge> = {
  PENDING: { text: 'Pending', mood: 'waiting' },
  DELIVERED: { text: 'Delivered', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
}

const ENDPOINT_BADGES: Record<ReturnType<typeof presentEndpoint>['status'], Badge> = {
  ENABLED: { text: 'Enabled', mood: 'good' },
  DISABLED: { text: 'Disabled', mood: 'bad' },
}

/** Why the receiver gave no answer, in words for a person. */
const ERRORS: Record<string, string> = {
  timeout: 'No answer in time',
  refused_address: 'The address is not public',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was cut',
  ENOTFOUND: 'The host name was not found',
}

/** Returns the outcome of an attempt: `HTTP 500`, or why there is no answer. */
export function answerWords(status: number | null | undefined, error: string | null | undefined): string {
  if (status != null) return `HTTP ${status}`
  return error ? (ERRORS[error] ?? error) : 'None yet'
}

/** Returns a delivery as a row of a list. */
export function deliveryRow(delivery: Delivery) {
  const { id, eventType, resource, endpointId, url, status, attempts, lastStatus, nextAttemptAt, createdAt } =
    presentDelivery(delivery)
  return {
    id,
    type: eventType,
    isTest: delivery.webhookId.startsWith('evt_test_'),
    resource: `${resource.kind} ${resource.id}`,
    endpointId,
    url,
    badge: DELIVERY_BADGES[status],
    attempts,
    answer: attempts === 0 ? '' : answerWords(lastStatus, lastStatus === null ? 'No answer' : null),
    created: formatExactTime(createdAt),
    next: nextAttemptAt === null ? '' : formatTime(nextAttemptAt),
  }
}

/** Returns an endpoint with its health over the last day. */
export function endpointRow(endpoint: Endpoint, health: EndpointHealth | undefined) {
  const { id, url, events, status, description, headerNames, rateLimit, createdAt } =
    presentEndpoint(endpoint)
  const count = (number = 0) => `${number}${health?.isLowerBound && number > 0 ? '+' : ''}`
  return {
    id,
    url,
    description,
    events: events ?? [],
    headerNames,
    rateLimit,
    created: formatTime(createdAt),
    badge: ENDPOINT_BADGES[status],
    isDisabled: status === 'DISABLED',
    delivered: count(health?.delivered),
    failed: count(health?.failed),
    hasFailed: (health?.failed ?? 0) > 0,
    pending: count(health?.pending),
    median: health?.medianMs === undefined ? '' : `${health.medianMs} ms`,
  }
}
