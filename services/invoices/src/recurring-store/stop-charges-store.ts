import type { Db } from '@cofre/platform/postgres/postgres'

type Customer = { sellerId: number; customerId: number }

/** Locks the invoices for which a card of the customer is to be charged, until the caller's commit. */
export async function holdCharged(tx: Db, { sellerId, customerId }: Customer): Promise<void> {
  await tx.query({
    name: 'hold-charged',
    text: `SELECT FROM invoices WHERE id IN (
        SELECT invoice_id FROM automatic_charges WHERE customer_id = $1 AND seller_id = $2
          AND status IN ('WAITING', 'NEEDS_CARD'))
      ORDER BY id FOR UPDATE`,
    values: [customerId, sellerId],
  })
}

/**
 * Stops the automatic charges of a cancelled recurring invoice's invoices. An attempt under way goes on, and its
 * outcome is followed. `at`: epoch milliseconds.
 */
export async function stopChargesOfRecurring(
  tx: Db,
  { sellerId, recurringInvoiceId, at }: { sellerId: number; recurringInvoiceId: number; at: number },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'stop-charges-of-recurring',
    text: `WITH held AS (
        SELECT invoice_id FROM automatic_charges WHERE seller_id = $2 AND status IN ('WAITING', 'NEEDS_CARD')
          AND invoice_id IN (SELECT id FROM invoices WHERE recurring_invoice_id = $1)
        ORDER BY invoice_id FOR UPDATE)
      UPDATE automatic_charges a SET status = 'STOPPED', reason = 'RECURRING_INVOICE_CANCELLED', next_attempt_at = NULL,
        updated_at = $3
      FROM held WHERE a.invoice_id = held.invoice_id`,
    values: [recurringInvoiceId, sellerId, new Date(at)],
  })
  return rowCount ?? 0
}

/** Stops the automatic charges of a deleted customer; an attempt under way goes on. `at`: epoch milliseconds. */
export async function stopChargesOfCustomer(
  tx: Db,
  { sellerId, customerId, at }: Customer & { at: number },
): Promise<void> {
  await tx.query({
    name: 'stop-charges-of-customer',
    text: `UPDATE automatic_charges SET status = 'STOPPED', reason = 'CUSTOMER_DELETED', next_attempt_at = NULL, updated_at = $3
      WHERE customer_id = $1 AND seller_id = $2 AND status IN ('WAITING', 'NEEDS_CARD')`,
    values: [customerId, sellerId, new Date(at)],
  })
}
