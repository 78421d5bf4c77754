import { TOPICS } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { NetworkTokenEvent } from '@cofre/proto/networktoken/v1/events'
import { NetworkTokenStatus, type NetworkToken as Message } from '@cofre/proto/networktoken/v1/networktoken'
import type { Decision, NetworkToken } from './network-token'

export function toMessage(token: NetworkToken): Message {
  return {
    token: token.token,
    sellerId: token.sellerId,
    // Sellers see a suspended token as INACTIVE: like an ended one, it can't be charged.
    status: NetworkTokenStatus[token.status === 'SUSPENDED' ? 'INACTIVE' : token.status],
    card: token.card,
    reason: token.reason ?? '',
    createdAt: token.createdAt,
    updatedAt: token.updatedAt,
  }
}

/** The event of a decision, with the token as decided; the holder's name is left out. */
export function eventsOf({ token, event }: Decision, message: Message): DomainEvent[] {
  if (!event) return []
  const card = { ...token.card, holderName: '' }
  const value = NetworkTokenEvent.toJSON({
    token: { ...message, card },
    sequence: token.sequence,
    occurredAt: token.updatedAt,
    notificationUrl: token.notificationUrl,
  })
  return [{ topic: TOPICS['network-token'], key: token.token, type: event, sellerId: token.sellerId, value }]
}
