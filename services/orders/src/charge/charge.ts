import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Decline } from './decline'

/** Also the state of each payment of a charge. */
export type ChargeStatus =
  | 'pending'
  | 'authorized'
  | 'denied'
  | 'failed'
  | 'partially_captured'
  | 'captured'
  | 'voided'
  | 'expired'
  | 'partially_refunded'
  | 'refunded'

/** What may be shown of a card (PCI DSS 3.4). */
export type Card = {
  bin: string
  lastFour: string
  brand: string
  expirationYear: number
  expirationMonth: number
  holderName: string
  source: 'card' | 'card_token' | 'network_token'
}

/** What the acquirer calls a payment; empty until it answered. */
export type AcquirerReference = {
  paymentId: string
  tid: string
  nsu: string
  authorizationCode: string
  returnCode: string
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
}

/**
 * One operation at the acquirer on one payment. A `request` is the seller's and is sent once. A `release` gives back
 * what a charge will not use, an `expiry` what it used too late: both are sent again until the money is free.
 */
export type Transaction = {
  /** Counted within the charge, from 1. */
  id: number
  position: number
  type: 'authorization' | 'capture' | 'refund' | 'void'
  status: 'pending' | 'succeeded' | 'failed'
  cause: 'request' | 'release' | 'expiry'
  amount: number
  /** One request is one operation, on one payment or several. */
  operationId: string
  /** Nothing leaves for the acquirer after it; null: nothing has left yet. */
  dispatchDeadline: number | null
  reason: string | null
  /** Of a declined authorization whose payment was sent anew: what it was sent with, and the answer. */
  attempt: Attempt | null
  createdAt: number
}

export type Attempt = { orderNumber: string; source: Card['source']; returnCode: string }

export type Charge = {
  id: number
  sellerId: number
  establishmentId: number
  orderReference: string | null
  externalReference: number | null
  notificationUrl: string | null
  status: ChargeStatus
  /** Authorizes and captures in one step. */
  direct: boolean
  amount: number
  authorizedAmount: number
  capturedAmount: number
  refundedAmount: number
  /** Refunded, or about to be: what no other refund may take. */
  refundReserved: number
  payments: readonly Payment[]
  transactions: readonly Transaction[]
  metadata: Record<string, unknown>
  /** Counts the changes saved. */
  version: number
  /** Counts the events told. */
  sequence: number
  /** When to ask the acquirer about what is pending; null when nothing is. */
  askAt: number | null
  createdAt: number
  updatedAt: number
}

/** When an operation happens, until when it may leave for the acquirer, and when to ask if no answer came. */
export type Terms = { operationId: string; at: number; deadline: number; firstAskAt: number }

/** How many operations a charge may have: each is read and answered with every later one. */
const TRANSACTIONS_MAX = 200

export type Action = 'capture' | 'refund' | 'metadata'

export function pendingOf(charge: Charge, ...types: Transaction['type'][]): Transaction[] {
  return charge.transactions.filter(({ status, type }) => status === 'pending' && types.includes(type))
}

/** What a capture can still take. */
export function capturableOf(charge: Charge): number {
  return sumOf(charge.payments.filter(({ status }) => status === 'authorized').map(({ amount }) => amount))
}

/** What a refund of this payment can still take: pending refunds count. */
export function refundableOf(charge: Charge, payment: Payment): number {
  const pending = pendingOf(charge, 'refund').filter(({ position }) => position === payment.position)
  return payment.capturedAmount - payment.refundedAmount - sumOf(pending.map(({ amount }) => amount))
}

/** What the seller may do now. A verified card (amount 0) holds nothing to capture or give back. */
export function allowedActions(charge: Charge): Action[] {
  const held = charge.status === 'authorized' && capturableOf(charge) > 0
  const room = charge.transactions.length < TRANSACTIONS_MAX
  const free = room && held && pendingOf(charge, 'capture', 'void').length === 0
  const taken = ['partially_captured', 'captured', 'partially_refunded'].includes(charge.status)
  const refundable = free || (room && taken && charge.capturedAmount > 0)
  return [...(free ? ['capture' as const] : []), ...(refundable ? ['refund' as const] : []), 'metadata']
}

/** FAILED_PRECONDITION INVALID_CHARGE_STATE, with the state and what it allows. */
export function requireAction(charge: Charge, action: Action): void {
  if (!allowedActions(charge).includes(action)) throw invalidState(charge)
}

export function invalidState(charge: Charge): DomainError {
  const currentStatus = charge.status.toUpperCase()
  return new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', `The charge is ${currentStatus}.`, {
    members: { currentStatus, allowedActions: allowedActions(charge) },
  })
}
