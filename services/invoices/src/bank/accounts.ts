import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { isAgreement } from '../boleto/our-number'
import { BANK_PARTNER } from './bank'

/** The sellers' accounts at the bank, which the vault keeps. */
export type BankAccounts = {
  /** The agreement of a seller; undefined when it has none. */
  find(sellerId: number): Promise<string | undefined>
}

export function openBankAccounts(vault: VaultClient): BankAccounts {
  return {
    find: async (sellerId) => {
      const name = await callRpc(vault, vault.findAccount, { sellerId, partner: BANK_PARTNER }).then(
        (found) => found.name,
        unlessNone,
      )
      return name !== undefined && isAgreement(name) ? name : undefined
    },
  }
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.reason !== 'NO_ESTABLISHMENT') throw error
}
