import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'
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
  /** FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE; CARD_TOKEN_UNUSABLE when it is unknown or another seller's. */
  describe(sellerId: number, token: string): Promise<ActiveToken>
  /**
   * A handle of the token with a cryptogram for one transaction. FAILED_PRECONDITION NETWORK_TOKEN_NOT_ACTIVE, or
   * UNAVAILABLE.
   */
  obtainCryptogram(payment: TokenPayment): Promise<string>
}

/** The other half of a payment's time is for charging with the cryptogram. */
const SHARE = 0.5

/** The network-token service, over gRPC. */
export function openNetworkTokens(client: NetworkTokensClient): NetworkTokens {
  return {
    describe: (sellerId, token) => callRpc(client, client.describeActiveToken, { sellerId, token }),
    obtainCryptogram: async ({ deadline, ...payment }) => {
      const timeoutMs = Math.floor((deadline - Date.now()) * SHARE)
      const { handle } = await callRpc(client, client.obtainCryptogram, payment, { timeoutMs })
      return handle
    },
  }
}

/** A deployment without a network-token service: none of its tokens is active. */
export const noNetworkTokens: NetworkTokens = { describe: notActive, obtainCryptogram: notActive }

function notActive(): Promise<never> {
  const message = 'The network token is not active.'
  return Promise.reject(new DomainError('failed_precondition', 'NETWORK_TOKEN_NOT_ACTIVE', message))
}
