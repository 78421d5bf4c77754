import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { AcceptedMethod, Invoice } from '../invoice/invoice'

/** The most installments of a card when an invoice names no limit. */
export const INSTALLMENTS_MAX = 12

type CardTerms = Extract<AcceptedMethod, { method: 'CREDIT_CARD' }>
const ANY_CARD: CardTerms = { method: 'CREDIT_CARD', maxInstallments: null, feePassThrough: false }

type Terms = Pick<Invoice, 'acceptedMethods' | 'paymentLimitDate'>

/**
 * Checks that an invoice takes a payment by card at a moment (epoch milliseconds). `payable`: cents; each installment
 * is at least one. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED, INSTALLMENTS_NOT_ALLOWED.
 */
export function checkCardTerms(
  invoice: Terms,
  { installments, payable, at }: { installments: number; payable: number; at: number },
): void {
  if (invoice.acceptedMethods && !invoice.acceptedMethods.some(({ method }) => method === 'CREDIT_CARD')) {
    const message = 'The invoice does not accept cards.'
    throw new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
  }
  if (invoice.paymentLimitDate !== null && at > invoice.paymentLimitDate) {
    const message = 'The invoice can no longer be paid.'
    throw new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', message)
  }
  const most = Math.min(cardTermsOf(invoice).maxInstallments ?? INSTALLMENTS_MAX, Math.max(1, payable))
  if (installments <= most) return
  const message = `At most ${most} ${most === 1 ? 'installment is' : 'installments are'} allowed for this invoice.`
  throw refused('INSTALLMENTS_NOT_ALLOWED', message, '#/installments')
}

/** The card settings of an invoice. */
export function cardTermsOf({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): CardTerms {
  return (acceptedMethods ?? []).find((each) => each.method === 'CREDIT_CARD') ?? ANY_CARD
}

/** The error when the invoice, the vault or the orders service refuses a value. `pointer`: its place in the body. */
export function refused(code: Reason, message: string, pointer: string): DomainError {
  const errors = [{ pointer, code, detail: message }]
  return new DomainError('failed_precondition', code, message, { errors })
}
