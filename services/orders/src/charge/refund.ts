import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import {
  allowedActions,
  capturableOf,
  refundableOf,
  requireAction,
  type Charge,
  type Payment,
  type Terms,
  type Transaction,
} from './charge'
import { hasRoom, withRequests } from './room'
import { askBy, requested } from './transaction'
import { transition, type Decision } from './transition'

export type RefundRequest = {
  /** Cents; undefined: all that is left. */
  amount: number | undefined
  reason: string | null
}

/**
 * The intention to give money back. Before the capture it voids the whole authorization. After it, it refunds any part
 * of the captured amount, payments in their order; a charge without room allows only the whole rest. Throws
 * FAILED_PRECONDITION INVALID_CHARGE_STATE, PARTIAL_VOID_UNSUPPORTED or REFUND_EXCEEDS_CAPTURED.
 */
export function requestRefund(charge: Charge, request: RefundRequest, terms: Terms): Decision {
  requireAction(charge, 'refund')
  const wanted = charge.status === 'AUTHORIZED' ? voidsOf(charge, request) : refundsOf(charge, request)
  const asked = wanted.map(({ payment, type, amount }) =>
    requested(charge, payment, { type, amount, reason: request.reason }, terms),
  )
  const transactions = withRequests(charge.transactions, asked)
  return transition(charge, { transactions, askAt: askBy(charge, terms.firstAskAt) }, terms.at)
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
  if (remaining > most || remaining === 0) throw refundExceeds(remaining, most)
  if (remaining < most && !hasRoom(charge)) throw onlyTheRest(charge, most)
  const wanted: Wanted[] = []
  for (const { payment, left } of refundable) {
    const part = Math.min(left, remaining)
    if (part === 0) continue
    wanted.push({ payment, type: 'REFUND', amount: part })
    remaining -= part
  }
  return wanted
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
