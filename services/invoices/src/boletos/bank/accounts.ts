import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { LRUCache } from 'lru-cache'

/** The sellers' accounts at a bank, which the vault keeps. */
export type BankAccounts = {
  /** The name of a seller's account; undefined when it has none. */
  find(sellerId: number): Promise<string | undefined>
  /** Whether a seller has one, for a page that offers it: an account that is removed is offered for some seconds more. */
  has(sellerId: number): Promise<boolean>
}

/** How long a page trusts that an account is there. What is done with it asks the vault. */
const OFFERED_MS = 10_000
const OFFERED_MAX = 10_000

/** `isName`: whether a name is one of that bank. */
export function openBankAccounts(
  vault: VaultClient,
  partner: string,
  isName: (name: string) => boolean = () => true,
): BankAccounts {
  const find: BankAccounts['find'] = async (sellerId) => {
    const name = await callRpc(vault, vault.findAccount, { sellerId, partner }).then(
      (found) => found.name,
      unlessNone,
    )
    return name !== undefined && isName(name) ? name : undefined
  }
  const offered = new LRUCache<number, true>({ max: OFFERED_MAX, ttl: OFFERED_MS })
  const has: BankAccounts['has'] = async (sellerId) => {
    if (offered.has(sellerId)) return true
    const isThere = (await find(sellerId)) !== undefined
    if (isThere) offered.set(sellerId, true)
    return isThere
  }
  return { find, has }
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.reason !== 'NO_ESTABLISHMENT') throw error
}
