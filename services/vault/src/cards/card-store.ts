import type { Db } from '@cofre/platform/postgres/postgres'
import type { SealedTable } from '../keys/reseal-store'
import type { ShownCard, StoredCard } from './card'

/** A stored number: its ciphertext, the key that sealed it, and the seller and token that it is bound to. */
export type SealedNumber = {
  id: number
  sellerId: number
  token: string
  sealedNumber: Buffer
  dataKeyId: string
}

export type NewCard = Omit<SealedNumber, 'id'> & { card: ShownCard }

/** A breach of this constraint means that the data key was destroyed meanwhile. */
export const DATA_KEY_CONSTRAINT = 'cards_data_key'

/** Names a card by its id or by its token. */
export type CardReference = { id: number } | { token: string }

export const CARD = `bin, last_four AS "lastFour", brand, expiration_year AS "expirationYear",
  expiration_month AS "expirationMonth", holder_name AS "holderName"`
const STORED = `id, token, ${CARD}, created_at AS "createdAt"`
export const SEALED = `id, seller_id AS "sellerId", token, sealed_number AS "sealedNumber", data_key_id AS "dataKeyId"`

export const SEALED_CARDS: SealedTable = { name: 'cards', columns: SEALED, sealed: 'sealed_number' }

type StoredRow = Omit<StoredCard, 'card' | 'createdAt'> & ShownCard & { createdAt: Date }

export async function insertCard(db: Db, card: NewCard): Promise<StoredCard> {
  const { rows } = await db.query<Pick<StoredRow, 'id' | 'createdAt'>>({
    name: 'insert-card',
    text: `INSERT INTO cards (seller_id, token, sealed_number, data_key_id, bin, last_four, brand,
             expiration_year, expiration_month, holder_name)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id, created_at AS "createdAt"`,
    values: cardValues(card),
  })
  const { id, createdAt } = rows[0] as Pick<StoredRow, 'id' | 'createdAt'>
  return { id, token: card.token, card: card.card, createdAt: createdAt.getTime() }
}

/** Puts a new number in the place of a stored card's. Returns false when the card was deleted meanwhile. */
export async function replaceNumber(db: Db, { sellerId, token, card, ...sealed }: NewCard): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE cards SET sealed_number = $3, data_key_id = $4, bin = $5, last_four = $6, brand = $7,
       expiration_year = $8, expiration_month = $9
     WHERE seller_id = $1 AND token = $2 AND kind = 'card'`,
    cardValues({ sellerId, token, card, ...sealed }).slice(0, -1),
  )
  return rowCount === 1
}

/** Returns a card's values in the order of the columns that every kind of card has. */
export function cardValues({ card, ...sealed }: NewCard): unknown[] {
  return [
    sealed.sellerId,
    sealed.token,
    sealed.sealedNumber,
    sealed.dataKeyId,
    card.bin,
    card.lastFour,
    card.brand,
    card.expirationYear,
    card.expirationMonth,
    card.holderName,
  ]
}

/** Returns the seller's cards with these tokens, in no order. Unknown tokens and other sellers' are left out. */
export async function findCardsByToken(db: Db, sellerId: number, tokens: string[]): Promise<StoredCard[]> {
  if (tokens.length === 0) return []
  const { rows } = await db.query<StoredRow>({
    name: 'find-cards-by-token',
    text: `SELECT ${STORED} FROM cards WHERE token = ANY($2::text[]) AND seller_id = $1 AND kind = 'card'`,
    values: [sellerId, tokens],
  })
  return storedCards(rows)
}

export async function findCard(
  db: Db,
  sellerId: number,
  ref: CardReference,
): Promise<StoredCard | undefined> {
  if ('token' in ref) return (await findCardsByToken(db, sellerId, [ref.token]))[0]
  const { rows } = await db.query<StoredRow>({
    name: 'find-card',
    text: `SELECT ${STORED} FROM cards WHERE id = $2 AND seller_id = $1 AND kind = 'card'`,
    values: [sellerId, ref.id],
  })
  return storedCards(rows)[0]
}

function columnOf(ref: CardReference): ['id', number] | ['token', string] {
  return 'id' in ref ? ['id', ref.id] : ['token', ref.token]
}

/** Finds a card's number, still sealed, with the other card data that a partner may be sent. */
export async function findSealedNumber(
  db: Db,
  sellerId: number,
  reference: CardReference,
): Promise<(SealedNumber & ShownCard) | undefined> {
  const [column, value] = columnOf(reference)
  const { rows } = await db.query<SealedNumber & ShownCard>({
    name: `find-sealed-number-by-${column}`,
    text: `SELECT ${SEALED}, ${CARD} FROM cards WHERE ${column} = $2 AND seller_id = $1 AND kind = 'card'`,
    values: [sellerId, value],
  })
  return rows[0]
}

/** Deletes the row, and with it the number. Returns the id; undefined when the seller has no such card. */
export async function deleteCard(db: Db, sellerId: number, ref: CardReference): Promise<number | undefined> {
  const [column, value] = columnOf(ref)
  const { rows } = await db.query<{ id: number }>(
    `DELETE FROM cards WHERE ${column} = $2 AND seller_id = $1 AND kind = 'card' RETURNING id`,
    [sellerId, value],
  )
  return rows[0]?.id
}

function storedCards(rows: readonly StoredRow[]): StoredCard[] {
  return rows.map(({ id, token, createdAt, ...card }) => {
    return { id, token, card, createdAt: createdAt.getTime() }
  })
}
