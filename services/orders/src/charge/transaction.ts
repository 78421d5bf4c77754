import type { Terms } from '@cofre/platform/operation/terms'
import type { Charge, Payment, Transaction } from './charge'
import type { Failure } from './failure'
import type { Change } from './transition'

/** Returns a new transaction of a seller's request, ready to leave. */
export function requested(
  charge: Pick<Charge, 'transactions'>,
  payment: Payment,
  wanted: Pick<Transaction, 'type' | 'amount'> & { reason?: string | null; index?: number | undefined },
  terms: Terms,
): Transaction {
  return {
    id: charge.transactions.length + (wanted.index ?? 0) + 1,
    position: payment.position,
    type: wanted.type,
    status: 'PENDING',
    cause: 'REQUEST',
    amount: wanted.amount,
    operationId: terms.operationId,
    dispatchDeadline: terms.deadline,
    reason: wanted.reason ?? null,
    endToEndId: null,
    attempt: null,
    resolution: null,
    failure: null,
    createdAt: terms.at,
  }
}

/** Returns a void that the service itself wants. It has not left yet, and is sent until the money is free. */
export function released(
  charge: Pick<Charge, 'transactions'>,
  payment: Payment,
  wanted: { cause: 'RELEASE' | 'EXPIRY'; operationId: string; at: number; index?: number },
): Transaction {
  const { at, operationId, cause, index } = wanted
  const terms = { operationId, at, deadline: at, firstAskAt: at }
  const sent = requested(charge, payment, { type: 'VOID', amount: payment.amount, index }, terms)
  return { ...sent, cause, dispatchDeadline: null }
}

/** Returns an operation that somebody else made at the acquirer. It never leaves us. */
export function madeByAcquirer(
  charge: Pick<Charge, 'transactions'>,
  payment: Payment,
  { type, amount, operationId, at }: Pick<Transaction, 'type' | 'amount' | 'operationId'> & { at: number },
): Transaction {
  const terms = { operationId, at, deadline: at, firstAskAt: at }
  return { ...requested(charge, payment, { type, amount }, terms), cause: 'ACQUIRER', dispatchDeadline: null }
}

/** Marks a transaction as succeeded, and shows its effect on the payment. */
export function succeed(charge: Charge, id: number): Charge {
  const transaction = charge.transactions.find((one) => one.id === id)
  if (!transaction) throw new Error('no such transaction')
  const payments = charge.payments.map((payment) =>
    payment.position === transaction.position ? withEffect(payment, transaction) : payment,
  )
  return { ...withEnd(charge, id, { status: 'SUCCEEDED', failure: null }), payments }
}

/** Marks a transaction as failed: it did not happen, and will not. */
export function fail(charge: Charge, id: number, why: Failure): Charge {
  return withEnd(charge, id, { status: 'FAILED', failure: why })
}

function withEnd(charge: Charge, id: number, end: Pick<Transaction, 'status' | 'failure'>): Charge {
  const transactions = charge.transactions.map((one) => (one.id === id ? { ...one, ...end } : one))
  return { ...charge, transactions }
}

/** Sets until when a transaction may leave; null: it has not left. */
export function withDeadline(charge: Charge, id: number, dispatchDeadline: number | null): Charge {
  const transactions = charge.transactions.map((one) => (one.id === id ? { ...one, dispatchDeadline } : one))
  return { ...charge, transactions }
}

/** Changes one payment of a charge. */
export function withPayment(charge: Charge, position: number, change: Partial<Payment>): Charge {
  const payments = charge.payments.map((one) => (one.position === position ? { ...one, ...change } : one))
  return { ...charge, payments }
}

/** Returns the fields of a charge that a transition may change. */
export function changeOf({ payments, transactions, askAt }: Charge): Change {
  return { payments, transactions, askAt }
}

/** The earlier of `time` and the charge's own time for asking. */
export function askBy(charge: Charge, time: number): number {
  return Math.min(charge.askAt ?? time, time)
}

function withEffect(payment: Payment, { type, amount, cause }: Transaction): Payment {
  if (type === 'CAPTURE') return { ...payment, status: 'CAPTURED', capturedAmount: amount }
  if (type === 'REFUND') return { ...payment, refundedAmount: payment.refundedAmount + amount }
  if (type === 'AUTHORIZATION') return { ...payment, status: 'AUTHORIZED' }
  // A payment that was given up before its authorization was found keeps its status.
  if (payment.status !== 'AUTHORIZED') return payment
  return { ...payment, status: cause === 'EXPIRY' ? 'EXPIRED' : 'VOIDED' }
}
