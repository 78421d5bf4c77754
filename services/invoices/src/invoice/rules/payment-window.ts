import { dayOf } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import type { Invoice } from './invoice'

/** How long after the due date an ask is payable when the invoice does not say. */
export const DAYS_AFTER_DUE_DATE = 30

/** What the terms of an ask follow from. */
export type Payable = Pick<
  Invoice,
  | 'status'
  | 'amount'
  | 'open'
  | 'fine'
  | 'interest'
  | 'discounts'
  | 'dueDate'
  | 'lateFrom'
  | 'lateOn'
  | 'paymentLimitDate'
  | 'acceptedMethods'
>

/**
 * Whether an invoice can no longer be paid at a moment (epoch milliseconds). The whole day of its limit counts, by every
 * method: paper names a day.
 */
export function isWindowClosed({ paymentLimitDate }: Pick<Invoice, 'paymentLimitDate'>, at: number): boolean {
  return paymentLimitDate !== null && dayOf(at) > dayOf(paymentLimitDate)
}

export function windowClosed(): DomainError {
  const message = 'The invoice can no longer be paid: its paymentLimitDate has passed.'
  return new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', message)
}

export function notAccepted(message: string): DomainError {
  return new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
}
