import { presentCharge } from '@cofre/api/charge'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { envelopeOf, type Notification } from './envelope'

/**
 * What is told of an event of a charge. Throws when the event can't be read. The webhook id follows from the event's: a
 * repeated event makes the same deliveries.
 */
export function chargeNotification(event: LogEvent, baseUrl: string): Notification {
  const { charge, sequence, occurredAt, notificationUrl } = ChargeEvent.fromJSON(JSON.parse(event.value))
  if (!charge || sequence < 1) throw new Error('the event has no charge or no sequence')
  const notification = {
    webhookId: `evt_${event.id.replaceAll('-', '')}`,
    sellerId: charge.sellerId,
    eventType: event.type,
    resourceKind: 'charge',
    resourceId: String(charge.id),
    resourceUrl: `${baseUrl}/api/v2/charges/${charge.id}`,
    sequence,
    traceparent: currentCall()?.traceparent ?? event.traceparent,
    createdAt: occurredAt,
    data: presentCharge(charge),
  }
  if (notificationUrl === '') return notification
  return { ...notification, plain: { url: new URL(notificationUrl).href, body: envelopeOf(notification) } }
}
