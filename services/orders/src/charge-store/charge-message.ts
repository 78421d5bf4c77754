import { TOPICS } from '@cofre/api/events'
import { splitInstallments, sumOf } from '@cofre/platform/money'
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
  type PixPayment,
  type Transaction as TransactionMessage,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { authenticationOf, effectOf } from '../charge/authentication'
import { initiationOf } from '../charge/initiation'
import type { NewCharge } from '../charge/authorization'
import {
  allowedActions,
  type Attempt,
  type Charge,
  type Payment,
  type Pix,
  type Transaction,
} from '../charge/charge'
import type { Decline } from '../charge/decline'
import { failureWords } from '../charge/failure'
import type { Capabilities } from '../acquirer/capabilities'
import { newOrderNumber } from '../acquirer/order-number'
import { credentialOf } from '../kept-cards/credential'
import type { PaymentCard } from '../kept-cards/payment-cards'
import type { Decision } from '../charge/transition'

/**
 * The seller's order as one acquirer is sent it, with the cards chosen for its payments. `requestId`: the seller's
 * request, if it asks itself.
 */
export function fromRequest(
  request: AuthorizeOrderRequest,
  cards: readonly PaymentCard[],
  requestId: string | null,
  { acquirer, orderNumberLength }: Pick<Charge, 'acquirer'> & Pick<Capabilities, 'orderNumberLength'>,
): NewCharge {
  return {
    sellerId: request.sellerId,
    orderReference: request.orderReference ?? null,
    externalReference: request.externalReference ?? null,
    notificationUrl: request.notificationUrl ?? null,
    direct: request.capture,
    amount: request.amount,
    metadata: request.metadata ?? {},
    requestId,
    acquirer,
    payments: cards.map(({ card, keptAs }, index) => {
      const payment = request.payments[index]
      return {
        orderNumber: newOrderNumber(orderNumberLength),
        amount: payment?.amount ?? 0,
        installments: payment?.installments ?? 1,
        card,
        pix: null,
        paymentLimitDate: payment?.paymentLimitDate ?? null,
        dueDate: payment?.dueDate ?? null,
        ...initiationOf(request),
        exemptFromTestingGuard: request.exemptFromTestingGuard,
        credential: keptAs ? credentialOf(keptAs) : null,
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
    disputedAmount: sumOf(charge.payments.map(({ disputedAmount }) => disputedAmount)),
    capturedAmount: charge.capturedAmount,
    refundedAmount: charge.refundedAmount,
    payments: charge.payments.map(paymentMessage),
    metadata: charge.metadata,
    transactions: charge.transactions.map((one) => transactionMessage(charge, one)),
    externalReference: charge.externalReference ?? undefined,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
    requestId: charge.requestId ?? undefined,
    allowedActions: allowedActions(charge).map((action) => ACTIONS[action]),
  }
}

const ACTIONS = {
  capture: ChargeAction.CAPTURE,
  refund: ChargeAction.REFUND,
  cancel: ChargeAction.CANCEL,
  metadata: ChargeAction.METADATA,
} as const

function paymentMessage({ card, pix, reference, decline, ...payment }: Payment): PaymentMessage {
  return {
    amount: payment.amount,
    installments: payment.installments,
    installmentAmounts: splitInstallments(payment.capturedAmount || payment.amount, payment.installments),
    status: ChargeStatus[payment.status],
    card: card ?? undefined,
    credential: payment.credential ?? undefined,
    source: card ? CardSource[card.source] : CardSource.UNSPECIFIED,
    pix: pix ? pixMessage(pix) : undefined,
    acquirer: { ...reference, orderNumber: payment.orderNumber },
    decline: decline ? declineMessage(decline) : undefined,
    capturedAmount: payment.capturedAmount,
    refundedAmount: payment.refundedAmount,
    authentication: payment.authentication ? effectOf(payment.authentication, reference.eci) : undefined,
  }
}

function pixMessage({ copyAndPaste, expiresAt, payerName, payerDocument }: Pix): PixPayment {
  return {
    expiresAt,
    copyAndPaste: copyAndPaste ?? '',
    payerName: payerName ?? '',
    payerDocument: payerDocument ?? '',
  }
}

function declineMessage({ advice, adviceCode, ...decline }: Decline): DeclineMessage {
  return { ...decline, advice: DeclineAdvice[advice], adviceCode: adviceCode ?? '' }
}

function transactionMessage(charge: Charge, transaction: Transaction): TransactionMessage {
  const { id, type, status, amount, createdAt, position, reason, failure, cause } = transaction
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
    madeByAcquirer: cause === 'ACQUIRER',
    endToEndId: transaction.endToEndId ?? undefined,
    failure: failure ? { ...failure, message: failureWords(failure, transaction) } : undefined,
  }
}

/** How an authorization was sent: kept with it when the payment was sent again, else taken from the payment. */
function attemptOf({ payments }: Charge, { attempt, position }: Transaction): Attempt | undefined {
  const payment = payments[position]
  if (attempt || !payment?.card) return attempt ?? undefined
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
