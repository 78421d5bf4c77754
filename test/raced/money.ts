/** The money of one charge as its seller may count on it, in cents. */
export type Money = {
  readonly amount: number
  /** Authorized and captured in one step. */
  readonly direct: boolean
  readonly authorized: number
  readonly captured: number
  readonly refunded: number
  readonly voided: boolean
  /** Why nothing was authorized. */
  readonly ended: 'DENIED' | 'FAILED' | null
  /** Operations that were sent and not answered: only the acquirer knows their fate. */
  readonly pending: readonly (Operation & { fate: Fate })[]
}
export type Operation = { type: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'VOID'; amount: number }
export type Fate = 'done' | 'denied' | 'nothing'

export function newMoney(amount: number, direct: boolean): Money {
  const nothing = { authorized: 0, captured: 0, refunded: 0, voided: false, ended: null, pending: [] }
  return { amount, direct, ...nothing }
}

/** The operation of a capture or refund, or the code that refuses it. `asked`: undefined is all. */
export function decide(money: Money, wanted: 'capture' | 'refund', asked?: number): Operation | string {
  const { authorized, captured, refunded, voided, pending } = money
  if (authorized > 0 && captured === 0 && !voided && pending.length === 0) {
    if (asked !== undefined && asked > authorized) return exceeds(wanted)
    if (wanted === 'capture') return { type: 'CAPTURE', amount: asked ?? authorized }
    return asked !== undefined && asked < authorized
      ? 'PARTIAL_VOID_UNSUPPORTED'
      : { type: 'VOID', amount: authorized }
  }
  if (wanted === 'capture' || captured === refunded) return 'INVALID_CHARGE_STATE'
  const left = captured - refunded - pending.reduce((sum, { amount }) => sum + amount, 0)
  return (asked ?? left) > left || left === 0 ? exceeds(wanted) : { type: 'REFUND', amount: asked ?? left }
}

/** The money after an operation with this fate. */
export function become(money: Money, { type, amount }: Operation, fate: Fate): Money {
  if (type === 'AUTHORIZATION') {
    if (fate !== 'done') return { ...money, ended: fate === 'denied' ? 'DENIED' : 'FAILED' }
    return { ...money, authorized: amount, captured: money.direct ? amount : 0 }
  }
  if (fate !== 'done') return money
  if (type === 'CAPTURE') return { ...money, captured: amount }
  return type === 'REFUND' ? { ...money, refunded: money.refunded + amount } : { ...money, voided: true }
}

export function unanswered(money: Money, operation: Operation, fate: Fate): Money {
  return { ...money, pending: [...money.pending, { ...operation, fate }] }
}

/** The money once the acquirer has reported the fate of all pending operations. */
export function settled(money: Money): Money {
  return money.pending.reduce((now, one) => become(now, one, one.fate), {
    ...money,
    pending: [] as Money['pending'],
  })
}

export function statusOf(money: Money): string {
  const { amount, authorized, captured, refunded, voided, ended } = money
  if (ended) return ended
  if (authorized === 0) return 'PENDING'
  if (voided) return 'VOIDED'
  if (captured === 0) return 'AUTHORIZED'
  if (refunded > 0) return refunded < captured ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  return captured < amount ? 'PARTIALLY_CAPTURED' : 'CAPTURED'
}

function exceeds(wanted: 'capture' | 'refund'): string {
  return wanted === 'capture' ? 'CAPTURE_EXCEEDS_AUTHORIZED' : 'REFUND_EXCEEDS_CAPTURED'
}
