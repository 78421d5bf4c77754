import { DomainError } from '@cofre/platform/errors'
import {
  Charge,
  ChargeStatus,
  Transaction,
  TransactionStatus,
  TransactionType,
  type AuthorizeOrderRequest,
  type ListChargesRequest,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'

/** A page, newest first. Charges of one time keep the order in which they were made. */
export function pageOf(charges: Charge[], request: ListChargesRequest) {
  const { sellerId, statuses, orderReference, page, size } = request
  const found = charges
    .filter((one) => one.sellerId === sellerId)
    .filter((one) => statuses.length === 0 || statuses.includes(one.status))
    .filter((one) => orderReference === undefined || one.orderReference === orderReference)
    .sort((one, other) => other.createdAt - one.createdAt)
  const [from, to] = [page * size, (page + 1) * size]
  return {
    charges: found.slice(from, to),
    total: found.length,
    totalIsLowerBound: false,
    more: found.length > to,
  }
}

export function newCharge(id: number, request: AuthorizeOrderRequest): Charge {
  const { amount, capture, metadata, orderReference, externalReference, sellerId } = request
  // When an amount ends in 99, the acquirer has not answered the outcome.
  const unknown = amount % 100 === 99
  const done = capture ? ChargeStatus.CAPTURED : ChargeStatus.AUTHORIZED
  const status = unknown ? ChargeStatus.PENDING : done
  const transaction = unknown ? TransactionStatus.PENDING : TransactionStatus.SUCCEEDED
  return Charge.fromPartial({
    id,
    sellerId,
    orderReference,
    status,
    amount,
    authorizedAmount: unknown ? 0 : amount,
    capturedAmount: capture && !unknown ? amount : 0,
    payments: request.payments.map((payment) => ({
      amount: payment.amount,
      installments: payment.installments,
      installmentAmounts: [payment.amount],
      status,
      card: payment.card?.card,
      source: payment.card?.source ?? CardSource.NETWORK_TOKEN,
      acquirer: { orderNumber: 'A1' },
    })),
    metadata,
    transactions: [
      {
        id: 1,
        type: TransactionType.AUTHORIZATION,
        status: transaction,
        amount,
        createdAt: 1_767_225_600_000,
      },
    ],
    externalReference,
    createdAt: 1_767_225_600_000,
    updatedAt: 1_767_225_600_000,
  })
}

export function withPendingRefund(charge: Charge, amount: number): Charge {
  const createdAt = 1_767_225_600_000
  const refund = Transaction.fromPartial({
    id: 2,
    type: TransactionType.REFUND,
    status: TransactionStatus.PENDING,
    amount,
    createdAt,
  })
  return { ...charge, transactions: [...charge.transactions, refund] }
}

export function exceeds(asked: number, left: number): DomainError {
  const errors = [{ pointer: '#/amount', code: 'MAX', detail: `must be at most ${left}` }]
  return new DomainError(
    'failed_precondition',
    'CAPTURE_EXCEEDS_AUTHORIZED',
    `${asked} requested, ${left} still capturable.`,
    { errors },
  )
}
