import { ended, transition, type Decision, type NetworkToken } from './network-token'
import type { CloseOutcome, CryptogramOutcome, Found, RequestOutcome } from '../token-service/token-service'

/** The times that decisions depend on, in milliseconds. `at`: the current time, epoch milliseconds. */
export type Times = {
  at: number
  /** How long a token may stay pending. */
  pendingMaxMs: number
  /** How long past the request's deadline its absence proves nothing. */
  graceMs: number
  /** How soon after an accepted request the token is asked about, and how often an active token is. */
  firstAskMs: number
  watchMs: number
}

/** The decision to request a token, saved before the request leaves. */
export function dispatch(token: NetworkToken, deadline: number, at: number): Decision {
  return transition(token, { dispatchDeadline: deadline }, at)
}

/**
 * Records the token service's answer to the request. After the first request the token is asked about soon; after a
 * later one, when the sweeper's turn comes.
 */
export function recordRequest(
  token: NetworkToken,
  outcome: RequestOutcome,
  times: Times,
  isFirst: boolean,
): Decision | undefined {
  if (token.status !== 'PENDING' || token.partnerId !== null) return undefined
  const { at, firstAskMs } = times
  const soon = { askAt: at + firstAskMs }
  if (outcome.result === 'accepted') return transition(token, { ...soon, partnerId: outcome.partnerId }, at)
  if (outcome.result === 'refused') {
    return ended(token, { status: 'FAILED', reason: outcome.reason }, 'NUMBERS', at)
  }
  const unsent = outcome.result === 'not_sent' ? { dispatchDeadline: null } : {}
  return transition(token, { ...unsent, ...(isFirst ? soon : {}) }, at)
}

/** True when a pending token has waited too long. It then fails, and any token made at the network is closed. */
export function isOverdue({ status, createdAt }: NetworkToken, { at, pendingMaxMs }: Times): boolean {
  return status === 'PENDING' && at >= createdAt + pendingMaxMs
}

export function timeOut(token: NetworkToken, at: number): Decision {
  const cleanup = token.dispatchDeadline === null ? 'NUMBERS' : 'NETWORK'
  return ended(token, { status: 'FAILED', reason: 'TIMEOUT' }, cleanup, at)
}

/**
 * Adopts the state of a token at the token service. An unchanged state is saved as a new version too, so that a late
 * answer to an earlier question is dropped. An absent token counts as never requested only past the request's deadline
 * and the grace. The request then leaves again, under the same reference.
 */
export function adopt(token: NetworkToken, found: Found, times: Times): Decision | undefined {
  if (found.result === 'absent') return adoptAbsence(token, times)
  if (isGone(found)) return endGone(token, times.at)
  if (found.result !== 'found') return undefined
  const { at } = times
  const known = { partnerId: found.partnerId, ...cardOf(token, found.cardLastFour) }
  if (found.state === 'FAILED' || found.state === 'DELETED') {
    if (token.status !== 'PENDING') return ended(token, { status: 'INACTIVE' }, 'NUMBERS', at)
    // Deleted before it was ever active: no issuer declined it, so it does not count as card testing.
    const reason = found.state === 'FAILED' ? found.reason : 'ACQUIRER_REJECTED'
    return ended(token, { status: 'FAILED', reason }, 'NUMBERS', at)
  }
  const watched = { ...known, askAt: at + times.watchMs }
  if (found.state === 'ACTIVE') {
    // Without its number it can't be charged: the resolver asks again, and the vault then keeps the number.
    return transition(token, found.numberKept ? { ...watched, status: 'ACTIVE' } : {}, at)
  }
  if (found.state === 'SUSPENDED' && token.status !== 'PENDING') {
    return transition(token, { ...watched, status: 'SUSPENDED' }, at)
  }
  // Pending there, or suspended before it was ever active, which may pass.
  return transition(token, known, at)
}

function adoptAbsence(token: NetworkToken, { at, graceMs, watchMs }: Times): Decision | undefined {
  const { status, partnerId, dispatchDeadline } = token
  // The token service no longer knows this token: it is asked about at the usual pace, not all the time.
  if (status === 'ACTIVE' || status === 'SUSPENDED') return transition(token, { askAt: at + watchMs }, at)
  const never = status === 'PENDING' && partnerId === null && dispatchDeadline !== null
  if (!never || at <= dispatchDeadline + graceMs) return undefined
  return transition(token, { dispatchDeadline: null, askAt: at }, at)
}

/** The card to show when the network replaced it: the new last four digits, and the expiration as first sent. */
function cardOf({ card }: NetworkToken, lastFour: string | undefined) {
  if (lastFour === undefined || lastFour === card.lastFour) return {}
  return { card: { ...card, lastFour }, cardIsCurrent: false }
}

/** Records the outcome of closing a token at the network. Undefined: closing is tried again. */
export function recordClose(token: NetworkToken, outcome: CloseOutcome, at: number): Decision | undefined {
  if (token.cleanup !== 'NETWORK') return undefined
  const over = outcome.result === 'closed' || outcome.result === 'over' || isGone(outcome)
  return over ? transition(token, { cleanup: 'NUMBERS', askAt: at }, at) : undefined
}

/** True when the vault has no numbers for the token, so that no call about it can be made. */
export function isGone(outcome: CloseOutcome | CryptogramOutcome | Found): boolean {
  return outcome.result === 'not_sent' && outcome.gone
}

/** Ends a token whose numbers are gone: no call can be made about it, also none that closes it at the network. */
export function endGone(token: NetworkToken, at: number): Decision | undefined {
  if (token.status !== 'ACTIVE' && token.status !== 'SUSPENDED') return undefined
  return ended(token, { status: 'INACTIVE' }, 'NUMBERS', at)
}

/** Ends the cleanup: nothing is left to do. */
export function cleaned(token: NetworkToken, at: number): Decision {
  return transition(token, { cleanup: null, askAt: null }, at)
}
