import { TOPICS } from '@cofre/api/events'
import { splitInstallments } from '@cofre/platform/money'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import {
  ChargeStatus,
  DeclineAdvice,
  TransactionStatus,
  TransactionType,
  type Charge as ChargeMessage,
  type Payment as PaymentMessage,
  type Transaction as TransactionMessage,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import type { Attempt, Card, Charge, ChargeStatus as Status, Payment, Transaction } from '../charge/charge'
import type { Decision } from '../charge/transition'

const STATUS: Record<Status, ChargeStatus> = {
  pending: ChargeStatus.PENDING,
  authorized: ChargeStatus.AUTHORIZED,
  denied: ChargeStatus.DENIED,
  failed: ChargeStatus.FAILED,
  partially_captured: ChargeStatus.PARTIALLY_CAPTURED,
  captured: ChargeStatus.CAPTURED,
  voided: ChargeStatus.VOIDED,
  expired: ChargeStatus.EXPIRED,
  partially_refunded: ChargeStatus.PARTIALLY_REFUNDED,
  refunded: ChargeStatus.REFUNDED,
}

const SOURCE: Record<Card['source'], CardSource> = {
  card: CardSource.CARD,
  card_token: CardSource.CARD_TOKEN,
  network_token: CardSource.NETWORK_TOKEN,
}

const TYPE: Record<Transaction['type'], TransactionType> = {
  authorization: TransactionType.AUTHORIZATION,
  capture: TransactionType.CAPTURE,
  refund: TransactionType.REFUND,
  void: TransactionType.VOID,
}

const TRANSACTION_STATUS: Record<Transaction['status'], TransactionStatus> = {
  pending: TransactionStatus.PENDING,
  succeeded: TransactionStatus.SUCCEEDED,
  failed: TransactionStatus.FAILED,
}

/** Our name of a status of the contract; undefined for UNSPECIFIED. */
export function statusFrom(message: ChargeStatus): Status | undefined {
  return (Object.keys(STATUS) as Status[]).find((status) => STATUS[status] === message)
}

export function toMessage(charge: Charge): ChargeMessage {
  return {
    id: charge.id,
    sellerId: charge.sellerId,
    orderReference: charge.orderReference ?? undefined,
    status: STATUS[charge.status],
    amount: charge.amount,
    authorizedAmount: charge.authorizedAmount,
    capturedAmount: charge.capturedAmount,
    refundedAmount: charge.refundedAmount,
    payments: charge.payments.map(paymentMessage),
    metadata: charge.metadata,
    transactions: charge.transactions.map((one) => transactionMessage(charge, one)),
    externalReference: charge.externalReference ?? undefined,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
  }
}

function paymentMessage({ card, reference, decline, ...payment }: Payment): PaymentMessage {
  const { source, ...summary } = card
  return {
    amount: payment.amount,
    installments: payment.installments,
    installmentAmounts: splitInstallments(payment.amount, payment.installments),
    status: STATUS[payment.status],
    card: summary,
    source: SOURCE[source],
    acquirer: { ...reference, orderNumber: payment.orderNumber },
    decline: decline ? { ...decline, advice: DeclineAdvice[decline.advice] } : undefined,
  }
}

function transactionMessage(charge: Charge, transaction: Transaction): TransactionMessage {
  const { id, type, status, amount, createdAt } = transaction
  const attempt = type === 'authorization' ? attemptOf(charge, transaction) : undefined
  return {
    id,
    type: TYPE[type],
    status: TRANSACTION_STATUS[status],
    amount,
    createdAt,
    source: attempt ? SOURCE[attempt.source] : CardSource.UNSPECIFIED,
    orderNumber: attempt?.orderNumber ?? '',
    returnCode: attempt?.returnCode ?? '',
  }
}

/** What an authorization was sent with: noted with it when the payment was sent anew, else what the payment has. */
function attemptOf({ payments }: Charge, { attempt, position }: Transaction): Attempt | undefined {
  const payment = payments[position]
  if (attempt || !payment) return attempt ?? undefined
  const { orderNumber, card, reference } = payment
  return { orderNumber, source: card.source, returnCode: reference.returnCode }
}

/** The events of a decision, each with the charge as it is after it. `message`: that charge's. */
export function eventsOf({ before, charge, events }: Decision, message: ChargeMessage): DomainEvent[] {
  return events.map((type, index) => ({
    topic: TOPICS.orders,
    key: String(charge.id),
    type,
    sellerId: charge.sellerId,
    value: ChargeEvent.toJSON({
      charge: message,
      sequence: before.sequence + index + 1,
      occurredAt: charge.updatedAt,
      notificationUrl: charge.notificationUrl ?? '',
    }),
  }))
}
