import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Authentication } from './authentication'
import type { Decline } from './decline'
import type { Failure } from './failure'
import { hasRoom, hasRoomForTheRest } from './room'

/** The status of a charge, and of each of its payments. The contract, the database and the API use the same words. */
export type ChargeStatus =
  | 'PENDING'
  | 'AUTHORIZED'
  | 'DENIED'
  | 'FAILED'
  | 'PARTIALLY_CAPTURED'
  | 'CAPTURED'
  | 'VOIDED'
  | 'EXPIRED'
  | 'PARTIALLY_REFUNDED'
  | 'REFUNDED'

/** The part of a card that may be shown (PCI DSS 3.4). */
export type Card = {
  bin: string
  lastFour: string
  brand: string
  expirationYear: number
  expirationMonth: number
  holderName: string
  source: 'CARD' | 'CARD_TOKEN' | 'NETWORK_TOKEN'
}

/** The acquirer's references to a payment; empty until it answers. */
export type AcquirerReference = {
  paymentId: string
  tid: string
  nsu: string
  authorizationCode: string
  returnCode: string
  /** The two-digit ECI in its answer: how it treated an authentication. */
  eci: string
}

/** A part of the charge on one card. Amounts in cents, times in epoch milliseconds. */
export type Payment = {
  position: number
  /** Our number, assigned before the call: the key that finds the payment at the acquirer when no answer came. */
  orderNumber: string
  amount: number
  installments: number
  status: ChargeStatus
  capturedAmount: number
  refundedAmount: number
  card: Card
  reference: AcquirerReference
  decline: Decline | null
  deniedAt: number | null
  paymentLimitDate: number | null
  dueDate: number | null
  /** True when a stored card is charged without its holder. Its decline is no sign of card testing. */
  merchantInitiated: boolean
  /** The issuer's authentication of the payer (3-D Secure); null without one. */
  authentication: Authentication | null
}

/**
 * One operation at the acquirer on one payment. A `request` is the seller's and leaves once. A `release` gives back
 * unused money; an `expiry`, an authorization not captured in time. Both are sent again until the money is free.
 */
export type Transaction = {
  /** Counted within the charge, from 1. */
  id: number
  position: number
  type: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'VOID'
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  cause: 'REQUEST' | 'RELEASE' | 'EXPIRY'
  amount: number
  /** One request is one operation, on one payment or several. */
  operationId: string
  /** The request may leave for the acquirer until then. Null: it has not left, or an attempt provably did not leave. */
  dispatchDeadline: number | null
  reason: string | null
  /** How a declined authorization was sent, and its answer, when its payment was sent again. */
  attempt: Attempt | null
  /** Set when a person closed the operation by hand. */
  resolution: Resolution | null
  /** Set with FAILED; null on failures older than this field. */
  failure: Failure | null
  createdAt: number
}

export type Attempt = { orderNumber: string; source: Card['source']; returnCode: string }

/** Who closed an operation by hand, why, and when (epoch milliseconds). */
export type Resolution = { by: string; reason: string; at: number }

/** The seller's order. Only its metadata changes later. */
export type Order = {
  sellerId: number
  orderReference: string | null
  externalReference: number | null
  notificationUrl: string | null
  /** Authorizes and captures in one step. */
  direct: boolean
  amount: number
  metadata: Record<string, unknown>
}

export type Charge = Order & {
  id: number
  establishmentId: number
  status: ChargeStatus
  authorizedAmount: number
  capturedAmount: number
  refundedAmount: number
  /** The amount of all refunds that succeeded or are pending. No other refund may take it. */
  refundReserved: number
  payments: readonly Payment[]
  transactions: readonly Transaction[]
  /** Counts the saved changes. */
  version: number
  /** Counts the events. */
  sequence: number
  /** When to ask the acquirer about pending transactions; null when none is pending. */
  askAt: number | null
  /** When it failed because the acquirer did not know its sale, or was denied by an unsure decline; else null. */
  absentSince: number | null
  /** When to ask the acquirer again about that sale. */
  lookAgainAt: number | null
  createdAt: number
  updatedAt: number
}

/** The times of an operation: when it happens, until when it may leave, and when to ask if no answer came. */
export type Terms = { operationId: string; at: number; deadline: number; firstAskAt: number }

export type Action = 'capture' | 'refund' | 'metadata'

export function pendingOf(charge: Charge, ...types: Transaction['type'][]): Transaction[] {
  return charge.transactions.filter(({ status, type }) => status === 'PENDING' && types.includes(type))
}

/** The amount that a capture can still take. */
export function capturableOf(charge: Charge): number {
  return sumOf(charge.payments.filter(({ status }) => status === 'AUTHORIZED').map(({ amount }) => amount))
}

/** The amount that a refund of this payment can still take. Pending refunds count as taken. */
export function refundableOf(charge: Charge, payment: Payment): number {
  const pending = pendingOf(charge, 'REFUND').filter(({ position }) => position === payment.position)
  return payment.capturedAmount - payment.refundedAmount - sumOf(pending.map(({ amount }) => amount))
}

/** The actions open to the seller. A card verification (amount 0) holds nothing to capture or give back. */
export function allowedActions(charge: Charge): Action[] {
  const held = charge.status === 'AUTHORIZED' && capturableOf(charge) > 0
  const free = held && pendingOf(charge, 'CAPTURE', 'VOID').length === 0
  const taken = ['PARTIALLY_CAPTURED', 'CAPTURED', 'PARTIALLY_REFUNDED'].includes(charge.status)
  const capturable = free && hasRoom(charge)
  const refundable = (free || (taken && charge.capturedAmount > 0)) && hasRoomForTheRest(charge)
  return [...(capturable ? ['capture' as const] : []), ...(refundable ? ['refund' as const] : []), 'metadata']
}

/** Throws FAILED_PRECONDITION INVALID_CHARGE_STATE, with the allowed actions, when `action` is not one of them. */
export function requireAction(charge: Charge, action: Action): void {
  if (allowedActions(charge).includes(action)) return
  const asked = pendingOf(charge, 'CAPTURE', 'VOID', 'AUTHORIZATION')
  const pending = asked.find(({ cause }) => cause === 'REQUEST')
  throw pending ? stillPending(charge, pending) : invalidState(charge)
}

/** The refusal while an earlier request has no answer: the charge may soon allow the action, or refuse it for good. */
function stillPending(charge: Charge, { type, amount }: Transaction): DomainError {
  const what = {
    CAPTURE: 'A capture',
    VOID: 'A void',
    AUTHORIZATION: 'The authorization',
    REFUND: 'A refund',
  }
  const message = `${what[type]} of ${amount} cents is still pending. Read the charge again after Retry-After.`
  const members = { currentStatus: charge.status, allowedActions: allowedActions(charge) }
  return new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', message, {
    members,
    retryAfterSeconds: 2,
  })
}

export function invalidState(charge: Charge): DomainError {
  const currentStatus = charge.status
  return new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', `The charge is ${currentStatus}.`, {
    members: { currentStatus, allowedActions: allowedActions(charge) },
  })
}
