import type { Db } from '@cofre/platform/postgres/postgres'
import type { Decline } from '../invoice/rules/invoice'
import type { CardDecline } from './rules/brand-limits'

const DAY_MS = 86_400_000
/** The longest period for which a brand counts declines. */
const COUNTED_DAYS = 31

/**
 * Whether a payment with a stored card has no outcome yet; a payment that is refunded does not count. Until the
 * caller's transaction ends, no other one begins an automatic payment with the card.
 */
export async function isCardCharged(
  tx: Db,
  { sellerId, cardId }: { sellerId: number; cardId: number },
): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`card ${cardId} of seller ${sellerId}`])
  const { rows } = await tx.query({
    name: 'card-charged',
    text: `SELECT FROM invoice_transactions WHERE seller_id = $1 AND card_id = $2 AND status = 'PENDING' AND NOT give_back LIMIT 1`,
    values: [sellerId, cardId],
  })
  return rows.length > 0
}

type CountedCard = { sellerId: number; cardId: number; credential?: string; at: number }

/**
 * The declines of a stored card, as far back as brands count them. `credential`: with those in the seller's own charges.
 * `at`: epoch milliseconds.
 */
export async function cardDeclines(
  db: Db,
  { sellerId, cardId, credential, at }: CountedCard,
): Promise<CardDecline[]> {
  const { rows } = await db.query<{ at: Date; amount: number }>({
    name: 'card-declines',
    text: `SELECT created_at AS at, amount FROM invoice_transactions
      WHERE seller_id = $1 AND card_id = $2 AND created_at > $3 AND status = 'FAILED' AND decline IS NOT NULL
      UNION ALL SELECT created_at, amount FROM card_declines
      WHERE seller_id = $1 AND credential = $4 AND created_at > $3
      ORDER BY at DESC LIMIT 200`,
    values: [sellerId, cardId, new Date(at - COUNTED_DAYS * DAY_MS), credential ?? null],
  })
  return rows.map((row) => ({ ...row, at: row.at.getTime() }))
}

/** `approved`: an issuer has let this seller charge the card. `decline`: the issuer's latest answer, if that was no. */
export type CardHistory = { approved: boolean; decline: (CardDecline & { said: Decline }) | null }

export async function cardHistory(
  db: Db,
  { sellerId, customerId, cardId }: { sellerId: number; customerId: number; cardId: number },
): Promise<CardHistory> {
  const { rows } = await db.query<{
    approved: boolean
    at: Date | null
    amount: number
    said: Decline | null
  }>({
    name: 'card-history',
    text: `SELECT t.created_at AS at, t.amount, t.decline AS said,
        EXISTS (SELECT FROM customers WHERE id = $2 AND seller_id = $1 AND kept_card_id = $3)
          OR EXISTS (SELECT FROM invoice_transactions WHERE seller_id = $1 AND card_id = $3 AND status = 'SUCCEEDED') AS approved
      FROM (VALUES (1)) AS one LEFT JOIN LATERAL (SELECT created_at, amount, decline FROM invoice_transactions
        WHERE seller_id = $1 AND card_id = $3 AND (status = 'SUCCEEDED' OR decline IS NOT NULL)
        ORDER BY created_at DESC, id DESC LIMIT 1) t ON true`,
    values: [sellerId, customerId, cardId],
  })
  const { approved = false, at = null, amount = 0, said = null } = rows[0] ?? {}
  return { approved, decline: at && said ? { at: at.getTime(), amount, said } : null }
}
