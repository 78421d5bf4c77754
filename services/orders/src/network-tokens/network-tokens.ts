import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
import type { CardSummary } from '@cofre/proto/vault/v1/vault'

/** The facts about a network token that a charge needs first. */
export type ActiveToken = {
  card: CardSummary | undefined
  /** The only account at the acquirer that can charge it. */
  merchantId: string
  /** True when the card in the vault is still the token's card. */
  cardIsCurrent: boolean
  /** The stored card that the token was requested with; empty: the card came with the request. */
  cardToken: string
}

/** One transaction at the acquirer: its order number, its cents, and the time after which its cryptogram is useless. */
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
  /** Throws FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE, or CARD_TOKEN_UNUSABLE (unknown, or another seller's). */
  describe(sellerId: number, token: string): Promise<ActiveToken>
  /**
   * Returns a handle of the token with a cryptogram for one transaction. Throws FAILED_PRECONDITION
   * NETWORK_TOKEN_NOT_ACTIVE, or UNAVAILABLE.
   */
  obtainCryptogram(payment: TokenPayment): Promise<string>
}

/** The share of a payment's time for obtaining its cryptogram. The rest is for the charge. */
const SHARE = 0.5

/** The network-token service, over gRPC. */
export function openNetworkTokens(client: NetworkTokensClient): NetworkTokens {
  return {
    describe: (sellerId, token) => callRpc(client, client.describeActiveToken, { sellerId, token }),
    obtainCryptogram: async ({ deadline, ...payment }) => {
      const timeoutMs = Math.floor((deadline - databaseNow()) * SHARE)
      const { handle } = await callRpc(client, client.obtainCryptogram, payment, { timeoutMs })
      return handle
    },
  }
}

/** Stands in where a deployment has no network-token service: no token is active. */
export const noNetworkTokens: NetworkTokens = { describe: notActive, obtainCryptogram: notActive }

function notActive(): Promise<never> {
  const message = 'The network token is not active.'
  return Promise.reject(new DomainError('failed_precondition', 'NETWORK_TOKEN_NOT_ACTIVE', message))
}
