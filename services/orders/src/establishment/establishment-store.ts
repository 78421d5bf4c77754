import { DomainError } from '@cofre/platform/errors'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Establishment } from '@cofre/proto/orders/v1/orders'
import type { SealedAccount } from './establishment'

export type NewEstablishment = {
  sellerId: number
  affiliateId: number | null
  merchantId: string
  sealedKey: Buffer
  networkTokens: boolean
  retryWithCard: boolean
}

const COLUMNS = `id, seller_id AS "sellerId", affiliate_id AS "affiliateId", merchant_id AS "merchantId",
  network_tokens AS "networkTokens", retry_with_card AS "retryWithCard", created_at AS "createdAt"`

/**
 * Stores an establishment; of one that is there, the same account for the same store, takes the new key. CONFLICT when
 * the seller has another account for that store.
 */
export async function saveEstablishment(
  pool: Pool,
  { sellerId, affiliateId, merchantId, sealedKey, networkTokens, retryWithCard }: NewEstablishment,
): Promise<Establishment> {
  const { rows } = await pool.query<Row>(
    `INSERT INTO establishments AS e (seller_id, affiliate_id, merchant_id, merchant_key, network_tokens, retry_with_card)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT establishments_store DO UPDATE
       SET merchant_key = excluded.merchant_key, network_tokens = excluded.network_tokens,
         retry_with_card = excluded.retry_with_card
       WHERE e.merchant_id = excluded.merchant_id
     RETURNING ${COLUMNS}`,
    [sellerId, affiliateId, merchantId, sealedKey, networkTokens, retryWithCard],
  )
  const [saved] = establishmentsOf(rows)
  if (saved) return saved
  const message = 'The seller has another account for this store already.'
  throw new DomainError('conflict', 'ESTABLISHMENT_EXISTS', message)
}

export async function listEstablishments(pool: Pool, sellerId: number): Promise<Establishment[]> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM establishments WHERE seller_id = $1 ORDER BY id LIMIT 1000`,
    [sellerId],
  )
  return establishmentsOf(rows)
}

/** The account that network tokens are enabled for, the default one first; or the one that is named. */
export async function findTokenAccount(
  pool: Pool,
  sellerId: number,
  merchantId: string | undefined,
): Promise<SealedAccount | undefined> {
  const { rows } = await pool.query<SealedAccount>({
    name: 'find-token-account',
    text: `SELECT seller_id AS "sellerId", merchant_id AS "merchantId", merchant_key AS "merchantKey"
      FROM establishments
      WHERE seller_id = $1 AND CASE WHEN $2::text IS NULL THEN network_tokens ELSE merchant_id = $2 END
      ORDER BY affiliate_id NULLS FIRST LIMIT 1`,
    values: [sellerId, merchantId ?? null],
  })
  return rows[0]
}

type Row = Omit<Establishment, 'affiliateId' | 'createdAt'> & { affiliateId: number | null; createdAt: Date }

function establishmentsOf(rows: readonly Row[]): Establishment[] {
  return rows.map((row) => ({
    ...row,
    affiliateId: row.affiliateId ?? undefined,
    createdAt: row.createdAt.getTime(),
  }))
}
