import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { AcquirerName } from '../acquirer/acquirer-name'
import type { Authentication } from './authentication'
import type { Decline } from './decline'
import type { Failure } from './failure'
import { isBelowLimit, isBelowLimitForTheRest } from './transaction-limit'

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
  /** The issuer's id of the sale. The next sale with the same kept card refers to it. */
  issuerTransactionId: string
}

/** What a charge at the seller's bank for Pix has besides: the payment's order number is its txid. */
export type Pix = {
  /** The seller's Pix key. */
  account: string
  /** From then on nobody can pay it, epoch milliseconds. */
  expiresAt: number
  /** The text behind the QR code; null until the bank answered. */
  copyAndPaste: string | null
  /** Who paid, as far as the bank says it. A CPF is masked. */
  payerName: string | null
  payerDocument: string | null
  /** The seller asked to withdraw it. */
  cancelled: boolean
}

/** Who begins a payment: the customer, who is there, or the merchant; and what a kept card is charged for. */
export type Initiation = {
  initiator: 'CUSTOMER' | 'MERCHANT'
  reason: 'RECURRING' | 'INSTALLMENTS' | 'UNSCHEDULED'
}

/** A part of the charge on one card, or a Pix. Amounts in cents, times in epoch milliseconds. */
export type Payment = Initiation & {
  position: number
  /** Our number, assigned before the call: the key that finds the payment at the acquirer when no answer came. */
  orderNumber: string
  amount: number
  installments: number
  status: ChargeStatus
  capturedAmount: number
  refundedAmount: number
  /** What its disputes have withdrawn. */
  disputedAmount: number
  /** Null: a Pix pays. */
  card: Card | null
  pix: Pix | null
  reference: AcquirerReference
  decline: Decline | null
  deniedAt: number | null
  paymentLimitDate: number | null
  dueDate: number | null
  /** The guard against card testing neither counts it nor stops it. */
  exemptFromTestingGuard: boolean
  /** The name of the kept card: the same for its network token. Null when the card is not kept. */
  credential: string | null
  /** The issuer's authentication of the payer (3-D Secure); null without one. */
  authentication: Authentication | null
}

/**
 * One operation at the acquirer on one payment. A `request` is the seller's and leaves once. A `release` gives back
 * unused money; an `expiry`, an authorization not captured in time. Both are sent again until the money is free.
 * What was `acquirer` never left us: it was found there.
 */
export type Transaction = {
  /** Counted within the charge, from 1. */
  id: number
  position: number
  type: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'VOID'
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  cause: 'REQUEST' | 'RELEASE' | 'EXPIRY' | 'ACQUIRER'
  amount: number
  /** One request is one operation, on one payment or several. */
  operationId: string
  /** The request may leave for the acquirer until then. Null: it has not left, or an attempt provably did not leave. */
  dispatchDeadline: number | null
  reason: string | null
  /** The Pix that a void gives back, where it is not the one that paid; else null. */
  endToEndId: string | null
  /** How a declined authorization was sent, and its answer, when its payment was sent again. */
  attempt: Attempt | null
  /** Set when a person closed the operation by hand. */
  resolution: Resolution | null
  /** Set with FAILED. */
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
  /** The seller's request that made it. Null when another service of ours asked for it. */
  requestId: string | null
}

export type Charge = Order & {
  id: number
  /** Null: paid by Pix. */
  establishmentId: number | null
  /** The establishment's, or the seller's bank for Pix. */
  acquirer: AcquirerName | 'pix'
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

export type Action = 'capture' | 'refund' | 'cancel' | 'metadata'

export function pendingOf(charge: Charge, ...types: Transaction['type'][]): Transaction[] {
  return charge.transactions.filter(({ status, type }) => status === 'PENDING' && types.includes(type))
}

/** True when no pending operation changes the payments: the return of another Pix does not. */
export function isPaymentIdle({ transactions }: Charge): boolean {
  return transactions.every(({ status, endToEndId }) => status !== 'PENDING' || endToEndId !== null)
}

/** The amount that a capture can still take. */
export function capturableOf(charge: Charge): number {
  return sumOf(charge.payments.filter(({ status }) => status === 'AUTHORIZED').map(({ amount }) => amount))
}

/** The amount of this payment that is not given back. Pending refunds count as given back. */
export function leftOf(charge: Charge, payment: Payment): number {
  const pending = pendingOf(charge, 'REFUND').filter(({ position }) => position === payment.position)
  return payment.capturedAmount - payment.refundedAmount - sumOf(pending.map(({ amount }) => amount))
}

/** The amount that a refund of this payment can still take: what its disputes have withdrawn is gone already. */
export function refundableOf(charge: Charge, payment: Payment): number {
  return Math.max(0, leftOf(charge, payment) - payment.disputedAmount)
}

/** True when something is left that was not given back, and disputes have withdrawn all of it. */
export function isDisputedWhole(charge: Charge): boolean {
  const isLeft = charge.payments.some((payment) => leftOf(charge, payment) > 0)
  return isLeft && charge.payments.every((payment) => refundableOf(charge, payment) === 0)
}

/** The actions open to the seller. A card verification (amount 0) holds nothing to capture or give back. */
export function allowedActions(charge: Charge): Action[] {
  const held = charge.status === 'AUTHORIZED' && capturableOf(charge) > 0
  const free = held && pendingOf(charge, 'CAPTURE', 'VOID').length === 0
  const taken = ['PARTIALLY_CAPTURED', 'CAPTURED', 'PARTIALLY_REFUNDED'].includes(charge.status)
  const capturable = free && isBelowLimit(charge)
  const left = taken && charge.capturedAmount > 0 && !isDisputedWhole(charge)
  const refundable = (free || left) && isBelowLimitForTheRest(charge)
  return [
    ...(capturable ? ['capture' as const] : []),
    ...(refundable ? ['refund' as const] : []),
    ...(awaitsPix(charge) ? ['cancel' as const] : []),
    'metadata',
  ]
}

function awaitsPix({ acquirer, status }: Charge): boolean {
  return acquirer === 'pix' && status === 'PENDING'
}

/** Throws FAILED_PRECONDITION INVALID_CHARGE_STATE, with the allowed actions, when `action` is not one of them. */
export function requireAction(charge: Charge, action: Action): void {
  if (allowedActions(charge).includes(action)) return
  if (awaitsPix(charge))
    throw invalidState(charge, 'The Pix is not paid yet. To withdraw it, cancel the charge.')
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

export function invalidState(charge: Charge, message = `The charge is ${charge.status}.`): DomainError {
  const currentStatus = charge.status
  return new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', message, {
    members: { currentStatus, allowedActions: allowedActions(charge) },
  })
}
