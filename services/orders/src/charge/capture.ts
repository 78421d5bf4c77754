import { DomainError } from '@cofre/platform/errors'
import type { Terms } from '@cofre/platform/operation/terms'
import { capturableOf, requireAction, type Charge, type Transaction } from './charge'
import { withRequests } from './transaction-limit'
import { askBy, requested } from './transaction'
import { transition, type Decision } from './transition'

/**
 * The intention to capture `amount` cents (undefined: all). It fills the payments in their order. A payment without a
 * share is released once the capture has ended. Throws FAILED_PRECONDITION INVALID_CHARGE_STATE or
 * CAPTURE_EXCEEDS_AUTHORIZED or CAPTURE_BELOW_INSTALLMENTS.
 */
export function requestCapture(charge: Charge, amount: number | undefined, terms: Terms): Decision {
  requireAction(charge, 'capture')
  const capturable = capturableOf(charge)
  const wanted = amount ?? capturable
  if (wanted > capturable) throw captureExceeds(wanted, capturable)

  let left = wanted
  const captures: Transaction[] = []
  for (const payment of charge.payments) {
    const part = payment.status === 'AUTHORIZED' ? Math.min(payment.amount, left) : 0
    if (part === 0) continue
    if (part < payment.installments) throw captureBelow(payment.installments, wanted - part)
    captures.push(requested(charge, payment, { type: 'CAPTURE', amount: part }, terms))
    left -= part
  }
  const transactions = withRequests(charge.transactions, captures)
  return transition(charge, { transactions, askAt: askBy(charge, terms.firstAskAt) }, terms.at)
}

/** An installment of nothing does not exist. `before`: what the payments before this one are captured for, in cents. */
function captureBelow(installments: number, before: number): DomainError {
  const least = before + installments
  return new DomainError(
    'failed_precondition',
    'CAPTURE_BELOW_INSTALLMENTS',
    `The payment has ${installments} installments: it can be captured for at least ${installments} cents.`,
    {
      errors: [
        {
          pointer: '#/amount',
          code: 'MIN',
          detail: before > 0 ? `must be ${before}, or at least ${least}` : `must be at least ${least}`,
        },
      ],
    },
  )
}

function captureExceeds(wanted: number, capturable: number): DomainError {
  return new DomainError(
    'failed_precondition',
    'CAPTURE_EXCEEDS_AUTHORIZED',
    `${wanted} requested, ${capturable} still capturable.`,
    { errors: [{ pointer: '#/amount', code: 'MAX', detail: `must be at most ${capturable}` }] },
  )
}
