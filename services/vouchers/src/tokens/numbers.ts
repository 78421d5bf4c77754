import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'

/** The data that the vault keeps with our tokens. */
export type Numbers = {
  /** Keeps the card number of a handle with a token. */
  keep(of: { sellerId: number; token: string; handle: string }): Promise<void>
  /** Keeps an authorization code with a token until it is exchanged. */
  keepCode(of: { sellerId: number; token: string; code: string }): Promise<void>
  /** Destroys all data that is kept with a token. */
  destroy(of: { sellerId: number; token: string }): Promise<void>
}

export function openNumbers(vault: VaultClient): Numbers {
  return {
    keep: async ({ sellerId, token, handle }) =>
      void (await callRpc(vault, vault.keepVoucher, { sellerId, voucherToken: token, handle })),
    keepCode: async ({ sellerId, token, code }) =>
      void (await callRpc(vault, vault.keepAuthorizationCode, { sellerId, voucherToken: token, code })),
    destroy: async ({ sellerId, token }) =>
      void (await callRpc(vault, vault.destroyVoucher, { sellerId, voucherToken: token })),
  }
}
