import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'

/** The network tokens that sellers have asked for with their stored cards. */
export type NetworkTokens = {
  /** Undefined when the card has no token that can be charged. UNAVAILABLE when its service does not answer. */
  findOfCard(sellerId: number, cardToken: string): Promise<string | undefined>
}

export function openNetworkTokens(client: NetworkTokensClient): NetworkTokens {
  return {
    findOfCard: async (sellerId, cardToken) => {
      try {
        const { token } = await callRpc(client, client.findTokenOfCard, { sellerId, cardToken })
        return token
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'not_found') return undefined
        throw error
      }
    },
  }
}
