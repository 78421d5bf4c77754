import type { Terms } from '@cofre/platform/operation/terms'
import type { AuthorizationOutcome } from '../acquirer/acquirer'
import { NO_REFERENCE, turnOf, untriedOf } from './authorization'
import type { Card, Charge } from './charge'
import { failure } from './failure'
import { changeOf, requested, withPayment } from './transaction'
import { transition, unchanged, type Decision } from './transition'

export type Declined = Extract<AuthorizationOutcome, { result: 'declined' }>

/**
 * True when a decline is about the network token, not its card. ABECS 57 means an invalid, suspended or inactive
 * token; Mastercard's advice 04, a token that does not meet the requirements.
 */
export function isOfToken(outcome: AuthorizationOutcome): outcome is Declined {
  if (outcome.result !== 'declined') return false
  const { code, adviceCode } = outcome
  return /^0*57$/.test(code.trim()) || /^0*4$/.test(adviceCode.trim())
}

/**
 * The intention to send a payment again with another number of its card: the card's own after its token's, or a new one. The first authorization keeps the order number
 * and source that it was sent with. The payment takes a new order number, which finds the second authorization.
 */
export function retryWithCard(
  charge: Charge,
  position: number,
  declined: Declined,
  { orderNumber, card }: { orderNumber: string; card: Card },
  terms: Terms,
): Decision {
  const { payment, authorization: first } = turnOf(charge, position)
  // The sweeper learned of the decline first, and has ended the charge with it.
  if (first.status !== 'PENDING' || !payment.card) return unchanged(charge)
  const attempt = {
    orderNumber: payment.orderNumber,
    source: payment.card.source,
    returnCode: declined.reference.returnCode,
  }
  const why = failure('DECLINED', declined.code)
  const transactions = charge.transactions.map((one) =>
    one.id === first.id ? { ...one, status: 'FAILED' as const, failure: why, attempt } : one,
  )
  const again = requested(charge, payment, { type: 'AUTHORIZATION', amount: payment.amount }, terms)
  const sentAnew = withPayment(charge, position, { orderNumber, card, reference: NO_REFERENCE })
  // As in `newCharge`: while other payments wait for their turn, the sweeper does not ask before this one's deadline.
  const askAt = untriedOf(charge).length > 0 ? terms.deadline : terms.firstAskAt
  const change = { ...changeOf(sentAnew), transactions: [...transactions, again], askAt }
  return transition(charge, change, terms.at)
}
