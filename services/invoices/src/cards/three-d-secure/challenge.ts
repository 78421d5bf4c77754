import type { KeepConsent } from '../../invoice/rules/invoice'
/** The contract's names, and STORING: the vault is being asked to store the card. */
export type ChallengeStatus = 'STORING' | 'PENDING' | 'AUTHENTICATED' | 'CHARGED' | 'REFUSED' | 'EXPIRED'

const NEXT: Record<ChallengeStatus, readonly ChallengeStatus[]> = {
  STORING: ['PENDING', 'EXPIRED'],
  PENDING: ['AUTHENTICATED', 'REFUSED', 'EXPIRED'],
  AUTHENTICATED: ['CHARGED', 'REFUSED'],
  CHARGED: [],
  REFUSED: [],
  EXPIRED: [],
}

/** How long a payer has. The vault's handles and the issuers' pages live at least as long. */
export const CHALLENGE_MS = 10 * 60_000
/** How long a process has to store a card, or to charge it, before another process takes over. */
export const LEASE_MS = 60_000
/** How long after the authentication a charge may leave. A stalled process charges nothing after another ended it. */
export const PAYING_MS = 30_000

/** Why an authenticated payer was charged nothing. */
export type ChallengeRefusal = 'AMOUNT_CHANGED' | 'NOT_PAID'

/** Amount in cents, times in epoch milliseconds. */
export type Challenge = {
  id: number
  publicId: string
  sellerId: number
  invoiceId: number
  /** The id at the 3-D Secure server. */
  authenticationId: string
  status: ChallengeStatus
  /** With REFUSED. Null when the issuer did not authenticate the payer. */
  refusal: ChallengeRefusal | null
  /** The vault's id of the card. Null for a network token, and while the card is being stored. */
  cardId: number | null
  networkToken: string | null
  /** The card is stored for this challenge alone. */
  cardIsOurs: boolean
  keepCard: boolean
  /** With `keepCard`. Null: the seller asked. */
  keepConsent: Pick<KeepConsent, 'language' | 'text' | 'address'> | null
  installments: number
  /** The amount that the payer was asked to agree to. */
  amount: number
  expiresAt: number
  askAt: number | null
  createdAt: number
  updatedAt: number
}

/** The only way from one status to another. A forbidden move throws. */
export function move(challenge: Challenge, status: ChallengeStatus, at: number): Challenge {
  if (!NEXT[challenge.status].includes(status)) {
    throw new Error(`a challenge that is ${challenge.status} cannot become ${status}`)
  }
  return { ...challenge, status, askAt: askAtOf(challenge, status, at), updatedAt: at }
}

function askAtOf({ expiresAt }: Challenge, status: ChallengeStatus, at: number): number | null {
  if (status === 'PENDING') return expiresAt
  return status === 'AUTHENTICATED' ? at + LEASE_MS : null
}

/** The 3-D Secure server's verdict on a payer. */
export type Verdict = 'CHALLENGE' | 'AUTHENTICATED' | 'REJECTED' | 'UNAVAILABLE'

/**
 * Applies a verdict to a challenge. Undefined when it was decided already, or the payer has not decided yet. A payer
 * who comes back too late has given up, and pays nothing even if authenticated.
 */
export function judge(challenge: Challenge, verdict: Verdict, at: number): Challenge | undefined {
  if (challenge.status !== 'PENDING') return undefined
  if (at >= challenge.expiresAt) return move(challenge, 'EXPIRED', at)
  if (verdict === 'CHALLENGE') return undefined
  return move(challenge, verdict === 'AUTHENTICATED' ? 'AUTHENTICATED' : 'REFUSED', at)
}
