import type { CardSummary } from '@cofre/proto/vault/v1/vault'

/** What a charge must know of a network token before it is made. */
export type ActiveToken = {
  card: CardSummary | undefined
  /** The account at the acquirer that alone can charge it. */
  merchantId: string
  /** Whether the card that the vault keeps is the one behind the token today. */
  cardIsCurrent: boolean
}

/** One transaction at the acquirer: its order number, cents, and until when the cryptogram is of use. */
export type TokenPayment = {
  sellerId: number
  token: string
  reference: string
  amount: number
  /** Epoch milliseconds. */
  deadline: number
}

/** The service that keeps network tokens. */
export type NetworkTokens = {
  /** FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE, also for a token that is unknown or another seller's. */
  describe(sellerId: number, token: string): Promise<ActiveToken>
  /**
   * A handle of the token with a cryptogram for one transaction. FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE, or
   * UNAVAILABLE.
   */
  obtainCryptogram(payment: TokenPayment): Promise<string>
}
