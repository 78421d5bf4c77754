import { presentCharge } from '@cofre/api/charge'
import { currentCall } from '@cofre/platform/call-context'
import type { LogEvent } from '@cofre/platform/event-log'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import type { NewDelivery } from './delivery'

/**
 * The delivery that an event of a charge calls for; none when the seller asked for none. Throws when the event can't be
 * read. The webhook id follows from the event's: a repeated event makes the same delivery.
 */
export function chargeNotification(event: LogEvent, baseUrl: string): NewDelivery | undefined {
  const { charge, sequence, occurredAt, notificationUrl } = ChargeEvent.fromJSON(JSON.parse(event.value))
  if (!charge || sequence < 1) throw new Error('the event has no charge or no sequence')
  if (notificationUrl === '') return undefined
  const webhookId = `evt_${event.id.replaceAll('-', '')}`
  const resourceUrl = `${baseUrl}/api/v2/charges/${charge.id}`
  const body = {
    id: webhookId,
    type: event.type,
    createdAt: occurredAt,
    sellerId: charge.sellerId,
    sequence,
    resource: { kind: 'charge', id: charge.id, url: resourceUrl },
    data: presentCharge(charge),
  }
  return {
    webhookId,
    endpointId: null,
    sellerId: charge.sellerId,
    eventType: event.type,
    resourceKind: 'charge',
    resourceId: String(charge.id),
    resourceUrl,
    sequence,
    url: new URL(notificationUrl).href,
    body: JSON.stringify(body),
    traceparent: currentCall()?.traceparent ?? event.traceparent,
  }
}
