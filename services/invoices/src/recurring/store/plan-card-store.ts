import type { Db } from '@cofre/platform/postgres/postgres'
import { settingsOf } from '../../methods/methods'
import type { RecurringInvoice } from '../rules/recurring-invoice'

type Plan = Pick<
  RecurringInvoice,
  | 'sellerId'
  | 'customerId'
  | 'status'
  | 'collectionMethod'
  | 'acceptedMethods'
  | 'cardId'
  | 'cardChosenAt'
  | 'createdAt'
>

/** The card that is charged next for a plan: the one that was chosen last, of those that nobody disputes. */
export async function readNextCard(db: Db, plan: Plan): Promise<number | undefined> {
  const { sellerId, customerId, cardId, status, collectionMethod, acceptedMethods } = plan
  const isCharged = collectionMethod === 'CHARGE_AUTOMATICALLY' && status !== 'CANCELLED'
  if (!isCharged || !settingsOf(acceptedMethods, 'CREDIT_CARD')) return undefined
  const { rows } = await db.query<{ card: number }>({
    name: 'read-next-card',
    text: `SELECT card FROM (
        SELECT $3::bigint AS card, $4::timestamptz AS chosen_at, 1 AS place WHERE $3 IS NOT NULL
        UNION ALL SELECT kept_card_id, coalesce(kept_card_at, 'epoch'), 2 FROM customers
          WHERE id = $1 AND seller_id = $2 AND kept_card_id IS NOT NULL) AS chosen
      WHERE NOT EXISTS (SELECT FROM disputes d WHERE d.seller_id = $2 AND d.card_id = chosen.card AND NOT d.is_won)
      ORDER BY chosen_at DESC, place LIMIT 1`,
    values: [customerId, sellerId, cardId, new Date(plan.cardChosenAt ?? plan.createdAt)],
  })
  return rows[0]?.card
}

/** Whether a stored card is charged for another customer: one that keeps it, or whose plan names it. */
export async function isCardOfAnother(
  db: Db,
  { sellerId, customerId, cardId }: { sellerId: number; customerId: number; cardId: number },
): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>({
    name: 'card-of-another',
    text: `SELECT EXISTS (SELECT FROM customers WHERE seller_id = $1 AND kept_card_id = $3 AND id <> $2)
        OR EXISTS (SELECT FROM recurring_invoices WHERE seller_id = $1 AND card_id = $3 AND customer_id <> $2
          AND status <> 'CANCELLED') AS is`,
    values: [sellerId, customerId, cardId],
  })
  return rows[0]?.is ?? false
}
