import type { NetworkTokenEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'

/** `SUSPENDED`: by the network, which may lift the suspension. Sellers see INACTIVE. */
export type Status = 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'FAILED' | 'INACTIVE'

/** Why a token failed, in the words of the token service. TIMEOUT is ours: no outcome came in time. */
export const TOKEN_SERVICE_REASONS = [
  'CARD_NOT_ELIGIBLE',
  'ISSUER_DECLINED',
  'CARD_EXPIRED',
  'NETWORK_UNAVAILABLE',
  'ACQUIRER_REJECTED',
] as const

export type Reason = (typeof TOKEN_SERVICE_REASONS)[number] | 'TIMEOUT'

/** The parts of a card that may be shown (PCI DSS 3.4). */
export type Card = {
  bin: string
  lastFour: string
  brand: string
  expirationYear: number
  expirationMonth: number
  holderName: string
}

/** Times in epoch milliseconds. */
export type NetworkToken = {
  /** 64 hexadecimal digits. */
  token: string
  sellerId: number
  merchantId: string
  /** Our own reference, sent to the token service with the request. */
  reference: string
  /** The token service's id; null until it is known. */
  partnerId: string | null
  status: Status
  reason: Reason | null
  card: Card
  /** The stored card that the token was requested with. Null: the card came with the request. */
  cardToken: string | null
  /** Whether the vault keeps the card that is behind the token today. */
  cardIsCurrent: boolean
  notificationUrl: string
  /** The deadline for the request to leave; null: it has not left. */
  dispatchDeadline: number | null
  /** The cleanup left after the token's end: close it at the network, then destroy its numbers. */
  cleanup: 'NETWORK' | 'NUMBERS' | null
  /** When to ask about it next; null: never again. */
  askAt: number | null
  /** Counts the changes saved. */
  version: number
  /** Counts the events published. */
  sequence: number
  createdAt: number
  updatedAt: number
}

/** A change decided and not yet saved. */
export type Decision = { before: NetworkToken; token: NetworkToken; event: NetworkTokenEventType | undefined }

export type Change = Partial<
  Pick<
    NetworkToken,
    'status' | 'reason' | 'partnerId' | 'card' | 'cardIsCurrent' | 'dispatchDeadline' | 'cleanup' | 'askAt'
  >
>

/** Where a token may go from each state. */
const NEXT: Record<Status, readonly Status[]> = {
  PENDING: ['ACTIVE', 'FAILED'],
  ACTIVE: ['SUSPENDED', 'INACTIVE'],
  SUSPENDED: ['ACTIVE', 'INACTIVE'],
  FAILED: [],
  INACTIVE: [],
}

const EVENT: Partial<Record<Status, NetworkTokenEventType>> = {
  ACTIVE: 'network_token.active',
  SUSPENDED: 'network_token.inactive',
  FAILED: 'network_token.failed',
  INACTIVE: 'network_token.inactive',
}

/** The only way to change a token: refuses a move that is not in NEXT, and names the event to publish. */
export function transition(before: NetworkToken, change: Change, at: number): Decision {
  const status = change.status ?? before.status
  if (status !== before.status && !NEXT[before.status].includes(status)) {
    throw new Error(`a network token does not go from ${before.status} to ${status}`)
  }
  const event = eventOf(before.status, status)
  const token: NetworkToken = {
    ...before,
    ...change,
    version: before.version + 1,
    sequence: before.sequence + (event ? 1 : 0),
    updatedAt: status === before.status ? before.updatedAt : at,
  }
  return { before, token, event }
}

/** The event that a seller gets for a change that sellers see: a suspended token is INACTIVE to them already. */
function eventOf(from: Status, to: Status): NetworkTokenEventType | undefined {
  if (from === to || (from === 'SUSPENDED' && to === 'INACTIVE')) return undefined
  return EVENT[to]
}

/** Ends a token; its cleanup is due at once. */
export function ended(
  token: NetworkToken,
  end: { status: 'FAILED'; reason: Reason } | { status: 'INACTIVE' },
  cleanup: 'NETWORK' | 'NUMBERS',
  at: number,
): Decision {
  return transition(token, { ...end, cleanup, askAt: at }, at)
}

/**
 * Ends a token for its seller; an INACTIVE token stays as it is. Throws FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE
 * when the token is PENDING or FAILED.
 */
export function deactivate(token: NetworkToken, at: number): Decision {
  if (token.status === 'INACTIVE') return transition(token, {}, at)
  if (token.status === 'PENDING' || token.status === 'FAILED') throw notActive()
  return ended(token, { status: 'INACTIVE' }, 'NETWORK', at)
}

export function notActive(): DomainError {
  return new DomainError(
    'failed_precondition',
    'NETWORK_TOKEN_NOT_ACTIVE',
    'The network token is not active.',
  )
}
