import { DomainError } from '@cofre/platform/errors'
import { breaches, type Pool } from '@cofre/platform/postgres/postgres'
import type { Establishment } from '@cofre/proto/orders/v1/orders'
import type { AcquirerName } from '../acquirer/acquirer-name'

export type NewEstablishment = {
  sellerId: number
  affiliateId: number | null
  acquirer: AcquirerName
  merchantId: string
  networkTokens: boolean
  retryWithCard: boolean
  /** The acquirer's number of the merchant; null: its disputes are not asked for. */
  establishmentNumber: string | null
}

const PAGE_SIZE = 1_000

const COLUMNS = `id, seller_id AS "sellerId", affiliate_id AS "affiliateId", acquirer,
  merchant_id AS "merchantId", network_tokens AS "networkTokens", retry_with_card AS "retryWithCard",
  establishment_number AS "establishmentNumber", created_at AS "createdAt"`

/**
 * Stores an establishment. An existing one, with the same account for the same store, takes the new settings, and keeps
 * its number when the new ones have none. Throws
 * CONFLICT when the seller has another account for that store, or another establishment has its number.
 */
export async function saveEstablishment(pool: Pool, establishment: NewEstablishment): Promise<Establishment> {
  const { sellerId, affiliateId, acquirer, merchantId, networkTokens, retryWithCard, establishmentNumber } =
    establishment
  const { rows } = await pool
    .query<Row>(
      `INSERT INTO establishments AS e (seller_id, affiliate_id, merchant_id, network_tokens, retry_with_card, acquirer,
         establishment_number, disputes_ask_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $7::text IS NOT NULL THEN now() END)
       ON CONFLICT ON CONSTRAINT establishments_store DO UPDATE
         SET network_tokens = excluded.network_tokens, retry_with_card = excluded.retry_with_card,
           establishment_number = coalesce(excluded.establishment_number, e.establishment_number),
           disputes_ask_at = coalesce(excluded.disputes_ask_at, e.disputes_ask_at)
         WHERE e.merchant_id = excluded.merchant_id AND e.acquirer = excluded.acquirer
       RETURNING ${COLUMNS}`,
      [sellerId, affiliateId, merchantId, networkTokens, retryWithCard, acquirer, establishmentNumber],
    )
    .catch(unlessNumberTaken)
  const [saved] = establishmentsOf(rows)
  if (saved) return saved
  const message = 'The seller already has another account for this store.'
  throw new DomainError('conflict', 'ESTABLISHMENT_EXISTS', message)
}

function unlessNumberTaken(error: unknown): never {
  if (!breaches(error, 'establishments_number')) throw error
  const message = 'Another establishment has this establishment number.'
  throw new DomainError('conflict', 'ESTABLISHMENT_NUMBER_TAKEN', message)
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

type Row = Omit<Establishment, 'affiliateId' | 'establishmentNumber' | 'createdAt'> & {
  affiliateId: number | null
  establishmentNumber: string | null
  createdAt: Date
}

function establishmentsOf(rows: readonly Row[]): Establishment[] {
  return rows.map((row) => ({
    ...row,
    affiliateId: row.affiliateId ?? undefined,
    establishmentNumber: row.establishmentNumber ?? undefined,
    createdAt: row.createdAt.getTime(),
  }))
}
