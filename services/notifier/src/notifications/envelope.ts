import { randomUUID } from 'node:crypto'
import { currentCall, newTraceparent } from '@cofre/platform/grpc/call-context'
import type { NewDelivery } from '../deliveries/delivery'
import type { Endpoint } from '../endpoints/endpoint'

/** An event that sellers are notified of, whichever receivers get it. */
export type Notification = Omit<NewDelivery, 'endpointId' | 'url' | 'body'> & {
  /** When it happened, epoch milliseconds. */
  createdAt: number
  /** The resource as it was right after the event, for receivers of the envelope. */
  data: object
  /** A sample that the seller asked for: nothing happened. */
  isTest?: true
  /** The URL that the request named, with the body that goes there: for charges the envelope itself. */
  plain?: { url: string; body: string }
}

/** The body that registered endpoints get, for events of every type. */
export function envelopeOf(notification: Notification): string {
  const { webhookId, eventType, createdAt, sellerId, sequence, resourceKind, resourceId, resourceUrl, data } =
    notification
  return JSON.stringify({
    id: webhookId,
    type: eventType,
    ...(notification.isTest ? { test: true } : {}),
    createdAt,
    sellerId,
    sequence,
    resource: { kind: resourceKind, id: shownId(resourceId), url: resourceUrl },
    data,
  })
}

/** An id as the API shows it: a number, or the text of a token. */
function shownId(id: string): number | string {
  return /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id
}

/** The deliveries that a notification calls for: to its own URL, and to each endpoint. */
export function deliveriesOf(notification: Notification, endpoints: readonly Endpoint[]): NewDelivery[] {
  const { plain, createdAt: _createdAt, data: _data, isTest: _isTest, ...common } = notification
  const body = endpoints.length > 0 ? envelopeOf(notification) : ''
  return [
    ...(plain ? [{ ...common, endpointId: null, url: plain.url, body: plain.body }] : []),
    ...endpoints.map(({ id, url }) => ({ ...common, endpointId: id, url, body })),
  ]
}

/** The notification about an endpoint itself, for that endpoint or for the seller's others. */
export function endpointNotification(
  eventType: 'test.ping' | 'endpoint.disabled',
  { id, sellerId, url }: Endpoint,
  { baseUrl, now }: { baseUrl: string; now: number },
): Notification {
  return {
    webhookId: `evt_${randomUUID().replaceAll('-', '')}`,
    sellerId,
    eventType,
    resourceKind: 'endpoint',
    resourceId: String(id),
    resourceUrl: `${baseUrl}/api/v2/webhooks/endpoints/${id}`,
    sequence: now,
    traceparent: currentCall()?.traceparent ?? newTraceparent(),
    createdAt: now,
    data: { id, url },
  }
}
