import type { Db } from '@cofre/platform/postgres/postgres'
import type { CustomerKey } from '../../catalog/customers/customer'
import type { KeepConsent } from '../../invoice/rules/invoice'

/**
 * A stored card that is charged automatically for a customer. `since`: when it was kept, or first named for a plan.
 * `isDefault`: the customer keeps it. `consent`: to that, on a page of ours. `plans`: the recurring invoices that charge it.
 */
export type ChargedCard = {
  cardId: number
  since: number
  isDefault: boolean
  plans: number[]
  consent: KeepConsent | null
}

/** The plans of a customer that charge cards: those that go on, and those of which an invoice still waits for its card. */
const PLANS = `SELECT r.id, r.card_id, coalesce(r.card_chosen_at, r.created_at) AS named_at FROM recurring_invoices r
    WHERE r.customer_id = $1 AND r.seller_id = $2 AND r.status IN ('ACTIVE', 'PAUSED')
      AND r.collection_method = 'CHARGE_AUTOMATICALLY'
  UNION SELECT r.id, r.card_id, coalesce(r.card_chosen_at, r.created_at) FROM automatic_charges a
    JOIN invoices i ON i.id = a.invoice_id JOIN recurring_invoices r ON r.id = i.recurring_invoice_id
    WHERE a.customer_id = $1 AND a.seller_id = $2 AND a.status IN ('WAITING', 'NEEDS_CARD')
  LIMIT 1000`

/** The cards that are charged automatically for a customer, the one that the customer keeps first. */
export async function readChargedCards(
  db: Db,
  { sellerId, customerId }: CustomerKey,
): Promise<ChargedCard[]> {
  const { rows } = await db.query<ChargedCard & { since: Date }>({
    name: 'read-charged-cards',
    text: `WITH plans AS (${PLANS}),
      kept AS (SELECT kept_card_id AS card, coalesce(kept_card_at, updated_at) AS since, kept_card_consent AS consent FROM customers
        WHERE id = $1 AND seller_id = $2 AND kept_card_id IS NOT NULL),
      charged AS (
        SELECT card, since, true AS is_default, NULL::bigint AS plan FROM kept
        UNION ALL SELECT kept.card, kept.since, true, plans.id FROM plans CROSS JOIN kept
          WHERE plans.card_id IS NULL OR plans.card_id <> kept.card AND kept.since > plans.named_at
        UNION ALL SELECT plans.card_id, plans.named_at, false, plans.id FROM plans WHERE plans.card_id IS NOT NULL)
      SELECT card AS "cardId", min(since) AS since, bool_or(is_default) AS "isDefault",
        coalesce(json_agg(plan ORDER BY plan) FILTER (WHERE plan IS NOT NULL), '[]') AS plans,
        (SELECT consent FROM kept WHERE kept.card = charged.card) AS consent
      FROM charged GROUP BY card ORDER BY bool_or(is_default) DESC, card`,
    values: [customerId, sellerId],
  })
  return rows.map((row) => ({ ...row, since: row.since.getTime() }))
}

/** Whether cards are charged automatically for what follows an invoice in its plan: one that is kept now is charged first. */
export async function mayKeepCard(
  db: Db,
  { id, recurringInvoiceId }: { id: number; recurringInvoiceId: number | null },
): Promise<boolean> {
  if (recurringInvoiceId === null) return false
  const { rows } = await db.query({
    name: 'may-keep-card',
    text: `SELECT FROM recurring_invoices r
      WHERE r.id = $1 AND r.collection_method = 'CHARGE_AUTOMATICALLY'
        AND (r.status IN ('ACTIVE', 'PAUSED') OR EXISTS (
          SELECT FROM invoices i JOIN automatic_charges a ON a.invoice_id = i.id
          WHERE i.recurring_invoice_id = r.id AND i.id <> $2 AND a.status IN ('WAITING', 'NEEDS_CARD')))`,
    values: [recurringInvoiceId, id],
  })
  return rows.length > 0
}

type CardKey = CustomerKey & { cardId: number; at: number }

/** Has no plan of a customer name a card any more. Returns how many did. `at`: epoch milliseconds. */
export async function unnameCard(tx: Db, { sellerId, customerId, cardId, at }: CardKey): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'unname-card',
    text: `UPDATE recurring_invoices SET card_id = NULL, card_chosen_at = NULL, updated_at = $4
      WHERE card_id = $3 AND id = ANY(ARRAY(SELECT id FROM (${PLANS}) AS plans))`,
    values: [customerId, sellerId, cardId, new Date(at)],
  })
  return rowCount ?? 0
}

/** Has the automatic charges of a customer that have no card left wait for one. Returns how many. */
export async function awaitOtherCards(
  tx: Db,
  { sellerId, customerId, at }: Omit<CardKey, 'cardId'>,
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'await-other-cards',
    text: `UPDATE automatic_charges a SET status = 'NEEDS_CARD', reason = 'CARD_REMOVED', look_at = a.next_attempt_at,
        next_attempt_at = NULL, updated_at = $3
      FROM invoices i LEFT JOIN recurring_invoices r ON r.id = i.recurring_invoice_id, customers c
      WHERE i.id = a.invoice_id AND c.id = a.customer_id AND a.customer_id = $1 AND a.seller_id = $2 AND a.status = 'WAITING'
        AND (r.card_id IS NULL OR r.card_id = ANY(a.refused_cards))
        AND (c.kept_card_id IS NULL OR c.kept_card_id = ANY(a.refused_cards))`,
    values: [customerId, sellerId, new Date(at)],
  })
  return rowCount ?? 0
}
