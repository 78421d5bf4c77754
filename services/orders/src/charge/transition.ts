import type { ChargeEventType } from '@cofre/api/events'
import { NO_MARKS, type Marks } from '@cofre/platform/idempotency/mark'
import { sumOf } from '@cofre/platform/money'
import {
  invalidState,
  pendingOf,
  type Charge,
  type ChargeStatus,
  type Payment,
  type Transaction,
} from './charge'
import { released } from './transaction'
import { giveUpUnsent } from './unsent-part'

/** The states that each state may move to. A direct charge goes from pending to captured at once; a Pix that nobody paid expires. */
const NEXT: Record<ChargeStatus, readonly ChargeStatus[]> = {
  PENDING: ['AUTHORIZED', 'CAPTURED', 'DENIED', 'FAILED', 'EXPIRED'],
  AUTHORIZED: ['PARTIALLY_CAPTURED', 'CAPTURED', 'VOIDED', 'EXPIRED'],
  PARTIALLY_CAPTURED: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  CAPTURED: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['REFUNDED'],
  DENIED: [],
  FAILED: [],
  VOIDED: [],
  EXPIRED: [],
  REFUNDED: [],
}

const EVENT = {
  PENDING: 'charge.pending',
  AUTHORIZED: 'charge.authorized',
  DENIED: 'charge.denied',
  FAILED: 'charge.failed',
  PARTIALLY_CAPTURED: 'charge.captured',
  CAPTURED: 'charge.captured',
  VOIDED: 'charge.voided',
  EXPIRED: 'charge.expired',
  PARTIALLY_REFUNDED: 'charge.refunded',
  REFUNDED: 'charge.refunded',
} as const satisfies Record<ChargeStatus, ChargeEventType>

/** A decided, unsaved change: the charge before and after, its events, and the marks of the requests that it ends. */
export type Decision = { before: Charge; charge: Charge; events: ChargeEventType[]; marks: Marks }

/** The fields that a decision changes; totals, status and events follow from them. */
export type Change = Partial<Pick<Charge, 'payments' | 'transactions' | 'metadata' | 'askAt'>>

/**
 * Moves a charge to its next state; no other code does. It derives status and totals from payments and transactions.
 * It refuses a move that NEXT lacks, releases money that the charge will not use, and adds the event.
 */
export function transition(before: Charge, change: Change, at: number): Decision {
  const payments = (change.payments ?? before.payments).map(withCaptureStatus)
  const wanted = giveUpUnsent(change.transactions ?? before.transactions)
  const changed = { ...before, ...change, payments, transactions: wanted }
  const status = statusOf(changed)
  if (status !== before.status && !NEXT[before.status].includes(status)) throw invalidState(before)

  const releases = releasesOf({ ...changed, status }, at)
  const transactions = [...changed.transactions, ...releases]
  const refundedAmount = sumOf(payments.map((payment) => payment.refundedAmount))
  const happened = status !== before.status || refundedAmount > before.refundedAmount
  const pending = transactions.some((transaction) => transaction.status === 'PENDING')
  const charge: Charge = {
    ...changed,
    status,
    transactions,
    authorizedAmount: authorizedOf(before, status),
    capturedAmount: sumOf(payments.map((payment) => payment.capturedAmount)),
    refundedAmount,
    refundReserved: sumOf(
      transactions
        .filter((transaction) => transaction.type === 'REFUND' && transaction.status !== 'FAILED')
        .map(({ amount }) => amount),
    ),
    askAt: pending ? (releases.length > 0 ? at : (changed.askAt ?? at)) : null,
    version: before.version + 1,
    updatedAt: at,
  }
  return withEvent({ before, charge, events: [], marks: NO_MARKS }, happened ? EVENT[status] : undefined)
}

/** What expired keeps the amount that it held: a Pix that nobody paid never held any. */
function authorizedOf({ amount, authorizedAmount }: Charge, status: ChargeStatus): number {
  if (status === 'EXPIRED') return authorizedAmount
  return ['PENDING', 'DENIED', 'FAILED'].includes(status) ? 0 : amount
}

/** Adds an event to a decision; the events of a charge are counted without gaps. */
export function withEvent(decision: Decision, event: ChargeEventType | undefined): Decision {
  if (!event) return decision
  const charge = { ...decision.charge, sequence: decision.charge.sequence + 1 }
  return { ...decision, charge, events: [...decision.events, event] }
}

/** Returns a decision that changes only the version. */
export function unchanged(charge: Charge): Decision {
  return { before: charge, charge: { ...charge, version: charge.version + 1 }, events: [], marks: NO_MARKS }
}

function withCaptureStatus(payment: Payment): Payment {
  if (payment.capturedAmount === 0) return payment
  const status = captureStatus(payment)
  return status === payment.status ? payment : { ...payment, status }
}

function captureStatus(of: Pick<Charge, 'amount' | 'capturedAmount' | 'refundedAmount'>): ChargeStatus {
  if (of.refundedAmount > 0) {
    return of.refundedAmount < of.capturedAmount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  }
  return of.capturedAmount < of.amount ? 'PARTIALLY_CAPTURED' : 'CAPTURED'
}

const NOT_CAPTURED: readonly ChargeStatus[] = ['AUTHORIZED', 'VOIDED', 'EXPIRED']

function statusOf(charge: Charge): ChargeStatus {
  const { payments, amount } = charge
  const statuses = payments.map((payment) => payment.status)
  for (const status of ['DENIED', 'FAILED', 'PENDING'] as const) if (statuses.includes(status)) return status
  const captured = statuses.some((status) => !NOT_CAPTURED.includes(status))
  // Several payments are captured as one: the charge moves when the last outcome is known.
  if (captured && pendingOf(charge, 'CAPTURE').length === 0) {
    const capturedAmount = sumOf(payments.map((payment) => payment.capturedAmount))
    const refundedAmount = sumOf(payments.map((payment) => payment.refundedAmount))
    return captureStatus({ amount, capturedAmount, refundedAmount })
  }
  if (captured || statuses.includes('AUTHORIZED')) return 'AUTHORIZED'
  return statuses.includes('EXPIRED') ? 'EXPIRED' : 'VOIDED'
}

/** All or none: a charge that was denied, failed or captured gives back the money that its other payments hold. */
function releasesOf(charge: Charge, at: number): Transaction[] {
  if (charge.status === 'PENDING' || charge.status === 'AUTHORIZED') return []
  const voiding = pendingOf(charge, 'VOID').map(({ position }) => position)
  const held = charge.payments.filter(
    ({ status, amount, position }) => status === 'AUTHORIZED' && amount > 0 && !voiding.includes(position),
  )
  const operationId = charge.transactions.at(-1)?.operationId ?? ''
  return held.map((payment, index) => released(charge, payment, { cause: 'RELEASE', operationId, at, index }))
}
