import { DomainError, notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  Charge,
  ChargeStatus,
  OrdersService,
  TransactionStatus,
  TransactionType,
  type AuthorizeOrderRequest,
  type CaptureChargeRequest,
  type GetChargeRequest,
  type ListChargesRequest,
  type ReplaceMetadataRequest,
  Transaction,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import type { Marks } from './memory-marks'

/** As much of the orders service as the gateway's tests need. What it was asked is in `asked`. */
export function createSmallOrders(marks: Marks) {
  const charges = new Map<number, Charge>()
  const asked: { authorize: AuthorizeOrderRequest[]; list: ListChargesRequest[] } = {
    authorize: [],
    list: [],
  }
  /** Runs before each write: a test makes it refuse, fail or wait. */
  const hooks: { before: () => Promise<void> } = { before: async () => {} }
  const find = ({ sellerId, chargeId }: GetChargeRequest) => {
    const charge = charges.get(chargeId)
    if (charge?.sellerId !== sellerId) throw notFound()
    return charge
  }
  const write = (sellerId: number, change: () => Charge) =>
    marks.once(sellerId, Charge, async () => {
      await hooks.before()
      const charge = change()
      charges.set(charge.id, charge)
      return charge
    })
  const authorizeOrder = async (request: AuthorizeOrderRequest) => {
    asked.authorize.push(request)
    return write(request.sellerId, () => newCharge(charges.size + 1, request))
  }
  const captureCharge = async (request: CaptureChargeRequest) => {
    const charge = find(request)
    return write(request.sellerId, () => {
      const amount = request.amount ?? charge.amount
      if (amount > charge.authorizedAmount) throw exceeds(amount, charge.authorizedAmount)
      return { ...charge, status: ChargeStatus.CAPTURED, capturedAmount: amount }
    })
  }
  const service = (log: Logger): ServedService =>
    standIn(log, OrdersService, {
      authorizeOrder,
      captureCharge,
      refundCharge: async (request: CaptureChargeRequest) => {
        const charge = find(request)
        return write(request.sellerId, () => withPendingRefund(charge, request.amount ?? charge.amount))
      },
      getCharge: async (request: GetChargeRequest) => find(request),
      listCharges: async (request: ListChargesRequest) => {
        asked.list.push(request)
        const own = [...charges.values()].filter(({ sellerId }) => sellerId === request.sellerId)
        const from = request.page * request.size
        return { charges: own.slice(from, from + request.size), total: own.length }
      },
      replaceMetadata: async (request: ReplaceMetadataRequest) => {
        const charge = find(request)
        return write(request.sellerId, () => ({ ...charge, metadata: request.metadata }))
      },
    })
  return { service, asked, hooks }
}

function newCharge(id: number, request: AuthorizeOrderRequest): Charge {
  const { amount, capture, metadata, orderReference, externalReference, sellerId } = request
  // An amount that ends in 99 is one of which the acquirer has not told the outcome.
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

function withPendingRefund(charge: Charge, amount: number): Charge {
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

function exceeds(asked: number, left: number): DomainError {
  const errors = [{ pointer: '#/amount', code: 'MAX', detail: `must be at most ${left}` }]
  return new DomainError(
    'failed_precondition',
    'CAPTURE_EXCEEDS_AUTHORIZED',
    `${asked} requested, ${left} still capturable.`,
    { errors },
  )
}
