import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { AcceptedMethod, Invoice, PaymentMethod } from '../invoice/invoice'

/** Most instalments of a card where an invoice names no limit. */
export const INSTALLMENTS_MAX = 12

type CardTerms = Extract<AcceptedMethod, { method: 'CREDIT_CARD' }>
const ANY_CARD: CardTerms = { method: 'CREDIT_CARD', maxInstallments: null, feePassThrough: false }

type Terms = Pick<Invoice, 'acceptedMethods' | 'paymentLimitDate'>

/**
 * Whether an invoice takes a payment by a method at a moment (epoch milliseconds). FAILED_PRECONDITION
 * PAYMENT_METHOD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED.
 */
export function checkPaymentTerms(
  { acceptedMethods, paymentLimitDate }: Terms,
  method: PaymentMethod,
  at: number,
): void {
  if (acceptedMethods && !acceptedMethods.some((each) => each.method === method)) {
    const message = 'This invoice does not accept this payment method.'
    throw new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
  }
  if (paymentLimitDate !== null && at > paymentLimitDate) {
    const message = 'The invoice can no longer be paid.'
    throw new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', message)
  }
}

/** The same of a card, and FAILED_PRECONDITION INSTALLMENTS_NOT_ALLOWED. `payable`: cents; each instalment is at least one. */
export function checkCardTerms(
  invoice: Terms,
  { installments, payable, at }: { installments: number; payable: number; at: number },
): void {
  checkPaymentTerms(invoice, 'CREDIT_CARD', at)
  const most = Math.min(cardTermsOf(invoice).maxInstallments ?? INSTALLMENTS_MAX, Math.max(1, payable))
  if (installments <= most) return
  const message = `At most ${most} ${most === 1 ? 'installment is' : 'installments are'} allowed for this invoice.`
  throw refused('INSTALLMENTS_NOT_ALLOWED', message, '#/installments')
}

/** How an invoice takes cards. */
export function cardTermsOf({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): CardTerms {
  return (acceptedMethods ?? []).find((each) => each.method === 'CREDIT_CARD') ?? ANY_CARD
}

/** What the invoice, the vault or the orders service does not allow, with the place in the body that names it. */
export function refused(code: Reason, message: string, pointer: string): DomainError {
  const errors = [{ pointer, code, detail: message }]
  return new DomainError('failed_precondition', code, message, { errors })
}
