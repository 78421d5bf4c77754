import { presentNetworkTokenNotification } from '@cofre/api/network-token'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { NetworkTokenEvent } from '@cofre/proto/networktoken/v1/events'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import type { Notification } from './envelope'

/** Specification 6.1; of what becomes of a token later, registered endpoints are told. */
const TOLD_AT_ITS_URL: readonly NetworkTokenStatus[] = [NetworkTokenStatus.ACTIVE, NetworkTokenStatus.FAILED]

/**
 * What is told of an event of a network token: to its own URL the fields of the token and nothing around them, as the
 * specification has it. Throws when the event can't be read.
 */
export function networkTokenNotification(event: LogEvent, baseUrl: string): Notification {
  const { token, sequence, occurredAt, notificationUrl } = NetworkTokenEvent.fromJSON(JSON.parse(event.value))
  if (!token || sequence < 1) throw new Error('the event has no token or no sequence')
  const data = presentNetworkTokenNotification(token)
  const isToldOf = TOLD_AT_ITS_URL.includes(token.status) && notificationUrl !== ''
  return {
    webhookId: `evt_${event.id.replaceAll('-', '')}`,
    sellerId: token.sellerId,
    eventType: event.type,
    resourceKind: 'network_token',
    resourceId: token.token,
    resourceUrl: `${baseUrl}/api/v2/cards/tokens/network/${token.token}`,
    sequence,
    traceparent: currentCall()?.traceparent ?? event.traceparent,
    createdAt: occurredAt,
    data,
    ...(isToldOf ? { plain: { url: new URL(notificationUrl).href, body: JSON.stringify(data) } } : {}),
  }
}
