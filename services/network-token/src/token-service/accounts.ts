import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'

/** The sellers' accounts at the token service, which the vault keeps. */
export type Accounts = {
  /** The merchant id for a seller's new tokens. Throws FAILED_PRECONDITION NO_NETWORK_TOKEN_ESTABLISHMENT. */
  find(sellerId: number): Promise<string>
}

export function openAccounts(vault: VaultClient): Accounts {
  return {
    find: async (sellerId) => {
      const asked = { sellerId, partner: 'token-service' }
      const { name } = await callRpc(vault, vault.findAccount, asked).catch(asOurs)
      return name
    },
  }
}

function asOurs(error: unknown): never {
  if (!(error instanceof DomainError) || error.reason !== 'NO_ESTABLISHMENT') throw error
  const message = 'The seller has no establishment that is enabled for network tokens.'
  throw new DomainError('failed_precondition', 'NO_NETWORK_TOKEN_ESTABLISHMENT', message)
}
