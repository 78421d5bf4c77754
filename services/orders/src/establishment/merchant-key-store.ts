import type { Pool } from '@cofre/platform/postgres/postgres'

/** An establishment whose merchant key is still in this database, sealed under the establishment key. */
export type KeptKey = {
  id: number
  sellerId: number
  merchantId: string
  sealed: Buffer
  /** The place of the account among those that network tokens are enabled for, the default store first; NULL: none. */
  tokenPreference: number | null
}

/** The newest first: of two keys of one account it is the one that the vault takes. */
export async function findKeptKeys(pool: Pool, limit: number): Promise<KeptKey[]> {
  const { rows } = await pool.query<KeptKey>(
    `SELECT id, seller_id AS "sellerId", merchant_id AS "merchantId", merchant_key AS sealed,
       (SELECT min(coalesce(same.affiliate_id + 1, 0)) FROM establishments same
        WHERE same.seller_id = e.seller_id AND same.merchant_id = e.merchant_id AND same.network_tokens)
         AS "tokenPreference"
     FROM establishments e WHERE merchant_key IS NOT NULL ORDER BY id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Forgets a key that the vault has, unless another took its place meanwhile. */
export async function forgetKey(pool: Pool, { id, sealed }: KeptKey): Promise<void> {
  await pool.query('UPDATE establishments SET merchant_key = NULL WHERE id = $1 AND merchant_key = $2', [
    id,
    sealed,
  ])
}
