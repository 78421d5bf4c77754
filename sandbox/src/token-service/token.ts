/** What the token service knows of a token. */
export type TokenStatus = 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'DELETED' | 'FAILED'
export type Network = 'VISA' | 'MASTERCARD'
export type FailReason =
  'ISSUER_DECLINED' | 'CARD_NOT_ELIGIBLE' | 'CARD_EXPIRED' | 'ACQUIRER_REJECTED' | 'NETWORK_UNAVAILABLE'

const NEXT: Record<TokenStatus, readonly TokenStatus[]> = {
  PENDING: ['ACTIVE', 'FAILED', 'DELETED'],
  ACTIVE: ['SUSPENDED', 'DELETED'],
  SUSPENDED: ['ACTIVE', 'DELETED'],
  DELETED: [],
  FAILED: [],
}

export type CardFace = { lastFour: string; expirationMonth: number; expirationYear: number }

/** What the network does by itself, one step after each delay. */
export type Step =
  { to: 'ACTIVE' | 'SUSPENDED' | 'DELETED' } | { to: 'FAILED'; reason: FailReason } | { replaceCard: true }

/** News for the one who asked for the token; it says only where to look again. */
export type Push = { eventId: string; status: TokenStatus; occurredAt: number }

/** Of the card only its last four digits are kept. Times in epoch milliseconds. */
export type NetworkToken = {
  readonly id: string
  readonly merchantId: string
  readonly reference: string
  readonly callbackUrl: string | null
  readonly network: Network
  /** What the token's number is made of; see token-number.ts. */
  readonly sequence: number
  readonly expirationMonth: number
  readonly expirationYear: number
  readonly paymentAccountReference: string
  readonly card: CardFace
  readonly status: TokenStatus
  readonly reason: FailReason | null
  readonly steps: readonly Step[]
  readonly stepAt: number
  /** Pushes not yet taken by their receiver, the oldest first. */
  readonly pushes: readonly Push[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** Undefined when a token of this status cannot become that. */
export function move(
  token: NetworkToken,
  status: TokenStatus,
  now: number,
  reason: FailReason | null = null,
): NetworkToken | undefined {
  if (!NEXT[token.status].includes(status)) return undefined
  const ended = NEXT[status].length === 0
  return { ...token, status, reason, updatedAt: now, steps: ended ? [] : token.steps }
}

/** Undefined for a token that is not of use. */
export function replaceCard(token: NetworkToken, card: CardFace, now: number): NetworkToken | undefined {
  if (token.status !== 'ACTIVE' && token.status !== 'SUSPENDED') return undefined
  return { ...token, card, updatedAt: now }
}

/** The token after its next step; the same one when that step no longer applies. The steps after it wait `delayMs`. */
export function takeStep(token: NetworkToken, now: number, delayMs: number): NetworkToken {
  const [step, ...steps] = token.steps
  if (!step) return token
  const waiting = { ...token, steps, stepAt: now + delayMs }
  const done =
    'replaceCard' in step
      ? replaceCard(waiting, newCard(token.card), now)
      : move(waiting, step.to, now, 'reason' in step ? step.reason : null)
  return done ?? waiting
}

function newCard({ lastFour, expirationMonth, expirationYear }: CardFace): CardFace {
  // The outcome of a sale is that of the last digit, which therefore stays.
  const lastFourOfNew = `${(Number(lastFour.slice(0, 3)) + 1) % 1_000}`.padStart(3, '0') + lastFour.slice(3)
  return { lastFour: lastFourOfNew, expirationMonth, expirationYear: expirationYear + 4 }
}
