import { TOPICS } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { NetworkTokenEvent } from '@cofre/proto/networktoken/v1/events'
import { NetworkTokenStatus, type NetworkToken as Message } from '@cofre/proto/networktoken/v1/networktoken'
import type { Decision, NetworkToken, Status } from './network-token'

const STATUS: Record<Status, NetworkTokenStatus> = {
  pending: NetworkTokenStatus.PENDING,
  active: NetworkTokenStatus.ACTIVE,
  suspended: NetworkTokenStatus.INACTIVE,
  failed: NetworkTokenStatus.FAILED,
  inactive: NetworkTokenStatus.INACTIVE,
}

export function toMessage(token: NetworkToken): Message {
  return {
    token: token.token,
    sellerId: token.sellerId,
    status: STATUS[token.status],
    card: token.card,
    reason: token.reason ?? '',
    createdAt: token.createdAt,
    updatedAt: token.updatedAt,
  }
}

/** The event of a decision, with the token as it is after it; the holder's name stays here. */
export function eventsOf({ token, event }: Decision): DomainEvent[] {
  if (!event) return []
  const card = { ...token.card, holderName: '' }
  const value = NetworkTokenEvent.toJSON({
    token: { ...toMessage(token), card },
    sequence: token.sequence,
    occurredAt: token.updatedAt,
    notificationUrl: token.notificationUrl,
  })
  return [{ topic: TOPICS['network-token'], key: token.token, type: event, sellerId: token.sellerId, value }]
}
