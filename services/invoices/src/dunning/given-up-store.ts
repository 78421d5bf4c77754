import { addDays, dayOf } from '@cofre/platform/calendar-day'
import type { Db } from '@cofre/platform/postgres/postgres'
import { chargingTimeOf } from './rules/schedule'

const DAY_MS = 86_400_000
/** What was given up longer ago is charged only if its seller asks for it: its payer does not expect that any more. */
const EXPECTED_DAYS = 31
const MOST = 100

type Kept = { sellerId: number; customerId: number; cardId: number; at: number }

/**
 * Has a card that a customer keeps from now on tried once, on the next day, for invoices whose automatic charge was given
 * up. Other cards of theirs count as tried. `at`: epoch milliseconds.
 */
export async function tryKeptCard(tx: Db, { sellerId, customerId, cardId, at }: Kept): Promise<void> {
  await tx.query({
    name: 'try-kept-card',
    // An invoice that somebody else has locked is paid or changed just now. It is left alone: waiting could be for ever.
    text: `WITH open AS (
        SELECT a.invoice_id, r.status = 'PAUSED' AS is_held, array_remove(ARRAY[nullif(r.card_id, $3)], NULL) AS others
        FROM automatic_charges a JOIN invoices i ON i.id = a.invoice_id
          JOIN recurring_invoices r ON r.id = i.recurring_invoice_id
        WHERE a.customer_id = $1 AND a.seller_id = $2 AND a.status = 'GIVEN_UP' AND a.updated_at > $5
          AND i.status = 'CLOSED' AND r.status <> 'CANCELLED' AND $3 <> ALL(a.refused_cards)
          AND NOT EXISTS (SELECT FROM invoice_transactions t WHERE t.invoice_id = a.invoice_id AND t.card_id = $3)
        ORDER BY a.invoice_id LIMIT ${MOST} FOR UPDATE OF i, a SKIP LOCKED)
      UPDATE automatic_charges a SET status = 'WAITING', next_attempt_at = $4, is_held = open.is_held,
        tried_cards = open.others, updated_at = $6
      FROM open WHERE a.invoice_id = open.invoice_id`,
    values: [
      customerId,
      sellerId,
      cardId,
      new Date(chargingTimeOf(addDays(dayOf(at), 1))),
      new Date(at - EXPECTED_DAYS * DAY_MS),
      new Date(at),
    ],
  })
}
