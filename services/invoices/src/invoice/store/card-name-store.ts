import type { Db } from '@cofre/platform/postgres/postgres'
import type { CardName } from '@cofre/platform/written'
import type { CustomerKey } from '../../catalog/customers/customer'

/** Notes what the vault says of a stored card: payers read it, and no page or letter has to ask the vault. */
export async function noteCardName(db: Db, cardId: number, { brand, lastFour }: CardName): Promise<void> {
  await db.query({
    name: 'note-card-name',
    // A name that is noted already is only read: the conflict alone would lock its row, and cost a flush of the log.
    text: `INSERT INTO card_names (card_id, brand, last_four) SELECT $1::bigint, $2::text, $3::text
      WHERE NOT EXISTS (SELECT FROM card_names WHERE card_id = $1 AND (brand, last_four) = ($2, $3))
      ON CONFLICT (card_id) DO UPDATE SET brand = $2, last_four = $3`,
    values: [cardId, brand, lastFour],
  })
}

/** The names of stored cards that are known, in the order of the ids. */
export async function cardNames(db: Db, cardIds: readonly number[]): Promise<CardName[]> {
  if (cardIds.length === 0) return []
  const { rows } = await db.query<CardName>({
    name: 'card-names',
    text: `SELECT n.brand, n.last_four AS "lastFour" FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (card_id, place)
      JOIN card_names n USING (card_id) ORDER BY place`,
    values: [cardIds],
  })
  return rows
}

/** Erases the names of all cards of a customer who is about to be deleted, in the same transaction. */
export async function forgetCardNames(tx: Db, { sellerId, customerId }: CustomerKey): Promise<void> {
  await tx.query({
    name: 'forget-card-names',
    text: `DELETE FROM card_names WHERE card_id IN (
        SELECT kept_card_id FROM customers WHERE id = $1 AND seller_id = $2
        UNION SELECT card_id FROM recurring_invoices WHERE customer_id = $1 AND seller_id = $2
        UNION SELECT unnest(ARRAY[t.card_id, t.keep_card_id]) FROM invoice_transactions t JOIN invoices i ON i.id = t.invoice_id
          WHERE i.customer_id = $1 AND i.seller_id = $2)`,
    values: [customerId, sellerId],
  })
}
