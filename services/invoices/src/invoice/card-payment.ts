import { failureOf, type Failure } from './failure'
import type { AuthenticationEffect, Decline, Transaction, TransactionStatus, WholeInvoice } from './invoice'
import { canBePaid, isBeingPaid } from './transition'

/** Where an attempt to pay may go from each state. FAILED to PENDING: what nobody knew of turns up late. */
const NEXT: Record<TransactionStatus, readonly TransactionStatus[]> = {
  PENDING: ['PENDING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: ['SUCCEEDED'],
  FAILED: ['FAILED', 'PENDING'],
}

/** Absent: no authentication was sent. */
type Authenticated = { authentication?: AuthenticationEffect | undefined }

/**
 * What the orders service says of a payment. `pending`: not known yet; `chargeId` null: not even whether it has a charge.
 * `held`: the acquirer authorized it and did not capture the whole, and nothing more is on its way. `failed`: its charge came to nothing, and no issuer declined it. `absent`: nothing was done.
 */
export type CardOutcome =
  | ({ result: 'captured'; chargeId: number; refundedAmount: number } & Authenticated)
  | ({ result: 'denied'; chargeId: number; decline: Decline | null } & Authenticated)
  | { result: 'held'; chargeId: number }
  | { result: 'failed'; chargeId: number }
  | { result: 'pending'; chargeId: number | null }
  | { result: 'absent'; refusal?: Refusal }

/**
 * Who refused a payment by which nothing was done, where that says what comes next. `busy`: too much at once, wait so
 * long. `card`: it can't be paid with. `token`: its network token can't, the card itself may. `seller`: the seller's
 * set-up, or the request itself.
 */
export type Refusal =
  | { by: 'busy'; waitMs: number }
  | { by: 'card' }
  | { by: 'token' }
  | { by: 'seller'; isOfEstablishment: boolean }

/**
 * What an outcome makes of an attempt to pay, decided and not yet saved. `effect`: what becomes of the invoice. `mark`:
 * what becomes of the request's idempotency key; freed: the request may be made anew.
 */
export type Settlement = {
  transaction: Transaction
  effect: { is: 'paid' } | { is: 'failed' } | { is: 'refunded'; amount: number } | { is: 'none' }
  mark: 'answered' | 'freed' | undefined
}

/** When the orders service is asked once more about what succeeded: a refund may have been told before we knew the charge. */
const LOOK_AGAIN_MS = 60_000
/** When it is asked once more about what it did not know. */
const LOOK_LATE_MS = 600_000

/**
 * `at`: now, epoch milliseconds. `askAt`: when to ask again about what is pending. `isAnswered`: the caller gets the
 * outcome as the answer; without, a sweeper or an event brings it, and the seller is told by events alone.
 */
export type Moment = { at: number; askAt: number; isAnswered: boolean }

/** What the orders service says makes of an attempt to pay an invoice. Undefined: nothing. */
export function settle(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: CardOutcome,
  moment: Moment,
): Settlement | undefined {
  if (transaction.status === 'SUCCEEDED') return lookAgain(invoice, transaction, outcome, moment)
  if (transaction.status === 'FAILED') return lookLate(invoice, transaction, outcome, moment)
  if (transaction.giveBack) return givingBack(invoice, transaction, outcome, moment)
  if (outcome.result === 'captured') return captured(invoice, transaction, outcome, moment)
  // An invoice takes the whole, or nothing.
  if (outcome.result === 'held') return giveBack(transaction, outcome, moment)
  if (outcome.result === 'pending') return pending(transaction, outcome.chargeId, moment)
  const isAbsent = outcome.result === 'absent'
  const ended = move(transaction, 'FAILED', moment.at, {
    orderChargeId: isAbsent ? transaction.orderChargeId : outcome.chargeId,
    decline: outcome.result === 'denied' ? outcome.decline : null,
    failure: failureBy(outcome),
    authentication: (outcome.result === 'denied' && outcome.authentication) || null,
    // Once more, where a caller that is gone left nothing to hear.
    askAt: isAbsent && !moment.isAnswered ? moment.at + LOOK_LATE_MS : null,
  })
  // The answer itself says what was not sent; a decline is told too.
  const isTold = canBePaid(invoice) && (outcome.result === 'denied' || !moment.isAnswered)
  return {
    transaction: ended,
    effect: isTold ? { is: 'failed' } : { is: 'none' },
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
): Settlement {
  // Another payment was faster: this money is nobody's, and goes back.
  if (!canBePaid(invoice)) return giveBack(transaction, outcome, moment)
  const { at } = moment
  const { chargeId: orderChargeId, authentication = null } = outcome
  const taken = { orderChargeId, authentication, askAt: at + LOOK_AGAIN_MS }
  const succeeded = move(transaction, 'SUCCEEDED', at, taken)
  return { transaction: succeeded, effect: { is: 'paid' }, mark: 'answered' }
}

function giveBack(transaction: Transaction, { chargeId }: { chargeId: number }, { at }: Moment): Settlement {
  const back = move(transaction, 'PENDING', at, { orderChargeId: chargeId, giveBack: true, askAt: at })
  return { transaction: back, effect: { is: 'none' }, mark: 'answered' }
}

function pending(
  transaction: Transaction,
  chargeId: number | null,
  { at, askAt, isAnswered }: Moment,
): Settlement | undefined {
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
): Settlement | undefined {
  const isBack =
    outcome.result === 'failed' ||
    (outcome.result === 'captured' && outcome.refundedAmount >= transaction.amount)
  if (!isBack) return undefined
  const ended = move(transaction, 'FAILED', at, { giveBack: false, askAt: null, failure: 'GIVEN_BACK' })
  // Of one that is paid otherwise, nobody is told.
  return { transaction: ended, effect: { is: canBePaid(invoice) ? 'failed' : 'none' }, mark: undefined }
}

function lookAgain(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: CardOutcome,
  { at, isAnswered }: Moment,
): Settlement | undefined {
  if (outcome.result !== 'captured' || isAnswered) return undefined
  // Of a fee that the payer bore, the invoice knows nothing.
  const amount = Math.min(outcome.refundedAmount, invoice.paidAmount)
  const isMore = amount > invoice.refundedAmount
  if (!isMore && transaction.askAt === null) return undefined
  const seen = move(transaction, 'SUCCEEDED', at, { askAt: null })
  return { transaction: seen, effect: isMore ? { is: 'refunded', amount } : { is: 'none' }, mark: undefined }
}

function lookLate(
  invoice: WholeInvoice,
  transaction: Transaction,
  outcome: CardOutcome,
  { at }: Moment,
): Settlement | undefined {
  if (transaction.askAt === null) return undefined
  const none = { effect: { is: 'none' }, mark: undefined } as const
  const chargeId = 'chargeId' in outcome ? outcome.chargeId : null
  const mayBeMoney = mayMoveMoney(outcome)
  if (!mayBeMoney) return { transaction: move(transaction, 'FAILED', at, { askAt: null }), ...none }
  // One at a time: it is asked about again.
  if (isBeingPaid(invoice)) return undefined
  const late = { orderChargeId: chargeId, askAt: at, decline: null, failure: null }
  return { transaction: move(transaction, 'PENDING', at, late), ...none }
}

/** Whether a payer may have paid, or be held to pay. */
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
