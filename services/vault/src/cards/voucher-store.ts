import type { Db } from '@cofre/platform/postgres/postgres'
import type { ShownCard } from './card'
import { CARD, cardValues, SEALED, type NewCard, type SealedNumber } from './card-store'

/** Keeps the card behind a voucher token, unless it is kept already. */
export async function insertVoucher(db: Db, row: NewCard): Promise<void> {
  await db.query(
    `INSERT INTO cards (seller_id, token, sealed_number, data_key_id, bin, last_four, brand,
       expiration_year, expiration_month, holder_name, kind)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'voucher')
     ON CONFLICT ON CONSTRAINT cards_token DO NOTHING`,
    cardValues(row),
  )
}

/** Finds a voucher's number, still sealed, with the other card data that an issuer may be sent. */
export async function findVoucher(
  db: Db,
  sellerId: number,
  token: string,
): Promise<(SealedNumber & ShownCard) | undefined> {
  const { rows } = await db.query<SealedNumber & ShownCard>({
    name: 'find-voucher',
    text: `SELECT ${SEALED}, ${CARD} FROM cards WHERE token = $2 AND seller_id = $1 AND kind = 'voucher'`,
    values: [sellerId, token],
  })
  return rows[0]
}

export async function deleteVoucher(db: Db, sellerId: number, token: string): Promise<void> {
  await db.query(`DELETE FROM cards WHERE token = $2 AND seller_id = $1 AND kind = 'voucher'`, [
    sellerId,
    token,
  ])
}
