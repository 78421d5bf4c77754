import type { VoucherTokenEventType } from '@cofre/api/events'
import type { CardType } from '../brands/brand'

/** The words of the contract, which the database and the API use too. */
export type VoucherTokenStatus = 'PENDING' | 'ACTIVE' | 'DENIED' | 'EXPIRED' | 'FAILED'

export type VoucherTokenReason =
  | 'ACCESS_DENIED'
  | 'AUTHORIZATION_EXPIRED'
  | 'GRANT_REVOKED'
  | 'CODE_REFUSED'
  | 'PROVIDER_ERROR'
  | 'CARD_NOT_ELIGIBLE'

/** A voucher card, as sellers name it. Its number or grant is in the vault, under the token. Times in epoch milliseconds. */
export type VoucherToken = {
  token: string
  sellerId: number
  cardType: CardType
  brand: string
  status: VoucherTokenStatus
  reason: VoucherTokenReason | null
  bin: string
  lastFour: string
  /** Null for a token made from a card number. */
  redirect: Redirect | null
  /** Counts the changes saved. */
  version: number
  /** Counts the events sent. */
  sequence: number
  createdAt: number
  updatedAt: number
}

/** How a token is authorized by the card's holder. */
export type Redirect = {
  notificationUrl: string
  cardReference: string | null
  /** The seller's client at the identity provider. */
  clientId: string
  /** The next step while it is PENDING: the holder comes back, the code is exchanged, the card is read. */
  phase: 'SENT' | 'CODE' | 'CARD' | null
  /** SHA-256 of the authorization code. */
  codeHash: string | null
  /** The PKCE verifier, while the vault may have a code that was not exchanged. */
  codeVerifier: string | null
  /** Until when the holder may come back, or the card may be read. */
  expiresAt: number
  /** When a sweeper looks at it; null once it is not PENDING. */
  askAt: number | null
  issuerCardId: string | null
  accessExpiresAt: number | null
}

const NEXT: Record<VoucherTokenStatus, readonly VoucherTokenStatus[]> = {
  PENDING: ['ACTIVE', 'DENIED', 'EXPIRED', 'FAILED'],
  ACTIVE: ['EXPIRED'],
  DENIED: [],
  EXPIRED: [],
  FAILED: [],
}

const EVENT = {
  ACTIVE: 'voucher_token.active',
  DENIED: 'voucher_token.denied',
  EXPIRED: 'voucher_token.expired',
  FAILED: 'voucher_token.failed',
} as const satisfies Record<Exclude<VoucherTokenStatus, 'PENDING'>, VoucherTokenEventType>

/** A change that is decided but not yet saved. `discard`: the vault's and the provider's data must be destroyed. */
export type TokenDecision = {
  token: VoucherToken
  event: VoucherTokenEventType | undefined
  discard: boolean
}

type Change = Partial<Pick<VoucherToken, 'status' | 'reason' | 'lastFour'>> & { redirect?: Partial<Redirect> }

/** The one way from a token to its next state. A forbidden move throws. */
export function tokenTransition(before: VoucherToken, change: Change, at: number): TokenDecision {
  const status = change.status ?? before.status
  const moved = status !== before.status
  if (moved && !NEXT[before.status].includes(status)) {
    throw new Error(`a voucher token can't go from ${before.status} to ${status}`)
  }
  const event = moved && status !== 'PENDING' ? EVENT[status] : undefined
  const ended = status === 'PENDING' ? {} : { phase: null, askAt: null }
  const redirect = before.redirect && { ...before.redirect, ...change.redirect, ...ended }
  const token: VoucherToken = {
    ...before,
    ...change,
    status,
    redirect,
    version: before.version + 1,
    sequence: before.sequence + (event ? 1 : 0),
    updatedAt: at,
  }
  return { token, event, discard: moved && status !== 'ACTIVE' }
}

/** How long one process has to exchange a code before a sweeper gives the token up. */
const EXCHANGE_MS = 30_000

/** Takes a returning holder's code; this process alone exchanges it. Undefined when the link was used or is too old. */
export function takeCode(
  token: VoucherToken,
  code: Pick<Redirect, 'codeHash' | 'codeVerifier'>,
  at: number,
): TokenDecision | undefined {
  if (token.redirect?.phase !== 'SENT' || token.redirect.expiresAt <= at) return undefined
  return tokenTransition(token, { redirect: { phase: 'CODE', ...code, askAt: at + EXCHANGE_MS } }, at)
}

/** Frees the link of a code that will not be exchanged. Its verifier stays: the vault may have the code. */
export function leaveCode(
  token: VoucherToken,
  codeHash: string | null | undefined,
  at: number,
): TokenDecision | undefined {
  if (token.redirect?.phase !== 'CODE' || token.redirect.codeHash !== codeHash) return undefined
  const { expiresAt: askAt } = token.redirect
  return tokenTransition(token, { redirect: { phase: 'SENT', codeHash: null, askAt } }, at)
}

/** How long the card may be read after the holder came back. */
const CARD_MS = 5 * 60_000

/** Moves a token on to reading its card, after an exchange with a sound result. */
export function takeGrant(
  token: VoucherToken,
  accessExpiresAt: number,
  at: number,
): TokenDecision | undefined {
  if (token.redirect?.phase !== 'CODE') return undefined
  const expiresAt = Math.max(token.redirect.expiresAt, at + CARD_MS)
  const redirect = {
    phase: 'CARD',
    codeVerifier: null,
    expiresAt,
    accessExpiresAt,
    askAt: at + EXCHANGE_MS,
  } as const
  return tokenTransition(token, { redirect }, at)
}

/** The card that the holder picked, as the issuer shows it. */
export type PickedCard = { cardId: string; cardType: CardType; lastFour: string }

/** Makes the token ACTIVE with a card of its type; a card of another type is not eligible. */
export function takeCard(token: VoucherToken, card: PickedCard, at: number): TokenDecision | undefined {
  if (token.redirect?.phase !== 'CARD') return undefined
  if (card.cardType !== token.cardType) return end(token, 'FAILED', 'CARD_NOT_ELIGIBLE', at)
  const { lastFour, cardId: issuerCardId } = card
  return tokenTransition(token, { status: 'ACTIVE', lastFour, redirect: { issuerCardId } }, at)
}

/** Ends a PENDING token without success. */
export function end(
  token: VoucherToken,
  status: 'DENIED' | 'EXPIRED' | 'FAILED',
  reason: VoucherTokenReason,
  at: number,
): TokenDecision | undefined {
  return token.status === 'PENDING' ? tokenTransition(token, { status, reason }, at) : undefined
}

/** Ends a token whose refresh token the provider no longer accepts. */
export function revoked(token: VoucherToken, at: number): TokenDecision | undefined {
  if (token.redirect?.phase === 'CARD') return end(token, 'FAILED', 'PROVIDER_ERROR', at)
  if (token.status !== 'ACTIVE') return undefined
  return tokenTransition(token, { status: 'EXPIRED', reason: 'GRANT_REVOKED' }, at)
}
