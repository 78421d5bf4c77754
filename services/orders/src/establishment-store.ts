import { DomainError } from '@cofre/platform/errors'
import { breaches, type Pool } from '@cofre/platform/postgres'
import type { Establishment } from '@cofre/proto/orders/v1/orders'

export type NewEstablishment = {
  sellerId: number
  affiliateId: number | null
  merchantId: string
  sealedKey: Buffer
  networkTokens: boolean
}

const COLUMNS = `id, seller_id AS "sellerId", affiliate_id AS "affiliateId", merchant_id AS "merchantId",
  network_tokens AS "networkTokens", created_at AS "createdAt"`

/** CONFLICT when the seller has one for that store. */
export async function insertEstablishment(
  pool: Pool,
  { sellerId, affiliateId, merchantId, sealedKey, networkTokens }: NewEstablishment,
): Promise<Establishment> {
  try {
    const { rows } = await pool.query<Row>(
      `INSERT INTO establishments (seller_id, affiliate_id, merchant_id, merchant_key, network_tokens)
       VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
      [sellerId, affiliateId, merchantId, sealedKey, networkTokens],
    )
    return establishmentsOf(rows)[0] as Establishment
  } catch (error) {
    if (!breaches(error, 'establishments_store')) throw error
    throw new DomainError('conflict', 'ESTABLISHMENT_EXISTS', 'The seller has one for this store already.')
  }
}

export async function listEstablishments(pool: Pool, sellerId: number): Promise<Establishment[]> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM establishments WHERE seller_id = $1 ORDER BY id LIMIT 1000`,
    [sellerId],
  )
  return establishmentsOf(rows)
}

type Row = Omit<Establishment, 'affiliateId' | 'createdAt'> & { affiliateId: number | null; createdAt: Date }

function establishmentsOf(rows: readonly Row[]): Establishment[] {
  return rows.map((row) => ({
    ...row,
    affiliateId: row.affiliateId ?? undefined,
    createdAt: row.createdAt.getTime(),
  }))
}
