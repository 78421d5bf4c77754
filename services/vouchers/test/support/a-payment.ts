import type { Found } from '../../src/issuer/issuer'
import type { Payment } from '../../src/payment/payment'

/** 12:00 in São Paulo. */
export const NOON = Date.parse('2026-03-10T15:00:00Z')
export const DEADLINE = NOON + 8_000

export const PAYING = { type: 'PAYMENT', id: 'operation', dispatchDeadline: DEADLINE, since: NOON } as const
export const CANCELING = { ...PAYING, type: 'CANCELLATION' } as const
export const RELEASING = { ...PAYING, type: 'RELEASE' } as const

/** A payment that was sent at noon and has no answer. */
export function aPayment(changes: Partial<Payment> = {}): Payment {
  return {
    id: 31,
    sellerId: 9,
    token: 'f'.repeat(64),
    cardType: 'MEAL',
    brand: 'ALELO',
    bin: '506711',
    lastFour: '3333',
    account: '4711',
    referenceId: null,
    amount: 3_500,
    status: 'PENDING',
    orderNumber: 'ORDER',
    issuerPaymentId: '',
    authorizationCode: '',
    decline: null,
    deniedAt: null,
    operation: PAYING,
    resolutions: null,
    version: 1,
    sequence: 0,
    askAt: NOON + 2_000,
    absentSince: null,
    cancelFailedAt: null,
    canceledByIssuer: false,
    lookAgainAt: null,
    paidAt: null,
    createdAt: NOON,
    updatedAt: NOON,
    ...changes,
  }
}

/** The same payment, paid at a time. */
export function paidAt(time: number, changes: Partial<Payment> = {}): Payment {
  const paid = { status: 'PAID', operation: null, askAt: null, paidAt: time, sequence: 1 } as const
  return aPayment({ ...paid, issuerPaymentId: 'p-1', authorizationCode: '418802', ...changes })
}

/** The same payment, denied because the issuer did not know it. */
export function deniedByAbsence(changes: Partial<Payment> = {}): Payment {
  const decline = {
    code: 'NOT_PROCESSED',
    issuerCode: '',
    message: '',
    retryable: true,
    advice: 'TRY_LATER',
  } as const
  const denied = { status: 'DENIED', operation: null, askAt: null, decline, sequence: 1 } as const
  return aPayment({ ...denied, absentSince: NOON, lookAgainAt: NOON + 3_600_000, ...changes })
}

export const ABSENT = { result: 'absent' } as const
export const UNKNOWN = { result: 'unknown' } as const
/** The issuer's answer about a payment. */
export const found = (state: 'approved' | 'declined' | 'canceled', amount = 3_500): Found => ({
  result: 'found',
  state,
  amount,
  issuerPaymentId: 'p-1',
  authorizationCode: state === 'declined' ? '' : '418802',
  code: 'INSUFFICIENT_FUNDS',
  issuerCode: '51',
})
