import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Terms } from '@cofre/platform/operation/terms'
import {
  allowedActions,
  capturableOf,
  invalidState,
  isDisputedWhole,
  leftOf,
  refundableOf,
  requireAction,
  type Charge,
  type Payment,
  type Transaction,
} from './charge'
import { isBelowLimit, withRequests } from './transaction-limit'
import { askBy, requested } from './transaction'
import { transition, type Decision } from './transition'

export type RefundRequest = {
  /** Cents; undefined: all that is left. */
  amount: number | undefined
  reason: string | null
}

/**
 * The intention to give money back. Before the capture it voids the whole authorization. After it, it refunds any part
 * of the captured amount that no dispute has withdrawn, payments in their order; a charge at its limit allows only the
 * whole rest. Throws FAILED_PRECONDITION INVALID_CHARGE_STATE, PARTIAL_VOID_UNSUPPORTED, REFUND_EXCEEDS_CAPTURED or
 * CHARGE_DISPUTED.
 */
export function requestRefund(charge: Charge, request: RefundRequest, terms: Terms): Decision {
  if (isDisputedWhole(charge)) throw disputed(charge, 0)
  requireAction(charge, 'refund')
  if (isPixTooOld(charge, terms.at)) throw invalidState(charge, PIX_TOO_OLD)
  const wanted = charge.status === 'AUTHORIZED' ? voidsOf(charge, request) : refundsOf(charge, request)
  const asked = wanted.map(({ payment, type, amount }) =>
    requested(charge, payment, { type, amount, reason: request.reason }, terms),
  )
  const transactions = withRequests(charge.transactions, asked)
  return transition(charge, { transactions, askAt: askBy(charge, terms.firstAskAt) }, terms.at)
}

/** How long banks give a Pix back. */
const PIX_RETURN_MS = 90 * 86_400_000
const PIX_TOO_OLD = 'Banks return a Pix for 90 days after it was paid.'

function isPixTooOld({ acquirer, transactions }: Charge, at: number): boolean {
  const paidAt = transactions.find(({ type }) => type === 'CAPTURE')?.createdAt ?? at
  return acquirer === 'pix' && at > paidAt + PIX_RETURN_MS
}

type Wanted = { payment: Payment; type: Transaction['type']; amount: number }

function voidsOf(charge: Charge, { amount }: RefundRequest): Wanted[] {
  const held = capturableOf(charge)
  if (amount !== undefined && amount > held) throw refundExceeds(amount, held)
  if (amount !== undefined && amount < held) {
    throw new DomainError(
      'failed_precondition',
      'PARTIAL_VOID_UNSUPPORTED',
      `Before capture, you can only void the whole amount: ${held}.`,
      { errors: [{ pointer: '#/amount', code: 'MIN', detail: `must be ${held}` }] },
    )
  }
  const authorized = charge.payments.filter(({ status }) => status === 'AUTHORIZED')
  return authorized.map((payment) => ({ payment, type: 'VOID', amount: payment.amount }))
}

function refundsOf(charge: Charge, { amount }: RefundRequest): Wanted[] {
  const refundable = charge.payments.map((payment) => ({ payment, left: refundableOf(charge, payment) }))
  const most = sumOf(refundable.map(({ left }) => left))
  let remaining = amount ?? most
  if (remaining > most && remaining <= sumOf(charge.payments.map((payment) => leftOf(charge, payment)))) {
    throw disputed(charge, most)
  }
  if (remaining > most || remaining === 0) throw refundExceeds(remaining, most)
  if (remaining < most && !isBelowLimit(charge)) throw onlyTheRest(charge, most)
  const wanted: Wanted[] = []
  for (const { payment, left } of refundable) {
    const part = Math.min(left, remaining)
    if (part === 0) continue
    wanted.push({ payment, type: 'REFUND', amount: part })
    remaining -= part
  }
  return wanted
}

/** What a dispute has withdrawn is with the issuer: given back once more, it would be paid twice. */
function disputed(charge: Charge, most: number): DomainError {
  const members = { currentStatus: charge.status, allowedActions: allowedActions(charge) }
  return new DomainError(
    'failed_precondition',
    'CHARGE_DISPUTED',
    `The card holder disputes this charge through the issuer, which already took the money. ${most} cents can still be refunded.`,
    { members, errors: [{ pointer: '#/amount', code: 'MAX', detail: `must be at most ${most}` }] },
  )
}

function onlyTheRest(charge: Charge, most: number): DomainError {
  const members = { currentStatus: charge.status, allowedActions: allowedActions(charge) }
  return new DomainError(
    'failed_precondition',
    'INVALID_CHARGE_STATE',
    `After this many operations, you can only refund the whole rest: ${most}.`,
    { members, errors: [{ pointer: '#/amount', code: 'MIN', detail: `must be ${most}` }] },
  )
}

function refundExceeds(wanted: number, most: number): DomainError {
  return new DomainError(
    'failed_precondition',
    'REFUND_EXCEEDS_CAPTURED',
    `${wanted} cents were requested; ${most} can still be refunded.`,
    { errors: [{ pointer: '#/amount', code: 'MAX', detail: `must be at most ${most}` }] },
  )
}
