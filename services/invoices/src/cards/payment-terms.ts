import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { PaymentRules } from '../deps'
import type { Invoice } from '../invoice/rules/invoice'
import { isWindowClosed } from '../invoice/rules/payment-window'
import { settingsOf, type AcceptedMethod } from '../methods/methods'

/** The most installments of a card when an invoice names no limit. */
export const INSTALLMENTS_MAX = 12

type Terms = Pick<Invoice, 'acceptedMethods' | 'paymentLimitDate'>

/**
 * Checks that an invoice takes a payment by card at a moment (epoch milliseconds). `payable`: cents. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED, PAYMENT_WINDOW_CLOSED, INSTALLMENTS_NOT_ALLOWED.
 */
export function checkCardTerms(
  rules: Pick<PaymentRules, 'minInstallmentCents'>,
  invoice: Terms,
  { installments, payable, at }: { installments: number; payable: number; at: number },
): void {
  const card = settingsOf(invoice.acceptedMethods, 'CREDIT_CARD')
  if (!card) {
    const message = 'The invoice does not accept cards.'
    throw new DomainError('failed_precondition', 'PAYMENT_METHOD_NOT_ACCEPTED', message)
  }
  if (isWindowClosed(invoice, at)) {
    const message = 'The invoice can no longer be paid.'
    throw new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', message)
  }
  const most = mostInstallments(rules, invoice, payable)
  if (installments <= most) return
  const allowed = `At most ${most} ${most === 1 ? 'installment is' : 'installments are'} allowed for this invoice.`
  const least = `Each must be at least ${rules.minInstallmentCents} cents.`
  const isSmall = payable < installments * rules.minInstallmentCents
  throw refused('INSTALLMENTS_NOT_ALLOWED', isSmall ? `${allowed} ${least}` : allowed, '#/installments')
}

/** The most installments over which an amount (cents) may be spread: acquirers decline each sale with smaller ones. */
export function mostInstallments(
  { minInstallmentCents }: Pick<PaymentRules, 'minInstallmentCents'>,
  invoice: Pick<Invoice, 'acceptedMethods'>,
  payable: number,
): number {
  const most = cardTermsOf(invoice).maxInstallments ?? INSTALLMENTS_MAX
  return Math.min(most, Math.max(1, Math.floor(payable / minInstallmentCents)))
}

type CardTerms = Pick<AcceptedMethod<'CREDIT_CARD'>, 'maxInstallments' | 'feePassThrough'>

/** What a card costs on an invoice, and over how many installments. One that accepts no card has no limit and no fee. */
export function cardTermsOf({ acceptedMethods }: Pick<Invoice, 'acceptedMethods'>): CardTerms {
  return settingsOf(acceptedMethods, 'CREDIT_CARD') ?? {}
}

/** The error when the invoice, the vault or the orders service refuses a value. `pointer`: its place in the body. */
export function refused(code: Reason, message: string, pointer: string): DomainError {
  const errors = [{ pointer, code, detail: message }]
  return new DomainError('failed_precondition', code, message, { errors })
}
