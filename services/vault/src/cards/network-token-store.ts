import type { Db } from '@cofre/platform/postgres/postgres'
import type { ShownCard } from './card'
import { cardValues, type NewCard, type SealedNumber } from './card-store'

/** The kind of number behind a network token: the card's or the network's. */
export type NumberKind = 'token_card' | 'token_number'
export type SealedTokenNumber = SealedNumber & ShownCard & { kind: NumberKind }

/** A card kept for a network token that no call then uses is destroyed after this time. */
const KEPT_MINUTES = 60

/** Keeps the card behind a network token, unless it is kept already. */
export async function insertTokenCard(db: Db, row: NewCard): Promise<void> {
  await db.query(
    `INSERT INTO cards (seller_id, token, sealed_number, data_key_id, bin, last_four, brand,
       expiration_year, expiration_month, holder_name, kind, kept_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'token_card', now() + make_interval(mins => ${KEPT_MINUTES}))
     ON CONFLICT ON CONSTRAINT cards_token DO NOTHING`,
    cardValues(row),
  )
}

/** Saves the network's number, in place of an earlier one. Returns false when the token was destroyed meanwhile. */
export async function saveTokenNumber(db: Db, row: NewCard, cardToken: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO cards (seller_id, token, sealed_number, data_key_id, bin, last_four, brand,
       expiration_year, expiration_month, holder_name, kind)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'token_number'
     FROM cards WHERE token = $11 AND seller_id = $1 AND kind = 'token_card' FOR SHARE
     ON CONFLICT ON CONSTRAINT cards_token DO UPDATE SET sealed_number = excluded.sealed_number,
       data_key_id = excluded.data_key_id, bin = excluded.bin, last_four = excluded.last_four,
       expiration_year = excluded.expiration_year, expiration_month = excluded.expiration_month`,
    [...cardValues(row), cardToken],
  )
  return rowCount === 1
}

/** Finds the rows of these tokens, still sealed. */
export async function findTokenNumbers(
  db: Db,
  sellerId: number,
  tokens: readonly string[],
): Promise<SealedTokenNumber[]> {
  const { rows } = await db.query<SealedTokenNumber>({
    name: 'find-token-numbers',
    text: `SELECT id, seller_id AS "sellerId", token, sealed_number AS "sealedNumber", data_key_id AS "dataKeyId",
        bin, last_four AS "lastFour", brand, expiration_year AS "expirationYear",
        expiration_month AS "expirationMonth", holder_name AS "holderName", kind
      FROM cards WHERE token = ANY($2::text[]) AND seller_id = $1 AND kind <> 'card'`,
    values: [sellerId, tokens],
  })
  return rows
}

/** Keeps the card of a token that is in use until the token is destroyed. */
export async function keepForGood(db: Db, sellerId: number, cardToken: string): Promise<void> {
  await db.query({
    name: 'keep-for-good',
    text: `UPDATE cards SET kept_until = NULL WHERE token = $2 AND seller_id = $1 AND kept_until IS NOT NULL`,
    values: [sellerId, cardToken],
  })
}

/** Deletes both rows, the card's first: no number is saved for a token whose card is gone. */
export async function deleteTokenNumbers(
  db: Db,
  sellerId: number,
  { card, number }: { card: string; number: string },
): Promise<void> {
  for (const token of [card, number]) {
    await db.query(`DELETE FROM cards WHERE token = $2 AND seller_id = $1 AND kind <> 'card'`, [
      sellerId,
      token,
    ])
  }
}

/** Destroys cards kept for tokens that no call used, at most 1,000. Returns how many. */
export async function forgetUnusedCards(db: Db): Promise<number> {
  // The condition stands twice: a card that comes into use between the two reads has no `kept_until`, and stays.
  const { rowCount } = await db.query(
    `DELETE FROM cards WHERE kept_until < now() AND id IN (
       SELECT id FROM cards WHERE kept_until < now() ORDER BY kept_until LIMIT 1000)`,
  )
  return rowCount ?? 0
}
