/** The status of a token at the token service. */
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

/** A step that the network takes by itself, one after each delay. */
export type Step =
  { to: 'ACTIVE' | 'SUSPENDED' | 'DELETED' } | { to: 'FAILED'; reason: FailReason } | { replaceCard: true }

/** A notification for the token's requester; it only says which token to look up. */
export type Push = { eventId: string; status: TokenStatus; occurredAt: number }

/** Only the last four digits of the card are kept. Times in epoch milliseconds. */
export type NetworkToken = {
  readonly id: string
  readonly merchantId: string
  readonly reference: string
  readonly callbackUrl: string | null
  readonly network: Network
  /** The number from which the token's own number is computed; see token-number.ts. */
  readonly sequence: number
  readonly expirationMonth: number
  readonly expirationYear: number
  readonly paymentAccountReference: string
  readonly card: CardFace
  readonly status: TokenStatus
  readonly reason: FailReason | null
  readonly steps: readonly Step[]
  readonly stepAt: number
  /** The pushes that their receiver has not accepted, the oldest first. */
  readonly pushes: readonly Push[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** Returns the token in a new status; undefined when its status does not allow it. */
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

/** Returns the token with a new card; undefined unless it is active or suspended. */
export function replaceCard(token: NetworkToken, card: CardFace, now: number): NetworkToken | undefined {
  if (token.status !== 'ACTIVE' && token.status !== 'SUSPENDED') return undefined
  return { ...token, card, updatedAt: now }
}

/** Returns the token after its next step, which is skipped when it no longer applies. Later steps wait `delayMs`. */
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
  // The last digit stays, because it decides the outcome of a sale.
  const lastFourOfNew = `${(Number(lastFour.slice(0, 3)) + 1) % 1_000}`.padStart(3, '0') + lastFour.slice(3)
  return { lastFour: lastFourOfNew, expirationMonth, expirationYear: expirationYear + 4 }
}
