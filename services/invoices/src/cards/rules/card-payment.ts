import { failureOf, type Failure } from '../../invoice/rules/failure'
import type {
  AuthenticationEffect,
  Decline,
  Transaction,
  TransactionStatus,
  WholeInvoice,
} from '../../invoice/rules/invoice'
import { owedAt } from '../../invoice/rules/late-charges'
import { sumOf, type CardFacts } from '../../invoice/rules/movement'
import { canBePaid, isBeingPaid } from '../../invoice/rules/transition'

/** Where an attempt to pay may go from each state. FAILED to PENDING: a charge that nobody knew of turns up late. */
const NEXT: Record<TransactionStatus, readonly TransactionStatus[]> = {
  PENDING: ['PENDING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: ['SUCCEEDED'],
  FAILED: ['FAILED', 'PENDING'],
}

/** Absent: no authentication was sent. */
type Authenticated = { authentication?: AuthenticationEffect | undefined }

/**
 * The outcome of a payment at the orders service. `pending`: not known; `chargeId` null: it may have no charge. `held`:
 * authorized, not captured whole, and nothing is on its way. `failed`: without a decline. `absent`: nothing was done.
 */
export type CardOutcome =
  | ({ result: 'captured'; chargeId: number; refundedAmount: number; card: CardFacts | null } & Authenticated)
  | ({ result: 'denied'; chargeId: number; decline: Decline | null } & Authenticated)
  | { result: 'held'; chargeId: number }
  | { result: 'failed'; chargeId: number }
  | { result: 'pending'; chargeId: number | null }
  | { result: 'absent'; refusal?: Refusal }

/**
 * Who refused a payment before anything was done, if that decides the next step. `busy`: too much at once; `waitMs` is
 * the wait. `card`: it can't be used. `token`: the network token can't be used, the card may be. `seller`: its set-up,
 * or the request.
 */
export type Refusal =
  | { by: 'busy'; waitMs: number }
  | { by: 'card' }
  | { by: 'token' }
  | { by: 'seller'; isOfEstablishment: boolean }

/**
 * The decision on an attempt to pay, not yet saved. `effect`: what changes for the invoice. `mark`: how the request's
 * idempotency key ends; freed: the request may be made again.
 */
export type Resolved = {
  transaction: Transaction
  /** `refunded`: the part of what the invoice took, and of the fee that the payer bore; cents. */
  effect: { is: 'paid' } | { is: 'failed' } | { is: 'refunded'; amount: number; fee: number } | { is: 'none' }
  mark: 'answered' | 'freed' | undefined
}

/** When a payment that succeeded is asked about once more: a refund's event may have come before we knew the charge. */
const LOOK_AGAIN_MS = 60_000
/** When the orders service is asked once more about a payment that it did not know. */
const LOOK_LATE_MS = 600_000

/**
 * `at`: now, epoch milliseconds. `askAt`: when a pending payment is asked about again. `isAnswered`: the caller gets
 * the outcome as its answer; otherwise a sweeper or an event brings it, and only events notify the seller.
 */
export type Moment = { at: number; askAt: number; isAnswered: boolean }

/** Applies an outcome of the orders service to an attempt to pay an invoice. Undefined when nothing changes. */
export function resolveOutcome(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: CardOutcome,
  moment: Moment,
): Resolved | undefined {
  if (transaction.status === 'SUCCEEDED') return lookAgain(transaction, outcome, moment)
  if (transaction.status === 'FAILED') return lookLate(invoice, transaction, outcome, moment)
  if (transaction.giveBack) return givingBack(invoice, transaction, outcome, moment)
  if (outcome.result === 'captured') return captured(invoice, transaction, outcome, moment)
  // An invoice takes the whole amount, or nothing.
  if (outcome.result === 'held') return giveBack(transaction, outcome, moment)
  if (outcome.result === 'pending') return pending(transaction, outcome.chargeId, moment)
  const isAbsent = outcome.result === 'absent'
  const ended = move(transaction, 'FAILED', moment.at, {
    orderChargeId: isAbsent ? transaction.orderChargeId : outcome.chargeId,
    decline: outcome.result === 'denied' ? outcome.decline : null,
    failure: failureBy(outcome),
    authentication: (outcome.result === 'denied' && outcome.authentication) || null,
    // Asked once more when no caller got a refusal: only the silence of the orders service says that nothing was done.
    askAt: isAbsent && !moment.isAnswered ? moment.at + LOOK_LATE_MS : null,
  })
  // The answer itself reports a payment that was not sent; a decline has its event, too.
  const isNotified = canBePaid(invoice) && (outcome.result === 'denied' || !moment.isAnswered)
  return {
    transaction: ended,
    effect: isNotified ? { is: 'failed' } : { is: 'none' },
    mark: outcome.result === 'denied' ? 'answered' : 'freed',
  }
}

function failureBy(outcome: CardOutcome): Failure | null {
  if (outcome.result === 'absent') return failureOf(outcome.refusal?.by)
  return outcome.result === 'denied' && outcome.decline ? null : 'CHARGE_FAILED'
}

function captured(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: { chargeId: number } & Authenticated,
  moment: Moment,
): Resolved {
  // Another payment was faster, so this money goes back: an invoice takes all of a card's, or nothing.
  if (!canTake(invoice, transaction)) return giveBack(transaction, outcome, moment)
  const { at } = moment
  const { chargeId: orderChargeId, authentication = null } = outcome
  const taken = { orderChargeId, authentication, askAt: at + LOOK_AGAIN_MS }
  const succeeded = move(transaction, 'SUCCEEDED', at, taken)
  return { transaction: succeeded, effect: { is: 'paid' }, mark: 'answered' }
}

function canTake(invoice: WholeInvoice, { payable, createdAt }: Transaction): boolean {
  if (!canBePaid(invoice)) return false
  const isUntouched = invoice.paidAmount === 0 && invoice.writtenOffAmount === 0
  return isUntouched || payable <= sumOf(owedAt(invoice, createdAt))
}

function giveBack(transaction: Transaction, { chargeId }: { chargeId: number }, { at }: Moment): Resolved {
  const back = move(transaction, 'PENDING', at, { orderChargeId: chargeId, giveBack: true, askAt: at })
  return { transaction: back, effect: { is: 'none' }, mark: 'answered' }
}

function pending(
  transaction: Transaction,
  chargeId: number | null,
  { at, askAt, isAnswered }: Moment,
): Resolved | undefined {
  const isNews = chargeId !== null && transaction.orderChargeId === null
  if (!isNews && !isAnswered) return undefined
  const orderChargeId = chargeId ?? transaction.orderChargeId
  const waiting = move(transaction, 'PENDING', at, { orderChargeId, askAt })
  return { transaction: waiting, effect: { is: 'none' }, mark: isAnswered ? 'answered' : undefined }
}

function givingBack(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: CardOutcome,
  { at }: Moment,
): Resolved | undefined {
  const isBack =
    outcome.result === 'failed' ||
    (outcome.result === 'captured' && outcome.refundedAmount >= transaction.amount)
  if (!isBack) return undefined
  const ended = move(transaction, 'FAILED', at, { giveBack: false, askAt: null, failure: 'GIVEN_BACK' })
  // An invoice that can't be paid any more gets no event about this.
  return { transaction: ended, effect: { is: canBePaid(invoice) ? 'failed' : 'none' }, mark: undefined }
}

function lookAgain(
  transaction: Transaction,
  outcome: CardOutcome,
  { at, isAnswered }: Moment,
): Resolved | undefined {
  if (outcome.result !== 'captured' || isAnswered) return undefined
  const refunded = Math.min(outcome.refundedAmount, transaction.amount)
  const isMore = refunded > transaction.refunded
  if (!isMore && transaction.askAt === null) return undefined
  const seen = move(transaction, 'SUCCEEDED', at, {
    askAt: null,
    refunded: isMore ? refunded : transaction.refunded,
  })
  if (!isMore) return { transaction: seen, effect: { is: 'none' }, mark: undefined }
  const back = goingBack(transaction, refunded - transaction.refunded)
  return { transaction: seen, effect: { is: 'refunded', ...back }, mark: undefined }
}

/**
 * The parts of money of a payment that goes back, cents; negative when so much comes again. A fee that the payer bore
 * goes back in proportion. What goes back beyond the payment is none of the fee.
 */
export function goingBack(transaction: Transaction, change: number): { amount: number; fee: number } {
  const before = transaction.refunded + transaction.disputed
  const fee = feeOf(transaction, before + change) - feeOf(transaction, before)
  return { amount: change - fee, fee }
}

function feeOf({ amount, payable }: Transaction, gone: number): number {
  const inside = Math.min(gone, amount)
  if (inside === 0) return 0
  return inside - Number((BigInt(inside) * BigInt(payable) * 2n + BigInt(amount)) / (BigInt(amount) * 2n))
}

function lookLate(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: CardOutcome,
  { at }: Moment,
): Resolved | undefined {
  if (transaction.askAt === null) return undefined
  const none = { effect: { is: 'none' }, mark: undefined } as const
  const chargeId = 'chargeId' in outcome ? outcome.chargeId : null
  const mayBeMoney = mayMoveMoney(outcome)
  if (!mayBeMoney) return { transaction: move(transaction, 'FAILED', at, { askAt: null }), ...none }
  // One payment at a time may be pending: this one is asked about again.
  if (isBeingPaid(invoice)) return undefined
  const late = { orderChargeId: chargeId, askAt: at, decline: null, failure: null }
  return { transaction: move(transaction, 'PENDING', at, late), ...none }
}

/** Whether money of the payer may have moved, or may be held. */
export function mayMoveMoney({ result }: CardOutcome): boolean {
  return result === 'captured' || result === 'held' || result === 'pending'
}

function move(
  transaction: Transaction,
  status: TransactionStatus,
  at: number,
  changes: Partial<Transaction>,
): Transaction {
  if (!NEXT[transaction.status].includes(status)) {
    throw new Error(`a payment that is ${transaction.status} cannot become ${status}`)
  }
  return { ...transaction, ...changes, status, updatedAt: at }
}
