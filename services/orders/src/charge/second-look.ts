import type { Found } from '../acquirer/acquirer'
import { recordAuthorization, turnOf } from './authorization'
import { pendingOf, type Charge, type ChargeStatus, type Payment } from './charge'
import { unchanged, type Decision } from './transition'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How long after a charge ended the acquirer is still asked when its answer is unclear. */
const LAST_MS = 7 * DAY_MS

/**
 * Plans a second look at a charge that fails because the acquirer knows no sale of it, or is denied by an unsure
 * decline, which leaves the outcome open. Its sale may still turn up approved.
 */
export function withSecondLook(decision: Decision, at: number): Decision {
  const { charge } = decision
  // Late money of a Pix is found when the books are compared.
  if (!isEnd(charge.status) || charge.amount === 0 || charge.acquirer === 'pix') return decision
  return { ...decision, charge: { ...charge, absentSince: at, lookAgainAt: at + HOUR_MS } }
}

/** The payment that was sent, and with which the charge failed or was denied. */
export function failedPayment(charge: Charge): Payment | undefined {
  return charge.payments.find(
    ({ status, position }) =>
      isEnd(status) && turnOf(charge, position).authorization.dispatchDeadline !== null,
  )
}

function isEnd(status: ChargeStatus): boolean {
  return status === 'FAILED' || status === 'DENIED'
}

export type Look = {
  /** Undefined when nothing was learned: the charge is looked at again soon. */
  decision: Decision | undefined
  verdict: 'holds' | 'unclear' | 'late' | 'unexplained'
}

/** Decides on a failed or denied charge by the acquirer's new answer. A late approval is given back. */
export function lookAt(charge: Charge, payment: Payment, found: Found, at: number): Look {
  const since = charge.absentSince ?? at
  const next = [since + HOUR_MS, since + DAY_MS].find((time) => time > at) ?? null
  const looked = () => withNextLook(unchanged(charge), next)
  const voiding = pendingOf(charge, 'VOID').some(({ position }) => position === payment.position)
  if (found.result === 'absent' || voiding) return { decision: looked(), verdict: 'holds' }
  if (found.result === 'several') return { decision: looked(), verdict: 'unexplained' }
  const held = found.result === 'found' && (found.state === 'authorized' || found.state === 'captured')
  if (found.result === 'found' && held) {
    if (found.amount !== payment.amount) return { decision: looked(), verdict: 'unexplained' }
    return { decision: giveBack(charge, payment, found, at), verdict: 'late' }
  }
  // The same unsure decline that denied the charge says nothing new.
  const isUnclear = found.result !== 'found' || found.state === 'undecided' || found.state === 'unsure'
  const isSame = found.result === 'found' && found.state === 'unsure' && charge.status === 'DENIED'
  if (!isUnclear || isSame) return { decision: looked(), verdict: 'holds' }
  const isLast = since + LAST_MS <= at
  const decision = isLast ? withNextLook(unchanged(charge), null) : undefined
  return { decision, verdict: 'unclear' }
}

function giveBack(
  charge: Charge,
  { position }: Payment,
  { reference, state }: Extract<Found, { result: 'found' }>,
  at: number,
): Decision {
  const approved = { result: 'approved' as const, captured: state === 'captured', reference }
  const terms = { at, deadline: at, firstAskAt: at }
  return withNextLook(recordAuthorization(charge, position, approved, terms), null)
}

function withNextLook(decision: Decision, lookAgainAt: number | null): Decision {
  return { ...decision, charge: { ...decision.charge, lookAgainAt } }
}
