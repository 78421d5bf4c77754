import type { Pool } from '@cofre/platform/postgres/postgres'
import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import { LRUCache } from 'lru-cache'
import { findSeller } from '../sellers/seller-store'

const MAX_SELLERS = 1_000
const KEPT_MS = 60_000

/** Returns the name by which customers know the seller of a page; empty for a deleted seller. Cached for a minute. */
export type SellerName = (page: PaymentPage) => Promise<string>

export function createSellerName(pool: Pool): SellerName {
  const names = new LRUCache<number, string>({ max: MAX_SELLERS, ttl: KEPT_MS })
  return async ({ invoice }) => {
    const id = invoice?.sellerId ?? 0
    const name = names.get(id) ?? (await findSeller(pool, id))?.name ?? ''
    names.set(id, name)
    return name
  }
}
