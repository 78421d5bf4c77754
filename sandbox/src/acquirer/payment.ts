import type { Outcome } from './card-outcome'
import { Refusal } from './refusal'
import type { Address } from './sale-request'
import type { CredentialMarks } from './stored-credential'

/** Cielo's status numbers. */
export const STATUS_NAMES = {
  1: 'Authorized',
  2: 'Captured',
  3: 'Denied',
  10: 'Voided',
  11: 'Refunded',
} as const

export type PaymentStatus = keyof typeof STATUS_NAMES

const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  1: [2, 10, 11],
  2: [2, 10, 11],
  3: [],
  10: [],
  11: [],
}

export type Card = { maskedNumber: string; holder: string; expirationDate: string; brand: string }

/** The sale that the seller asked for, its card number masked. */
export type Sale = {
  readonly merchantOrderId: string
  readonly customer: {
    name: string
    identity?: string
    identityType?: string
    email?: string
    address?: Address
  }
  readonly amount: number
  readonly installments: number
  readonly interest: string
  readonly capture: boolean
  readonly softDescriptor?: string
  /** The ECI that the issuer received, which may differ from the seller's. */
  readonly eci?: string
  readonly card: Card
  /** The network token charged in place of a card number, when there is one. */
  readonly networkToken?: { id: string; cryptogramLastFour: string | null }
  readonly credential: CredentialMarks
}

export type Identifiers = {
  readonly paymentId: string
  readonly merchantId: string
  readonly acquirerOrderId: string
  readonly tid: string
  readonly proofOfSale: string
  readonly authorizationCode: string
  readonly issuerTransactionId: string
}

/** Amounts in cents, times in epoch milliseconds. */
export type Payment = Omit<Identifiers, 'authorizationCode'> & {
  readonly sale: Sale
  readonly status: PaymentStatus
  readonly authorizationCode: string | null
  readonly authorizedAmount: number
  readonly capturedAmount: number
  readonly voidedAmount: number
  readonly returnCode: string
  readonly returnMessage: string
  readonly merchantAdviceCode: string | null
  readonly receivedAt: number
  readonly capturedAt: number | null
  readonly voidedAt: number | null
}

export const DONE = 'Operation Successful'

export function authorize(sale: Sale, outcome: Outcome, ids: Identifiers, now: number): Payment {
  const captured = outcome.approved && sale.capture
  const approval = { returnCode: captured ? '6' : '4', message: DONE, merchantAdviceCode: null }
  const { returnCode, message, merchantAdviceCode } = outcome.approved ? approval : outcome
  return {
    ...ids,
    sale,
    status: captured ? 2 : outcome.approved ? 1 : 3,
    authorizationCode: outcome.approved ? ids.authorizationCode : null,
    authorizedAmount: outcome.approved ? sale.amount : 0,
    capturedAmount: captured ? sale.amount : 0,
    voidedAmount: 0,
    returnCode,
    returnMessage: message,
    merchantAdviceCode,
    receivedAt: now,
    capturedAt: captured ? now : null,
    voidedAt: null,
  }
}

/** Captures a payment, once and within the window. A partial capture gives up the rest. */
export function capture(
  payment: Payment,
  amount: number | undefined,
  now: number,
  windowMs: number,
): Payment {
  const captured = amount ?? payment.authorizedAmount
  const late = now - payment.receivedAt > windowMs
  if (payment.status !== 1 || late || captured > payment.authorizedAmount) throw new Refusal(400, 308)
  return move(payment, 2, { capturedAmount: captured, capturedAt: now, returnCode: '6', returnMessage: DONE })
}

function move(payment: Payment, status: PaymentStatus, change: Partial<Payment>): Payment {
  if (!NEXT[payment.status].includes(status)) {
    throw new Error(`a payment in status ${payment.status} cannot become ${status}`)
  }
  return { ...payment, ...change, status }
}

export type VoidResult = { payment: Payment; done: boolean; returnCode: string; message: string }

/** Voids a payment: only in full before the capture, afterwards also in parts, up to the captured amount. */
export function voidPayment(
  payment: Payment,
  amount: number | undefined,
  now: { at: number; sameDay: boolean },
  spacingMs: number,
): VoidResult {
  const { status, authorizedAmount, capturedAmount, voidedAmount, voidedAt } = payment
  const refuse = (returnCode: string, message: string) => ({ payment, done: false, returnCode, message })
  if (status !== 1 && status !== 2) throw new Refusal(400, capturedAmount > 0 ? 312 : 309)
  if (voidedAt !== null && now.at - voidedAt < spacingMs) return refuse('223', 'Void already in progress')

  const left = (status === 1 ? authorizedAmount : capturedAmount) - voidedAmount
  const wanted = amount ?? left
  if (wanted > left) return refuse('51', 'Amount above the sale')
  if (status === 1 && wanted < left) throw new Refusal(400, 309)

  const whole = wanted === left
  const change = { voidedAmount: voidedAmount + wanted, voidedAt: now.at }
  const voided = move(payment, whole ? (now.sameDay ? 10 : 11) : 2, change)
  return { payment: voided, done: true, returnCode: whole ? '9' : '0', message: DONE }
}
