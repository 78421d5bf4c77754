import { TOPICS } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { VoucherTokenEvent } from '@cofre/proto/vouchers/v1/events'
import {
  VoucherCardType,
  VoucherTokenStatus,
  type VoucherToken as Message,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { TokenDecision, VoucherToken } from './voucher-token'

export function toMessage(token: VoucherToken): Message {
  return {
    token: token.token,
    sellerId: token.sellerId,
    cardType: VoucherCardType[token.cardType],
    cardBrand: token.brand,
    lastFour: token.lastFour,
    status: VoucherTokenStatus[token.status],
    cardReference: token.redirect?.cardReference ?? '',
    reason: token.reason ?? '',
    createdAt: token.createdAt,
    updatedAt: token.updatedAt,
  }
}

/** Returns the events of a decision for the seller. */
export function eventsOf({ token, event }: Pick<TokenDecision, 'token' | 'event'>): DomainEvent[] {
  if (!event) return []
  const { sellerId, sequence, updatedAt: occurredAt } = token
  const notificationUrl = token.redirect?.notificationUrl ?? ''
  const value = VoucherTokenEvent.toJSON({ token: toMessage(token), sequence, occurredAt, notificationUrl })
  return [{ topic: TOPICS.vouchers, key: token.token, type: event, sellerId, value }]
}
