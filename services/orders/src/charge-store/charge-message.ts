import { TOPICS } from '@cofre/api/events'
import { splitInstallments } from '@cofre/platform/money'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import {
  ChargeAction,
  ChargeStatus,
  DeclineAdvice,
  TransactionStatus,
  TransactionType,
  type AuthorizeOrderRequest,
  type Charge as ChargeMessage,
  type Decline as DeclineMessage,
  type Payment as PaymentMessage,
  type Transaction as TransactionMessage,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { authenticationOf, effectOf } from '../charge/authentication'
import type { NewCharge } from '../charge/authorization'
import { allowedActions, type Attempt, type Charge, type Payment, type Transaction } from '../charge/charge'
import type { Decline } from '../charge/decline'
import { FAILURE_WORDS } from '../charge/failure'
import { newOrderNumber } from '../acquirer/order-number'
import type { PaymentCard } from '../kept-cards/payment-cards'
import type { Decision } from '../charge/transition'

/** The seller's order, with the cards chosen for its payments. */
export function fromRequest(request: AuthorizeOrderRequest, cards: readonly PaymentCard[]): NewCharge {
  return {
    sellerId: request.sellerId,
    orderReference: request.orderReference ?? null,
    externalReference: request.externalReference ?? null,
    notificationUrl: request.notificationUrl ?? null,
    direct: request.capture,
    amount: request.amount,
    metadata: request.metadata ?? {},
    payments: cards.map(({ card }, index) => {
      const payment = request.payments[index]
      return {
        orderNumber: newOrderNumber(),
        amount: payment?.amount ?? 0,
        installments: payment?.installments ?? 1,
        card,
        paymentLimitDate: payment?.paymentLimitDate ?? null,
        dueDate: payment?.dueDate ?? null,
        merchantInitiated: request.merchantInitiated,
        authentication: payment ? authenticationOf(payment) : null,
      }
    }),
  }
}

export function toMessage(charge: Charge): ChargeMessage {
  return {
    id: charge.id,
    sellerId: charge.sellerId,
    orderReference: charge.orderReference ?? undefined,
    status: ChargeStatus[charge.status],
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
    allowedActions: allowedActions(charge).map((action) => ACTIONS[action]),
  }
}

const ACTIONS = {
  capture: ChargeAction.CAPTURE,
  refund: ChargeAction.REFUND,
  metadata: ChargeAction.METADATA,
} as const

function paymentMessage({ card, reference, decline, ...payment }: Payment): PaymentMessage {
  const { source, ...summary } = card
  return {
    amount: payment.amount,
    installments: payment.installments,
    installmentAmounts: splitInstallments(payment.capturedAmount || payment.amount, payment.installments),
    status: ChargeStatus[payment.status],
    card: summary,
    source: CardSource[source],
    acquirer: { ...reference, orderNumber: payment.orderNumber },
    decline: decline ? declineMessage(decline) : undefined,
    capturedAmount: payment.capturedAmount,
    refundedAmount: payment.refundedAmount,
    authentication: payment.authentication ? effectOf(payment.authentication, reference.eci) : undefined,
  }
}

function declineMessage({ advice, adviceCode, ...decline }: Decline): DeclineMessage {
  return { ...decline, advice: DeclineAdvice[advice], adviceCode: adviceCode ?? '' }
}

function transactionMessage(charge: Charge, transaction: Transaction): TransactionMessage {
  const { id, type, status, amount, createdAt, position, reason, failure } = transaction
  const attempt = type === 'AUTHORIZATION' ? attemptOf(charge, transaction) : undefined
  return {
    id,
    type: TransactionType[type],
    status: TransactionStatus[status],
    amount,
    createdAt,
    source: attempt ? CardSource[attempt.source] : CardSource.UNSPECIFIED,
    orderNumber: attempt?.orderNumber ?? '',
    returnCode: attempt?.returnCode ?? '',
    payment: position,
    reason: reason ?? undefined,
    failure: failure ? { ...failure, message: FAILURE_WORDS[failure.code] } : undefined,
  }
}

/** How an authorization was sent: kept with it when the payment was sent again, else taken from the payment. */
function attemptOf({ payments }: Charge, { attempt, position }: Transaction): Attempt | undefined {
  const payment = payments[position]
  if (attempt || !payment) return attempt ?? undefined
  const { orderNumber, card, reference } = payment
  return { orderNumber, source: card.source, returnCode: reference.returnCode }
}

/** The events of a decision. Each carries `message`, the charge as it is after the decision. */
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
