import { TOPICS } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { VoucherTokenEvent } from '@cofre/proto/vouchers/v1/events'
import {
  VoucherCardType,
  VoucherTokenStatus,
  type VoucherToken as Message,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { VoucherToken } from './voucher-token'

export function toMessage(token: VoucherToken): Message {
  return {
    token: token.token,
    sellerId: token.sellerId,
    cardType: VoucherCardType[token.cardType],
    cardBrand: token.brand,
    lastFour: token.lastFour,
    status: VoucherTokenStatus[token.status],
    cardReference: '',
    reason: '',
    createdAt: token.createdAt,
    updatedAt: token.updatedAt,
  }
}

/** What sellers hear of a token that is ACTIVE now. */
export function activeEvent(token: VoucherToken): DomainEvent {
  const { sellerId, sequence, updatedAt: occurredAt } = token
  const value = VoucherTokenEvent.toJSON({
    token: toMessage(token),
    sequence,
    occurredAt,
    notificationUrl: '',
  })
  return { topic: TOPICS.vouchers, key: token.token, type: 'voucher_token.active', sellerId, value }
}
