import type { Pool } from '@cofre/platform/postgres/postgres'
import { LRUCache } from 'lru-cache'
import { findSeller } from './seller-store'

const MAX_SELLERS = 1_000
const KEPT_MS = 60_000

/** Returns the name by which customers know a seller; empty for a deleted one. Cached for a minute. */
export type SellerName = (seller: { sellerId: number } | undefined) => Promise<string>

export function createSellerName(pool: Pool): SellerName {
  const names = new LRUCache<number, string>({ max: MAX_SELLERS, ttl: KEPT_MS })
  return async (seller) => {
    const id = seller?.sellerId ?? 0
    const name = names.get(id) ?? (await findSeller(pool, id))?.name ?? ''
    names.set(id, name)
    return name
  }
}
