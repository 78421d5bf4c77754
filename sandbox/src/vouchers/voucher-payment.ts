import { isSameDay } from '../acquirer/brazil-time'
import type { Outcome } from '../acquirer/card-outcome'

export type Brand = 'ALELO' | 'VR' | 'TICKET'
export type VoucherStatus = 'APPROVED' | 'DECLINED' | 'CANCELED'

const NEXT: Record<VoucherStatus, readonly VoucherStatus[]> = {
  APPROVED: ['CANCELED'],
  DECLINED: [],
  CANCELED: [],
}

/** What the seller asked for. The amount is in cents; of the card only its last four digits are kept. */
export type VoucherOrder = {
  readonly brand: Brand
  /** The seller's code at this issuer. */
  readonly merchant: string
  readonly orderNumber: string
  readonly product: 'MEAL' | 'FOOD'
  readonly amount: number
  readonly cardLastFour: string
}

/** Times in epoch milliseconds. */
export type VoucherPayment = VoucherOrder & {
  readonly paymentId: string
  readonly status: VoucherStatus
  /** ABECS code; each issuer has its own word for it. */
  readonly returnCode: string
  readonly authorizationCode: string | null
  readonly receivedAt: number
}

export type Numbers = { paymentId: string; authorizationCode: string }

export function authorize(
  order: VoucherOrder,
  outcome: Outcome,
  { paymentId, authorizationCode }: Numbers,
  now: number,
): VoucherPayment {
  return {
    ...order,
    paymentId,
    status: outcome.approved ? 'APPROVED' : 'DECLINED',
    returnCode: outcome.approved ? '00' : outcome.returnCode,
    authorizationCode: outcome.approved ? authorizationCode : null,
    receivedAt: now,
  }
}

export type CancelRefusal = 'DECLINED' | 'WINDOW_CLOSED'

/** Once canceled it stays so, on any day. An approved payment can be canceled until midnight in São Paulo. */
export function cancel(payment: VoucherPayment, now: number): VoucherPayment | CancelRefusal {
  if (payment.status === 'CANCELED') return payment
  if (!NEXT[payment.status].includes('CANCELED')) return 'DECLINED'
  if (!isSameDay(payment.receivedAt, now)) return 'WINDOW_CLOSED'
  return { ...payment, status: 'CANCELED' }
}
