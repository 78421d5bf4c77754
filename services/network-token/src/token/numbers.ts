import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'

/** The numbers behind our tokens, which the vault keeps. */
export type Numbers = {
  /** Keeps the card behind a handle under a token. */
  keep(of: { sellerId: number; token: string; handle: string }): Promise<void>
  /** Destroys the card's number and the network's. */
  destroy(of: { sellerId: number; token: string }): Promise<void>
}

export function openNumbers(vault: VaultClient): Numbers {
  return {
    keep: async ({ sellerId, token, handle }) =>
      void (await callRpc(vault, vault.keepNetworkToken, { sellerId, networkToken: token, handle })),
    destroy: async ({ sellerId, token }) =>
      void (await callRpc(vault, vault.destroyNetworkToken, { sellerId, networkToken: token })),
  }
}
