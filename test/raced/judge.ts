import { isDeepStrictEqual } from 'node:util'
import type { ChargeJson } from '@cofre/api/charge'
import { become, decide, settled, statusOf, unanswered, type Fate, type Money, type Operation } from './money'
import type { AtAcquirer, FaultKind } from './outside'
import type { Answer } from './seller'

/** An answer that the model allows, and the money as it is then. */
export type Allowed = { status: number; code: string | null; money: Money }

/** The parts of a charge that the model predicts. */
type View = { status: string; authorized: number; captured: number; refunded: number; pending: string[] }

/** The allowed answers to a capture or refund. Pending work may settle before, or between the effect and the answer. */
export function answersTo(
  money: Money,
  {
    wanted,
    amount,
    fault,
  }: { wanted: 'capture' | 'refund'; amount?: number | undefined; fault: FaultKind | null },
): Allowed[] {
  return [money, settled(money)].flatMap((before): Allowed[] => {
    const decision = decide(before, wanted, amount)
    if (typeof decision === 'string') return [{ status: 422, code: decision, money: before }]
    return outcomes(before, decision, fault, 'done')
  })
}

/** The allowed outcomes of an operation that is sent to the acquirer; `due`: the acquirer's own decision. */
export function outcomes(money: Money, operation: Operation, fault: FaultKind | null, due: Fate): Allowed[] {
  if (fault === 'NOT_REACHED') return [{ status: 503, code: 'SERVICE_UNAVAILABLE', money }]
  const fate = fault === 'HTTP_500' ? 'nothing' : due
  const answered = fault === null || fault === 'SLOW'
  const after = answered ? become(money, operation, fate) : unanswered(money, operation, fate)
  return [after, settled(after)].map((now) => ({ status: 201, code: null, money: now }))
}

/** The allowed answer that this answer matches. */
export function allowedAs(answer: Answer, allowed: readonly Allowed[]): Allowed | undefined {
  const { status, code, body, retryAfter } = answer
  return allowed.find((one) => {
    if (status !== one.status || code !== one.code) return false
    if (status === 503) return retryAfter !== null
    if (status === 422) return body.currentStatus === undefined || body.currentStatus === statusOf(one.money)
    const isPending = one.money.pending.length > 0
    return shows(body, one.money) && isPending === (retryAfter !== null)
  })
}

export function shows(charge: ChargeJson, money: Money): boolean {
  return isDeepStrictEqual(viewOf(charge), viewIn(money))
}

export function viewOf(charge: ChargeJson): View {
  const { status, authorizedAmount, capturedAmount, refundedAmount, transactions } = charge
  const pending = transactions.filter((one) => one.status === 'PENDING')
  return {
    status,
    authorized: authorizedAmount,
    captured: capturedAmount,
    refunded: refundedAmount,
    pending: pending.map(({ type, amount }) => `${type} ${amount}`).sort(),
  }
}

export function viewIn(money: Money): View {
  const { authorized, captured, refunded, pending } = money
  const asked = pending.map(({ type, amount }) => `${type} ${amount}`).sort()
  return { status: statusOf(money), authorized, captured, refunded, pending: asked }
}

/** The faults within a charge: totals that are not the sums of its transactions, a payment in another status. */
export function faultsOf(charge: ChargeJson): string[] {
  const sum = (type: string) =>
    charge.transactions
      .filter((one) => one.type === type && one.status === 'SUCCEEDED')
      .reduce((total, { amount }) => total + amount, 0)
  const faults: string[] = []
  if (sum('CAPTURE') !== charge.capturedAmount) faults.push('captured is not the sum of its captures')
  if (sum('REFUND') !== charge.refundedAmount) faults.push('refunded is not the sum of its refunds')
  if (charge.refundedAmount > charge.capturedAmount) faults.push('more refunded than captured')
  if (charge.capturedAmount > charge.authorizedAmount) faults.push('more captured than authorized')
  if (charge.payments.length === 1 && charge.payments[0]?.status !== charge.status)
    faults.push(`its payment is ${charge.payments[0]?.status}`)
  return faults
}

/** The payment at the acquirer when nothing is pending; undefined when it has none. Whole voids differ by the day. */
export function truthOf(
  money: Money,
): (Omit<AtAcquirer, 'status'> & { voided: boolean; declined: boolean }) | undefined {
  const { amount, authorized, captured, refunded, voided, ended } = money
  if (ended === 'FAILED') return undefined
  return {
    amount,
    authorizedAmount: authorized,
    capturedAmount: captured,
    voidedAmount: voided ? authorized : refunded,
    voided: voided || (captured > 0 && captured === refunded),
    declined: ended === 'DENIED',
  }
}

export function truthAt({ status, ...payment }: AtAcquirer) {
  const { amount, authorizedAmount, capturedAmount, voidedAmount } = payment
  const voided = status === 10 || status === 11
  return { amount, authorizedAmount, capturedAmount, voidedAmount, voided, declined: status === 3 }
}
