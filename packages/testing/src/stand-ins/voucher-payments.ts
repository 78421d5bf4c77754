import { DomainError, notFound } from '@cofre/platform/errors'
import {
  VoucherPayment,
  VoucherPaymentStatus,
  type CreatePaymentRequest,
  type GetPaymentRequest,
  type ListPaymentsRequest,
  type VoucherToken,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Marks } from './marks'
import type { Tokens } from './voucher-tokens'

const { PENDING, DENIED, PAID, CANCELED } = VoucherPaymentStatus
const MADE_AT = 1_767_225_600_000
const DECLINE = {
  code: 'INSUFFICIENT_FUNDS',
  issuerCode: '119',
  message: 'The card has not enough balance.',
  retryable: true,
  advice: 'TRY_LATER',
}

/** Voucher payments in memory. */
export function createPayments(marks: Marks, { findPayable }: Pick<Tokens, 'findPayable'>) {
  const payments = new Map<number, VoucherPayment>()
  const asked: { create: CreatePaymentRequest[]; list: ListPaymentsRequest[] } = { create: [], list: [] }
  /** Runs before each write: a test makes it refuse, fail or wait. */
  const hooks: { before: () => Promise<void> } = { before: async () => {} }
  const find = ({ sellerId, paymentId }: GetPaymentRequest) => {
    const found = payments.get(paymentId)
    if (found?.sellerId !== sellerId) throw notFound('There is no such voucher payment.')
    return found
  }
  const write = (sellerId: number, change: () => VoucherPayment) =>
    marks.once(sellerId, VoucherPayment, async () => {
      await hooks.before()
      const payment = change()
      payments.set(payment.id, payment)
      return payment
    })
  const cancel = (payment: VoucherPayment) => {
    // For 10.98, the issuer has not answered whether the payment was cancelled.
    if (payment.amount === 1_098) return { ...payment, cancellationPending: true }
    if (payment.status === PAID) return { ...payment, status: CANCELED }
    const members = { currentStatus: 'CANCELED', allowedActions: [] }
    throw new DomainError('failed_precondition', 'INVALID_VOUCHER_STATE', 'It is not PAID.', { members })
  }
  const answers = {
    createPayment: async (request: CreatePaymentRequest) => {
      asked.create.push(request)
      return write(request.sellerId, () => newPayment(payments.size + 1, request, findPayable(request)))
    },
    getPayment: async (request: GetPaymentRequest) => find(request),
    listPayments: async (request: ListPaymentsRequest) => {
      asked.list.push(request)
      return pageOf([...payments.values()], request)
    },
    cancelPayment: async (request: GetPaymentRequest) => {
      const payment = find(request)
      return write(request.sellerId, () => cancel(payment))
    },
  }
  return { answers, payments, asked, hooks, find }
}

/** When an amount ends in 99, the issuer has not answered the outcome. When it ends in 51, the issuer declined. */
function newPayment(id: number, request: CreatePaymentRequest, { lastFour }: VoucherToken): VoucherPayment {
  if (request.installments > 1) {
    const errors = [{ pointer: '#/installments', code: 'MAX', detail: 'must be at most 1' }]
    throw new DomainError('failed_precondition', 'INSTALLMENTS_NOT_ALLOWED', 'Vouchers pay at once.', {
      errors,
    })
  }
  const status = { 99: PENDING, 51: DENIED }[request.amount % 100] ?? PAID
  const { card: _card, customer: _customer, ...given } = request
  return VoucherPayment.fromPartial({
    ...given,
    id,
    status,
    lastFour,
    authorizationCode: status === PAID ? '123456' : '',
    ...(status === DENIED ? { decline: DECLINE } : {}),
    orderNumber: `V${id}`,
    createdAt: MADE_AT + id,
    updatedAt: MADE_AT + id,
  })
}

/** The newest first. */
function pageOf(payments: VoucherPayment[], request: ListPaymentsRequest) {
  const { sellerId, statuses, page, size, after, createdFrom = 0, createdTo = Infinity } = request
  const found = payments
    .filter((one) => one.sellerId === sellerId)
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ createdAt }) => createdAt >= createdFrom && createdAt <= createdTo)
    .filter((one) =>
      (['referenceId', 'cardBrand', 'token'] as const).every((name) =>
        [undefined, one[name]].includes(request[name]),
      ),
    )
    .sort((one, other) => other.id - one.id)
  const following = after === undefined ? found : found.filter(({ id }) => id < after)
  const [from, to] = after === undefined ? [page * size, (page + 1) * size] : [0, size]
  return {
    payments: following.slice(from, to),
    total: found.length,
    totalIsLowerBound: false,
    more: following.length > to,
  }
}
