import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { CustomerKey } from '../../catalog/customers/customer'
import type { Transaction, WholeInvoice } from '../../invoice/rules/invoice'

/** A card in the vault that nobody keeps any more. */
export type DiscardedCard = { sellerId: number; cardId: number }

/**
 * Has the customer of an invoice keep a card, in the caller's transaction. A card of ours that the customer kept before
 * is discarded. So is this one when the customer was deleted.
 */
export async function keepCard(
  tx: Db,
  { sellerId, customer }: Pick<WholeInvoice, 'sellerId' | 'customer'>,
  {
    keepCardId: cardId,
    keepCardIsOurs: isOurs,
    keepConsent: consent,
    updatedAt: at,
  }: Pick<Transaction, 'keepCardId' | 'keepCardIsOurs' | 'keepConsent' | 'updatedAt'>,
): Promise<void> {
  await tx.query({
    name: 'keep-card',
    text: `WITH old AS (
        SELECT id, kept_card_id, kept_card_is_ours, kept_card_at, kept_card_consent FROM customers
        WHERE id = $1 AND seller_id = $2 FOR UPDATE),
      kept AS (
        UPDATE customers c SET kept_card_id = $3, kept_card_is_ours = $4 OR (old.kept_card_id IS NOT DISTINCT FROM $3 AND old.kept_card_is_ours),
          kept_card_at = CASE WHEN old.kept_card_id = $3 THEN old.kept_card_at ELSE $5 END,
          kept_card_consent = coalesce($6::json, CASE WHEN old.kept_card_id = $3 THEN old.kept_card_consent END)
        FROM old WHERE c.id = old.id)
      INSERT INTO discarded_cards (seller_id, card_id, ask_at)
      SELECT $2, kept_card_id, now() FROM old WHERE kept_card_is_ours AND kept_card_id <> $3
      UNION ALL SELECT $2, $3, now() WHERE $4 AND NOT EXISTS (SELECT FROM old)
      ON CONFLICT DO NOTHING`,
    values: [customer.id, sellerId, cardId, isOurs, new Date(at), consent && JSON.stringify(consent)],
  })
}

/** Ends that a customer keeps a card, and discards one of ours. The caller has locked the customer. False: another is kept. */
export async function forgetKeptCard(
  tx: Db,
  { sellerId, customerId, cardId }: CustomerKey & { cardId: number },
): Promise<boolean> {
  const { rows } = await tx.query<{ isOurs: boolean }>({
    name: 'forget-kept-card',
    text: `WITH old AS (SELECT * FROM customers WHERE id = $1 AND seller_id = $2 AND kept_card_id = $3)
      UPDATE customers c SET kept_card_id = NULL, kept_card_is_ours = false, kept_card_at = NULL,
        kept_card_consent = NULL
      FROM old WHERE c.id = old.id RETURNING old.kept_card_is_ours AS "isOurs"`,
    values: [customerId, sellerId, cardId],
  })
  if (rows[0]?.isOurs) await discardCard(tx, { sellerId, cardId })
  return rows.length > 0
}

/** Discards the kept card of a customer who is about to be deleted, in the same transaction. */
export async function discardKeptCard(tx: Db, { sellerId, customerId }: CustomerKey): Promise<void> {
  await tx.query({
    name: 'discard-kept-card',
    // Locked first: a payment with which the customer keeps another card commits before, or finds no customer.
    text: `WITH leaving AS (SELECT * FROM customers WHERE id = $1 AND seller_id = $2 FOR UPDATE)
      INSERT INTO discarded_cards (seller_id, card_id, ask_at)
      SELECT seller_id, kept_card_id, now() FROM leaving WHERE kept_card_is_ours ON CONFLICT DO NOTHING`,
    values: [customerId, sellerId],
  })
}

/** Erases what a customer who is about to be deleted agreed to, and from where, in the same transaction. */
export async function forgetConsents(tx: Db, { sellerId, customerId }: CustomerKey): Promise<void> {
  const ofCustomer = 'SELECT id FROM invoices WHERE customer_id = $1 AND seller_id = $2'
  for (const table of ['invoice_transactions', 'challenges']) {
    await tx.query({
      name: `forget-consents-of-${table}`,
      text: `UPDATE ${table} SET keep_consent = NULL WHERE invoice_id IN (${ofCustomer}) AND keep_consent IS NOT NULL`,
      values: [customerId, sellerId],
    })
  }
}

/** Discards a card of ours that a payment was to keep, and did not. */
export async function discardCard(tx: Db, { sellerId, cardId }: DiscardedCard): Promise<void> {
  await tx.query({
    name: 'discard-card',
    text: `INSERT INTO discarded_cards (seller_id, card_id, ask_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING`,
    values: [sellerId, cardId],
  })
}

/** Takes discarded cards that are due, for this caller alone until their next time. */
export function leaseDiscarded(pool: Pool, lease: Lease): Promise<DiscardedCard[]> {
  const returning = 'seller_id AS "sellerId", card_id AS "cardId"'
  return leaseDue(pool, { table: 'discarded_cards', key: 'card_id', returning }, lease)
}

/** Forgets a card that the vault has destroyed. */
export async function forgetDiscarded(pool: Pool, { cardId }: DiscardedCard): Promise<void> {
  await pool.query('DELETE FROM discarded_cards WHERE card_id = $1', [cardId])
}
