import { dayOf } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import type { CardType } from '../brands/brand'
import type { Decline } from './decline'

/** The words of the contract, which the database and the API use too. */
export type PaymentStatus = 'PENDING' | 'PAID' | 'DENIED' | 'CANCELED'

/**
 * An operation at the issuer without an outcome. A PAYMENT and a CANCELLATION are the seller's. A PAYMENT is sent once. A
 * CANCELLATION that provably did not happen is sent again, as long as the issuer takes it. A RELEASE gives back a payment that turned up after it was denied: it is sent until the money is back.
 */
export type Operation = {
  type: 'PAYMENT' | 'CANCELLATION' | 'RELEASE'
  /** Names the request's mark in the idempotency table. */
  id: string
  /** Nothing leaves for the issuer after it; null for a release that has not left. */
  dispatchDeadline: number | null
  since: number
}

/** The record of an operation that was closed by hand: by whom, why, and when. */
export type Resolution = {
  operation: Operation['type']
  happened: boolean
  by: string
  reason: string
  at: number
}

/** A payment with a voucher. Amounts in cents, times in epoch milliseconds. */
export type Payment = {
  id: number
  sellerId: number
  token: string
  cardType: CardType
  brand: string
  bin: string
  lastFour: string
  /** The seller's account at the issuer. */
  account: string
  referenceId: string | null
  amount: number
  status: PaymentStatus
  /** Ours, given to the issuer before the call: the key by which an unanswered payment is found. */
  orderNumber: string
  /** The issuer's id for it; empty until the issuer has answered. */
  issuerPaymentId: string
  authorizationCode: string
  decline: Decline | null
  /** When the issuer declined; null for a payment that it never took. */
  deniedAt: number | null
  operation: Operation | null
  resolutions: readonly Resolution[] | null
  /** Counts the changes saved. */
  version: number
  /** Counts the events sent. */
  sequence: number
  /** When to ask the issuer about the operation; null when there is none. */
  askAt: number | null
  /** When it was denied because the issuer did not know it; null for any other payment. */
  absentSince: number | null
  /** When to ask the issuer again about a payment that it did not know, or to compare one that is paid. */
  lookAgainAt: number | null
  /** When it was known that a cancellation, which was answered as pending, did not happen. */
  cancelFailedAt: number | null
  /** Canceled at the issuer, not by a request of ours. */
  canceledByIssuer: boolean
  paidAt: number | null
  createdAt: number
  updatedAt: number
}

/** True when the seller may cancel the payment. */
export function isCancelable(payment: Payment, at: number): boolean {
  return payment.status === 'PAID' && payment.operation === null && isOfToday(payment, at)
}

/** True when the issuer may still give back the whole payment: on its day (São Paulo), and not later. */
export function isOfToday({ paidAt }: Pick<Payment, 'paidAt'>, at: number): boolean {
  return paidAt !== null && dayOf(paidAt) === dayOf(at)
}

/** The error FAILED_PRECONDITION INVALID_VOUCHER_STATE, with the payment's status and the actions that it allows. */
export function invalidState(
  payment: Payment,
  message: string,
  at: number,
  allowedActions = isCancelable(payment, at) ? ['cancel'] : [],
): DomainError {
  const members = { currentStatus: payment.status, allowedActions }
  return new DomainError('failed_precondition', 'INVALID_VOUCHER_STATE', message, { members })
}
