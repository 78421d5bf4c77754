import type { Pool } from '@cofre/platform/postgres/postgres'

/** An establishment whose merchant key is still in this database, sealed under the establishment key. */
export type KeptKey = {
  id: number
  sellerId: number
  merchantId: string
  sealed: Buffer
  /** The account's place among those with network tokens enabled, the default store first; NULL when it has none. */
  tokenPreference: number | null
}

/** The kept keys, newest first: of two keys of one account, the vault takes the first. */
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

/** Deletes a key that the vault has, unless another key replaced it meanwhile. */
export async function forgetKey(pool: Pool, { id, sealed }: KeptKey): Promise<void> {
  await pool.query('UPDATE establishments SET merchant_key = NULL WHERE id = $1 AND merchant_key = $2', [
    id,
    sealed,
  ])
}
