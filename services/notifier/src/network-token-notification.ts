import { presentNetworkTokenNotification } from '@cofre/api/network-token'
import { currentCall } from '@cofre/platform/call-context'
import type { LogEvent } from '@cofre/platform/event-log'
import { NetworkTokenEvent } from '@cofre/proto/networktoken/v1/events'
import type { NewDelivery } from './delivery'

/**
 * The delivery that an event of a network token calls for: the fields of the token and nothing around them, as the
 * specification has it. Throws when the event can't be read.
 */
export function networkTokenNotification(event: LogEvent, baseUrl: string): NewDelivery | undefined {
  const { token, sequence, notificationUrl } = NetworkTokenEvent.fromJSON(JSON.parse(event.value))
  if (!token || sequence < 1) throw new Error('the event has no token or no sequence')
  if (notificationUrl === '') return undefined
  return {
    webhookId: `evt_${event.id.replaceAll('-', '')}`,
    endpointId: null,
    sellerId: token.sellerId,
    eventType: event.type,
    resourceKind: 'network_token',
    resourceId: token.token,
    resourceUrl: `${baseUrl}/api/v2/cards/tokens/network/${token.token}`,
    sequence,
    url: new URL(notificationUrl).href,
    body: JSON.stringify(presentNetworkTokenNotification(token)),
    traceparent: currentCall()?.traceparent ?? event.traceparent,
  }
}
