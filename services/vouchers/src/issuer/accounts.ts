import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { LRUCache } from 'lru-cache'

/** The sellers' accounts at issuers, which the vault keeps. */
export type Accounts = {
  /** The name of a seller's account at a partner; undefined when there is none. */
  find(sellerId: number, partner: string): Promise<string | undefined>
}

/** How long a name stays in memory: a new account is used within a minute. */
const KEPT_MS = 60_000
const KEPT_MAX = 10_000

export function openAccounts(vault: VaultClient): Accounts {
  const kept = new LRUCache<string, string>({ max: KEPT_MAX, ttl: KEPT_MS })
  return {
    find: async (sellerId, partner) => {
      const key = `${sellerId}:${partner}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const name = await callRpc(vault, vault.findAccount, { sellerId, partner }).then(
        (found) => found.name,
        unlessNone,
      )
      // Only a name that exists is kept: a seller that was just set up can pay at once.
      if (name !== undefined) kept.set(key, name)
      return name
    },
  }
}

function unlessNone(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.reason !== 'NO_ESTABLISHMENT') throw error
}
