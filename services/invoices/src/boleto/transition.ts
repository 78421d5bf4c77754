import type { BankSlip, NotSent, Registration } from '../bank/bank'
import { barcodeOf, digitableLineOf } from './barcode'
import type { Boleto, BoletoStatus } from './boleto'
import { endOf, stillHolds } from './terms'

/** The bank registered a slip that differs from the one requested. */
export const BANK_DISAGREES = 'BANK_DISAGREES'

/** The registration never left. Our own `refusal` of a slip, in place of a code of the bank. */
export const NOT_SENT = 'NOT_SENT'

/** Where a slip may go from each state. Money that comes in makes it PAID from any state. */
const NEXT: Record<BoletoStatus, readonly BoletoStatus[]> = {
  PENDING: ['REGISTERED', 'REFUSED', 'CANCELLED', 'PAID'],
  REGISTERED: ['PAID', 'EXPIRED', 'CANCELLED'],
  EXPIRED: ['PAID', 'CANCELLED'],
  CANCELLED: ['PAID'],
  REFUSED: ['PAID'],
  PAID: [],
}

const DAY_MS = 86_400_000
/** How long after its end a slip is checked once more. By then the bank has reported any payment. */
const LAST_LOOK_MS = 3 * DAY_MS

/**
 * Only the seller's account can ask about a slip. While it is gone, we check this often, and this long, for its return.
 */
const ACCOUNT_ASKED_EVERY_MS = DAY_MS / 24
const ACCOUNT_AWAITED_MS = 7 * DAY_MS
/** Our own `refusal` of a slip that was given up, because nobody can ask the bank about it. */
export const NO_ACCOUNT = 'NO_ACCOUNT'

/** A change decided and not yet saved. `mark`: how the mark of the request for the slip ends. */
export type BoletoDecision = {
  boleto: Boleto
  mark?: { operationId: string; end: 'answered' | 'freed' }
}

/** Moves a slip. Throws for a move that its state does not allow. */
export function move(boleto: Boleto, status: BoletoStatus, changes: Partial<Boleto>, at: number): Boleto {
  if (!NEXT[boleto.status].includes(status)) throw new Error(`a boleto ${boleto.status} became ${status}`)
  return changed(boleto, { ...changes, status }, at)
}

export function changed(boleto: Boleto, changes: Partial<Boleto>, at: number): Boleto {
  return { ...boleto, ...changes, version: boleto.version + 1, updatedAt: at }
}

/** Cancels a slip that nobody should pay any more. The bank withdraws it as soon as possible. */
export function withdraw(boleto: Boleto, at: number): Boleto {
  return move(boleto, 'CANCELLED', { withdrawing: true, askAt: at }, at)
}

/** Notes that the bank has withdrawn a slip. It is checked once more for payments that were on their way. */
export function withdrawn(boleto: Boleto, at: number): Boleto {
  return changed(boleto, { withdrawing: false, askAt: at + LAST_LOOK_MS }, at)
}

/** Stops asking about a slip that the bank does not have: there is nothing to withdraw. */
function neverThere(boleto: Boleto, at: number): Boleto {
  return changed(boleto, { withdrawing: false, askAt: null, operationId: null }, at)
}

/** Cancels a slip whose money its invoice did not take. For the bank it is paid, so nobody can pay the rest with it. */
export function closedAtBank(boleto: Boleto, at: number): Boleto {
  return move(boleto, 'CANCELLED', { askAt: at + LAST_LOOK_MS }, at)
}

/** Makes a slip PAID: its invoice took the money. */
export function paid(boleto: Boleto, at: number): Boleto {
  const changes = { withdrawing: false, refusal: null, askAt: at + LAST_LOOK_MS }
  return move(boleto, 'PAID', changes, at)
}

/** Whether the bank registered the slip as requested. We compute its digits too, and compare them. */
export function agrees(boleto: Boleto, { barcode, digitableLine, amount }: BankSlip): boolean {
  const expected = barcodeOf(boleto)
  return barcode === expected && digitableLine === digitableLineOf(expected) && amount === boleto.amount
}

