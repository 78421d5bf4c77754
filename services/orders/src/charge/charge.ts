import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Authentication } from './authentication'
import type { Decline } from './decline'
import type { Failure } from './failure'
import { hasRoom, hasRoomForTheRest } from './room'

/** The contract's words, as the database and the API have them too. Also the state of each payment of a charge. */
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

/** What may be shown of a card (PCI DSS 3.4). */
export type Card = {
  bin: string
  lastFour: string
  brand: string
  expirationYear: number
  expirationMonth: number
  holderName: string
  source: 'CARD' | 'CARD_TOKEN' | 'NETWORK_TOKEN'
}

/** What the acquirer calls a payment; empty until it answered. */
export type AcquirerReference = {
  paymentId: string
  tid: string
  nsu: string
  authorizationCode: string
  returnCode: string
  /** The ECI that it answered, two digits: what it made of an authentication. */
  eci: string
}

/** A part of the charge on one card. Amounts in cents, times in epoch milliseconds. */
export type Payment = {
  position: number
  /** Ours, given to the acquirer before the call: the key by which an unanswered payment is found. */
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
  /** A stored card that is charged without its holder: no sign of card testing. */
  merchantInitiated: boolean
  /** Of the payer by the card's issuer (3-D Secure); null where none was given. */
  authentication: Authentication | null
}

/**
 * What is done at the acquirer to one payment, once. A `request` is the seller's and leaves once. A `release` gives back
 * what a charge will not use, an `expiry` what it used too late: both are sent again until the money is free.
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
  /** Nothing leaves for the acquirer after it; null: nothing has left yet, or what was tried provably did not leave. */
  dispatchDeadline: number | null
  reason: string | null
  /** Of a declined authorization whose payment was sent anew: what it was sent with, and the answer. */
  attempt: Attempt | null
  /** Of an operation that was closed by hand. */
  resolution: Resolution | null
  /** With FAILED; null of those that failed before failures were kept. */
  failure: Failure | null
  createdAt: number
}

export type Attempt = { orderNumber: string; source: Card['source']; returnCode: string }

/** Who closed an operation by hand, why, and when (epoch milliseconds). */
export type Resolution = { by: string; reason: string; at: number }

/** What the seller asked for. Of it only the metadata changes later. */
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
  /** Refunded, or about to be: what no other refund may take. */
  refundReserved: number
  payments: readonly Payment[]
  transactions: readonly Transaction[]
  /** Counts the changes saved. */
  version: number
  /** Counts the events told. */
  sequence: number
  /** When to ask the acquirer about what is pending; null when nothing is. */
  askAt: number | null
  /** Since when it has failed because the acquirer did not know its sale, or was denied by an unsure decline; else null. */
  absentSince: number | null
  /** When to ask the acquirer once more about such a charge. */
  lookAgainAt: number | null
  createdAt: number
  updatedAt: number
}

/** When an operation happens, until when it may leave for the acquirer, and when to ask if no answer came. */
export type Terms = { operationId: string; at: number; deadline: number; firstAskAt: number }

export type Action = 'capture' | 'refund' | 'metadata'

export function pendingOf(charge: Charge, ...types: Transaction['type'][]): Transaction[] {
  return charge.transactions.filter(({ status, type }) => status === 'PENDING' && types.includes(type))
}

/** What a capture can still take. */
export function capturableOf(charge: Charge): number {
  return sumOf(charge.payments.filter(({ status }) => status === 'AUTHORIZED').map(({ amount }) => amount))
}

/** What a refund of this payment can still take: pending refunds count. */
export function refundableOf(charge: Charge, payment: Payment): number {
  const pending = pendingOf(charge, 'REFUND').filter(({ position }) => position === payment.position)
  return payment.capturedAmount - payment.refundedAmount - sumOf(pending.map(({ amount }) => amount))
}

/** What the seller may do now. A verified card (amount 0) holds nothing to capture or give back. */
export function allowedActions(charge: Charge): Action[] {
  const held = charge.status === 'AUTHORIZED' && capturableOf(charge) > 0
  const free = held && pendingOf(charge, 'CAPTURE', 'VOID').length === 0
  const taken = ['PARTIALLY_CAPTURED', 'CAPTURED', 'PARTIALLY_REFUNDED'].includes(charge.status)
  const capturable = free && hasRoom(charge)
  const refundable = (free || (taken && charge.capturedAmount > 0)) && hasRoomForTheRest(charge)
  return [...(capturable ? ['capture' as const] : []), ...(refundable ? ['refund' as const] : []), 'metadata']
}

/** FAILED_PRECONDITION INVALID_CHARGE_STATE, with the state and what it allows. */
export function requireAction(charge: Charge, action: Action): void {
  if (allowedActions(charge).includes(action)) return
  const asked = pendingOf(charge, 'CAPTURE', 'VOID', 'AUTHORIZATION')
  const pending = asked.find(({ cause }) => cause === 'REQUEST')
  throw pending ? stillPending(charge, pending) : invalidState(charge)
}

/** The acquirer has not answered what was asked before: soon the charge may allow this, or refuse it for good. */
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
