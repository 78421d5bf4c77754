import type { BankSlip, NotSent, Registration } from '../bank/bank'
import { barcodeOf, digitableLineOf } from './barcode'
import type { Boleto, BoletoStatus } from './boleto'
import { endOf, stillHolds } from './terms'

/** The bank has registered something else than it was asked for. */
export const BANK_DISAGREES = 'BANK_DISAGREES'

/** The registration never left: what a slip's `refusal` says in place of the bank's words. */
export const NOT_SENT = 'NOT_SENT'

/** Where a slip may go from each state. Money that comes in makes it PAID from any. */
const NEXT: Record<BoletoStatus, readonly BoletoStatus[]> = {
  PENDING: ['REGISTERED', 'REFUSED', 'CANCELLED', 'PAID'],
  REGISTERED: ['PAID', 'EXPIRED', 'CANCELLED'],
  EXPIRED: ['PAID', 'CANCELLED'],
  CANCELLED: ['PAID'],
  REFUSED: ['PAID'],
  PAID: [],
}

const DAY_MS = 86_400_000
/** A payment that the bank has told of by then, or never will: after its end a slip is asked about once more. */
const LAST_LOOK_MS = 3 * DAY_MS

/** The bank is asked about a slip by its seller's account; so often, and for so long, it is looked whether that is back. */
const ACCOUNT_ASKED_EVERY_MS = DAY_MS / 24
const ACCOUNT_AWAITED_MS = 7 * DAY_MS
/** Why a slip was given up: nobody can ask the bank about it. */
export const NO_ACCOUNT = 'NO_ACCOUNT'

/** A change decided and not yet saved. `mark`: what becomes of the mark of the request that asked for the slip. */
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

/** Nobody is to pay it any more: the bank is told as soon as can be. */
export function withdraw(boleto: Boleto, at: number): Boleto {
  return move(boleto, 'CANCELLED', { withdrawing: true, askAt: at }, at)
}

/** The bank knows that nobody is to pay it; what was on the way to it then is asked for once more. */
export function withdrawn(boleto: Boleto, at: number): Boleto {
  return changed(boleto, { withdrawing: false, askAt: at + LAST_LOOK_MS }, at)
}

/** The bank has no such slip: nothing is to be withdrawn. */
function neverThere(boleto: Boleto, at: number): Boleto {
  return changed(boleto, { withdrawing: false, askAt: null, operationId: null }, at)
}

/** Money came in for it that its invoice did not take: the bank takes no more, and asks nobody for the rest. */
export function closedAtBank(boleto: Boleto, at: number): Boleto {
  return move(boleto, 'CANCELLED', { askAt: at + LAST_LOOK_MS }, at)
}

/** Money came in for it that its invoice took. */
export function paid(boleto: Boleto, at: number): Boleto {
  const changes = { withdrawing: false, refusal: null, askAt: at + LAST_LOOK_MS }
  return move(boleto, 'PAID', changes, at)
}

/** Whether what the bank has registered is what was asked for: its digits are counted here too. */
export function agrees(boleto: Boleto, { barcode, digitableLine, amount }: BankSlip): boolean {
  const expected = barcodeOf(boleto)
  return barcode === expected && digitableLine === digitableLineOf(expected) && amount === boleto.amount
}

/** What an answer to a registration makes of a slip, which may have been withdrawn or paid meanwhile. */
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
  // Of other digits than ours the bank has one all the same: it is withdrawn, or looked at, as before.
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

/** What the bank's answer about a registered slip makes of it. `cancelled`: the bank says that it takes it no more. */
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
 * The seller's account is gone, and nobody can ask the bank about a slip. After a week it is given up; money that the bank
 * tells of is taken all the same. One that payers still hold is given up with its last day.
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

/** The seller has an account again. */
export function withAccount(boleto: Boleto, at: number): Boleto {
  return boleto.accountGoneAt === null ? boleto : changed(boleto, { accountGoneAt: null }, at)
}

/** Once a day, and at its end. */
function nextLook({ payableUntil }: Boleto, at: number): number {
  return Math.min(at + DAY_MS, Math.max(at, endOf(payableUntil)) + 1)
}
