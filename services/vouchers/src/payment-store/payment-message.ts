import { TOPICS } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { VoucherPaymentEvent } from '@cofre/proto/vouchers/v1/events'
import {
  VoucherCardType,
  VoucherPaymentStatus,
  type VoucherPayment as Message,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Payment } from '../payment/payment'
import type { Decision } from '../payment/transition'

/** A voucher is paid at once: no brand takes instalments. */
const INSTALLMENTS = 1

export function toMessage(payment: Payment): Message {
  return {
    id: payment.id,
    sellerId: payment.sellerId,
    referenceId: payment.referenceId ?? '',
    status: VoucherPaymentStatus[payment.status],
    amount: payment.amount,
    installments: INSTALLMENTS,
    cardType: VoucherCardType[payment.cardType],
    cardBrand: payment.brand,
    token: payment.token,
    lastFour: payment.lastFour,
    authorizationCode: payment.authorizationCode,
    decline: payment.decline ?? undefined,
    cancellationPending: payment.operation?.type === 'CANCELLATION',
    orderNumber: payment.orderNumber,
    pendingOperation: payment.operation?.type ?? '',
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
    cancelFailedAt: payment.cancelFailedAt ?? undefined,
    canceledByIssuer: payment.canceledByIssuer,
  }
}

/** Returns the events of a decision for the seller. */
export function eventsOf({ payment, event }: Decision, message: Message): DomainEvent[] {
  if (!event) return []
  const { sequence, updatedAt: occurredAt, sellerId } = payment
  const value = VoucherPaymentEvent.toJSON({ payment: message, sequence, occurredAt })
  return [{ topic: TOPICS['voucher-payments'], key: String(payment.id), type: event, sellerId, value }]
}
