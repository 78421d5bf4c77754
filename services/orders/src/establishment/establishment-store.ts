import { DomainError } from '@cofre/platform/errors'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Establishment } from '@cofre/proto/orders/v1/orders'

export type NewEstablishment = {
  sellerId: number
  affiliateId: number | null
  merchantId: string
  networkTokens: boolean
  retryWithCard: boolean
}

const PAGE_SIZE = 1_000

const COLUMNS = `id, seller_id AS "sellerId", affiliate_id AS "affiliateId", merchant_id AS "merchantId",
  network_tokens AS "networkTokens", retry_with_card AS "retryWithCard", created_at AS "createdAt"`

/**
 * Stores an establishment. An existing one, with the same account for the same store, takes the new settings. Throws
 * CONFLICT when the seller has another account for that store.
 */
export async function saveEstablishment(
  pool: Pool,
  { sellerId, affiliateId, merchantId, networkTokens, retryWithCard }: NewEstablishment,
): Promise<Establishment> {
  const { rows } = await pool.query<Row>(
    `INSERT INTO establishments AS e (seller_id, affiliate_id, merchant_id, network_tokens, retry_with_card)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT establishments_store DO UPDATE
       SET network_tokens = excluded.network_tokens, retry_with_card = excluded.retry_with_card
       WHERE e.merchant_id = excluded.merchant_id
     RETURNING ${COLUMNS}`,
    [sellerId, affiliateId, merchantId, networkTokens, retryWithCard],
  )
  const [saved] = establishmentsOf(rows)
  if (saved) return saved
  const message = 'The seller already has another account for this store.'
  throw new DomainError('conflict', 'ESTABLISHMENT_EXISTS', message)
}

/** Returns a page of a seller's establishments. `after`: the page follows the establishment with this id. */
export async function listEstablishments(
  pool: Pool,
  { sellerId, after }: { sellerId: number; after?: number | undefined },
): Promise<{ establishments: Establishment[]; more: boolean }> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM establishments WHERE seller_id = $1 AND id > $2 ORDER BY id LIMIT ${PAGE_SIZE + 1}`,
    [sellerId, after ?? 0],
  )
  return { establishments: establishmentsOf(rows.slice(0, PAGE_SIZE)), more: rows.length > PAGE_SIZE }
}

type Row = Omit<Establishment, 'affiliateId' | 'createdAt'> & { affiliateId: number | null; createdAt: Date }

function establishmentsOf(rows: readonly Row[]): Establishment[] {
  return rows.map((row) => ({
    ...row,
    affiliateId: row.affiliateId ?? undefined,
    createdAt: row.createdAt.getTime(),
  }))
}