/** Applies the answer to a registration to a slip, which may have been withdrawn or paid meanwhile. */
export function recordRegistration(boleto: Boleto, outcome: Registration, at: number): BoletoDecision {
  if (outcome.result === 'unknown' || outcome.result === 'duplicate') return answered(boleto, boleto, at)
  if (outcome.result === 'registered') {
    const { barcode, digitableLine, beneficiary } = outcome.slip
    const known = { barcode, digitableLine, beneficiary }
    if (boleto.status !== 'PENDING') return answered(boleto, changed(boleto, known, at), at)
    return answered(boleto, move(boleto, 'REGISTERED', { ...known, askAt: nextLook(boleto, at) }, at), at)
  }
  return { boleto: refused(boleto, outcome, at), ...markOf(boleto, 'freed') }
}

function refused(boleto: Boleto, outcome: { result: 'refused'; code: string } | NotSent, at: number): Boleto {
  const refusal = outcome.result === 'refused' ? outcome.code : NOT_SENT
  if (boleto.status === 'PENDING') {
    return move(boleto, 'REFUSED', { refusal, askAt: null, operationId: null }, at)
  }
  // The bank still has the slip with the other digits: it is withdrawn, or checked, as before.
  return refusal === BANK_DISAGREES ? changed(boleto, { operationId: null }, at) : neverThere(boleto, at)
}

function answered(before: Boleto, after: Boleto, at: number): BoletoDecision {
  if (before.operationId === null) return { boleto: after }
  const boleto =
    after === before ? changed(after, { operationId: null }, at) : { ...after, operationId: null }
  return { boleto, ...markOf(before, 'answered') }
}

function markOf({ operationId }: Boleto, end: 'answered' | 'freed'): Pick<BoletoDecision, 'mark'> {
  return operationId === null ? {} : { mark: { operationId, end } }
}

/** Applies the bank's answer about a slip. `cancelled`: the bank accepts no payment of it any more. */
export function recordLook(boleto: Boleto, { cancelled }: { cancelled: boolean }, at: number): Boleto {
  const last = at + LAST_LOOK_MS
  if (boleto.status === 'REGISTERED') {
    if (!stillHolds(boleto, at)) return move(boleto, 'EXPIRED', { askAt: last }, at)
    if (cancelled) return move(boleto, 'CANCELLED', { askAt: last }, at)
    return changed(boleto, { askAt: nextLook(boleto, at) }, at)
  }
  return changed(boleto, { askAt: null }, at)
}

/**
 * Notes that the seller's account is gone, so that nobody can ask the bank about a slip. After a week it is given up;
 * money that the bank reports is still taken. A slip that can still be paid is given up after its last day.
 */
export function withoutAccount(boleto: Boleto, at: number): BoletoDecision {
  const accountGoneAt = boleto.accountGoneAt ?? at
  if (at < accountGoneAt + ACCOUNT_AWAITED_MS) {
    return { boleto: changed(boleto, { accountGoneAt, askAt: at + ACCOUNT_ASKED_EVERY_MS }, at) }
  }
  if (boleto.status === 'PENDING') {
    const ended = { refusal: NO_ACCOUNT, askAt: null, operationId: null }
    return { boleto: move(boleto, 'REFUSED', ended, at), ...markOf(boleto, 'freed') }
  }
  if (boleto.status !== 'REGISTERED') return { boleto: neverThere(boleto, at) }
  if (!stillHolds(boleto, at)) return { boleto: move(boleto, 'EXPIRED', { askAt: null }, at) }
  return { boleto: changed(boleto, { askAt: nextLook(boleto, at) }, at) }
}

/** Notes that the seller has an account again. */
export function withAccount(boleto: Boleto, at: number): Boleto {
  return boleto.accountGoneAt === null ? boleto : changed(boleto, { accountGoneAt: null }, at)
}

/** The next check of a slip: once a day, and when its last day is over. */
function nextLook({ payableUntil }: Boleto, at: number): number {
  return Math.min(at + DAY_MS, Math.max(at, endOf(payableUntil)) + 1)
}
