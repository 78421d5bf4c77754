import type { SealedCard } from '@cofre/proto/vault/v1/vault'

/** The service that keeps network tokens. */
export type NetworkTokens = {
  /**
   * The card of a network token, sealed for one payment. FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE, or
   * CARD_TOKEN_UNUSABLE when it is unknown or another seller's.
   */
  cardFor(sellerId: number, token: string): Promise<SealedCard>
}
