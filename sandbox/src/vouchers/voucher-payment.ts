import { isSameDay } from '../acquirer/brazil-time'
import type { Outcome } from '../acquirer/card-outcome'

export type Brand = 'ALELO' | 'VR' | 'TICKET'
export type VoucherStatus = 'APPROVED' | 'DECLINED' | 'CANCELED'

const NEXT: Record<VoucherStatus, readonly VoucherStatus[]> = {
  APPROVED: ['CANCELED'],
  DECLINED: [],
  CANCELED: [],
}

/** The seller's order. The amount is in cents; of the card, only the last four digits are kept. */
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

/** Cancels an approved payment, until midnight in São Paulo. A canceled one stays canceled, on any day. */
export function cancel(payment: VoucherPayment, now: number): VoucherPayment | CancelRefusal {
  if (payment.status === 'CANCELED') return payment
  if (!NEXT[payment.status].includes('CANCELED')) return 'DECLINED'
  if (!isSameDay(payment.receivedAt, now)) return 'WINDOW_CLOSED'
  return { ...payment, status: 'CANCELED' }
}
