import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { CardSummary, VaultClient } from '@cofre/proto/vault/v1/vault'
import { LRUCache } from 'lru-cache'

/** The part of kept cards that may be shown; the vault keeps the cards of sellers. */
export type KeptCards = {
  /** Undefined when the seller has no card of this token. Throws UNAVAILABLE when the vault does not answer. */
  find(sellerId: number, token: string): Promise<CardSummary | undefined>
  /** Forgets a card that the vault no longer has. */
  forget(sellerId: number, token: string): void
}

const CARDS_KEPT = 20_000
/** A seller may delete a card: a charge is then still tried, and fails. Its brand follows the vault's table of brands. */
const KEPT_FOR_MS = 60_000

export function openKeptCards(vault: VaultClient): KeptCards {
  const kept = new LRUCache<string, CardSummary>({ max: CARDS_KEPT, ttl: KEPT_FOR_MS })
  const keyOf = (sellerId: number, token: string) => `${sellerId}:${token}`
  return {
    find: async (sellerId, token) => {
      const known = kept.get(keyOf(sellerId, token))
      if (known) return known
      const card = await describe(vault, sellerId, token)
      if (card) kept.set(keyOf(sellerId, token), card)
      return card
    },
    forget: (sellerId, token) => void kept.delete(keyOf(sellerId, token)),
  }
}

async function describe(
  vault: VaultClient,
  sellerId: number,
  token: string,
): Promise<CardSummary | undefined> {
  try {
    return (await callRpc(vault, vault.describeCard, { sellerId, token })).card
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined
    throw error
  }
}
