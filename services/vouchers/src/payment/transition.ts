import type { VoucherPaymentEventType } from '@cofre/api/events'
import { nextLook } from './looks'
import type { Payment, PaymentStatus } from './payment'

/** Where a payment may go from each state. */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  PENDING: ['PAID', 'DENIED'],
  PAID: ['CANCELED'],
  DENIED: [],
  CANCELED: [],
}

const EVENT = {
  PAID: 'voucher_payment.paid',
  DENIED: 'voucher_payment.denied',
  CANCELED: 'voucher_payment.canceled',
} as const satisfies Record<Exclude<PaymentStatus, 'PENDING'>, VoucherPaymentEventType>

/** The end of an operation's mark: it is answered, or freed so that the request may be repeated. */
export type MarkEnd = { operationId: string; end: 'answered' | 'freed' }

/** A change that is decided but not yet saved. */
export type Decision = {
  before: Payment
  payment: Payment
  event: VoucherPaymentEventType | undefined
  mark: MarkEnd | undefined
}

/** The fields that a decision may change. */
export type Change = Partial<
  Pick<
    Payment,
    | 'status'
    | 'issuerPaymentId'
    | 'authorizationCode'
    | 'decline'
    | 'deniedAt'
    | 'operation'
    | 'resolutions'
    | 'askAt'
    | 'absentSince'
    | 'lookAgainAt'
    | 'cancelFailedAt'
    | 'canceledByIssuer'
  >
>

/** The one way from a payment to its next state. A forbidden move throws. */
export function transition(before: Payment, change: Change, at: number, mark?: MarkEnd): Decision {
  const status = change.status ?? before.status
  const moved = status !== before.status
  if (moved && !NEXT[before.status].includes(status)) {
    throw new Error(`a voucher payment can't go from ${before.status} to ${status}`)
  }
  const event = moved && status !== 'PENDING' ? EVENT[status] : undefined
  const changed = { ...before, ...change, status }
  const payment: Payment = {
    ...changed,
    askAt: changed.operation === null ? null : (changed.askAt ?? at),
    // Paid when it was sent, however late we learn of it: the issuer cancels it on that day.
    paidAt: before.paidAt ?? (status === 'PAID' ? before.createdAt : null),
    lookAgainAt: moved ? firstLook(changed) : changed.lookAgainAt,
    version: before.version + 1,
    sequence: before.sequence + (event ? 1 : 0),
    updatedAt: at,
  }
  return { before, payment, event, mark }
}

/** When a payment is compared with the issuer's book after its move. */
function firstLook({ status, createdAt, lookAgainAt }: Payment): number | null {
  if (status === 'PAID') return nextLook(createdAt, createdAt)
  return status === 'CANCELED' ? null : lookAgainAt
}

/** Ends a cancellation that did not happen, after its caller was answered that it is pending. */
export function cancellationFailed(payment: Payment, at: number): Decision {
  const mark = payment.operation && ({ operationId: payment.operation.id, end: 'freed' } as const)
  const decision = transition(payment, { operation: null, cancelFailedAt: at }, at, mark ?? undefined)
  const failed = { ...decision.payment, sequence: decision.payment.sequence + 1 }
  return { ...decision, payment: failed, event: 'voucher_payment.cancel_failed' }
}

/** A decision that changes only the version of the payment, and perhaps the operation's mark. */
export function unchanged(payment: Payment, mark?: MarkEnd): Decision {
  return { before: payment, payment: { ...payment, version: payment.version + 1 }, event: undefined, mark }
}
