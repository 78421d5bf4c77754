import type { NetworkTokenEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'

/** `suspended`: by the network, which may lift it. Sellers see it as INACTIVE. */
export type Status = 'pending' | 'active' | 'suspended' | 'failed' | 'inactive'

export type Reason =
  | 'CARD_NOT_ELIGIBLE'
  | 'ISSUER_DECLINED'
  | 'CARD_EXPIRED'
  | 'NETWORK_UNAVAILABLE'
  | 'ACQUIRER_REJECTED'
  | 'TIMEOUT'

/** What may be shown of a card (PCI DSS 3.4). */
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
  /** Ours, given to the token service with the request. */
  reference: string
  /** What the token service calls it; null until it is known. */
  partnerId: string | null
  status: Status
  reason: Reason | null
  card: Card
  /** Whether the card that the vault keeps is the one behind the token today. */
  cardIsCurrent: boolean
  notificationUrl: string
  /** Until when the request may leave; null: it has not left. */
  dispatchDeadline: number | null
  /** What is left to do once it has ended: close it at the network, then destroy its numbers. */
  cleanup: 'network' | 'numbers' | null
  /** When to look at it; null: never again. */
  askAt: number | null
  /** Counts the changes saved. */
  version: number
  /** Counts the events told. */
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
  pending: ['active', 'failed'],
  active: ['suspended', 'inactive'],
  suspended: ['active', 'inactive'],
  failed: [],
  inactive: [],
}

const EVENT = {
  active: 'network_token.active',
  suspended: 'network_token.inactive',
  failed: 'network_token.failed',
  inactive: 'network_token.inactive',
} as const satisfies Partial<Record<Status, NetworkTokenEventType>>

/** The one way from a token to its next state: refuses a move that NEXT does not know, and tells what happened. */
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

/** A seller is told of what a seller sees: a suspended token that ends was INACTIVE already. */
function eventOf(from: Status, to: Status): NetworkTokenEventType | undefined {
  if (from === to || to === 'pending' || (from === 'suspended' && to === 'inactive')) return undefined
  return EVENT[to]
}

/** Ended: what is left is to clean up after it, at once. */
export function ended(
  token: NetworkToken,
  end: { status: 'failed'; reason: Reason } | { status: 'inactive' },
  cleanup: 'network' | 'numbers',
  at: number,
): Decision {
  return transition(token, { ...end, cleanup, askAt: at }, at)
}

/**
 * The seller's wish to end a token. FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE for one that is not there yet, or never
 * was; one that has ended stays as it is.
 */
export function deactivate(token: NetworkToken, at: number): Decision {
  if (token.status === 'inactive') return transition(token, {}, at)
  if (token.status === 'pending' || token.status === 'failed') throw notActive()
  return ended(token, { status: 'inactive' }, 'network', at)
}

export function notActive(): DomainError {
  return new DomainError(
    'failed_precondition',
    'NETWORK_TOKEN_NOT_ACTIVE',
    'The network token is not active.',
  )
}
