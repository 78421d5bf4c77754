import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'

/** The sellers' accounts at a bank, which the vault keeps. */
export type BankAccounts = {
  /** The name of a seller's account; undefined when it has none. */
  find(sellerId: number): Promise<string | undefined>
}

/** `isName`: whether a name is one of that bank. */
export function openBankAccounts(
  vault: VaultClient,
  partner: string,
  isName: (name: string) => boolean = () => true,
): BankAccounts {
  return {
    find: async (sellerId) => {
      const name = await callRpc(vault, vault.findAccount, { sellerId, partner }).then(
        (found) => found.name,
        unlessNone,
      )
      return name !== undefined && isName(name) ? name : undefined
    },
  }
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.reason !== 'NO_ESTABLISHMENT') throw error
}
