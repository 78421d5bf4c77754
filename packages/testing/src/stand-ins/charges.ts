import { DomainError } from '@cofre/platform/errors'
import { currentCall } from '@cofre/platform/grpc/call-context'
import {
  Charge,
  ChargeAction,
  ChargeStatus,
  Transaction,
  TransactionStatus,
  TransactionType,
  type AuthorizeOrderRequest,
  type ChargePixRequest,
  type ListChargesRequest,
  type Payment,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'

/** A page, newest first. Charges of one time keep the order in which they were made. */
export function pageOf(charges: Charge[], request: ListChargesRequest) {
  const { sellerId, statuses, orderReference, page, size } = request
  const found = charges
    .filter((one) => one.sellerId === sellerId)
    .filter((one) => statuses.length === 0 || statuses.includes(one.status))
    .filter((one) => orderReference === undefined || one.orderReference === orderReference)
    .filter((one) => request.amount === undefined || one.amount === request.amount)
    .filter((one) => hasPayment(one, request))
    .sort((one, other) => other.createdAt - one.createdAt)
  const [from, to] = [page * size, (page + 1) * size]
  return {
    charges: found.slice(from, to),
    total: found.length,
    totalIsLowerBound: false,
    more: found.length > to,
  }
}

/** True when one payment of a charge has each fact that a list asks for. */
function hasPayment({ payments }: Charge, request: ListChargesRequest): boolean {
  const asked = [
    [request.brand, ({ card }: Payment) => card?.brand],
    [request.lastFour, ({ card }: Payment) => card?.lastFour],
    [request.nsu, ({ acquirer }: Payment) => acquirer?.nsu],
    [request.tid, ({ acquirer }: Payment) => acquirer?.tid],
    [request.authorizationCode, ({ acquirer }: Payment) => acquirer?.authorizationCode],
    [request.endToEndId, ({ pix, acquirer }: Payment) => pix && acquirer?.paymentId],
  ] as const
  return asked.every(([value, of]) => value === undefined || payments.some((each) => of(each) === value))
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
    allowedActions: [ChargeAction.CAPTURE, ChargeAction.REFUND, ChargeAction.METADATA],
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
    requestId: currentCall()?.requestId,
    createdAt: 1_767_225_600_000,
    updatedAt: 1_767_225_600_000,
  })
}

/** A charge that waits for its Pix. */
export function newPixCharge(id: number, request: ChargePixRequest): Charge {
  const { amount, metadata, orderReference, externalReference, sellerId, expiresInSeconds } = request
  const createdAt = 1_767_225_600_000
  const authorization = { id: 1, type: TransactionType.AUTHORIZATION, amount, createdAt }
  return Charge.fromPartial({
    id,
    sellerId,
    orderReference,
    externalReference,
    metadata,
    status: ChargeStatus.PENDING,
    allowedActions: [ChargeAction.CANCEL, ChargeAction.METADATA],
    amount,
    payments: [
      {
        amount,
        installments: 1,
        installmentAmounts: [amount],
        status: ChargeStatus.PENDING,
        acquirer: { orderNumber: `ORDER${String(id).padStart(27, '2')}` },
        pix: {
          copyAndPaste: `code of ${id}`,
          expiresAt: createdAt + expiresInSeconds * 1_000,
        },
      },
    ],
    transactions: [{ ...authorization, status: TransactionStatus.PENDING }],
    requestId: currentCall()?.requestId,
    createdAt,
    updatedAt: createdAt,
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
