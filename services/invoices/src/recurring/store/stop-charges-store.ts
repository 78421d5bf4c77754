import type { Db } from '@cofre/platform/postgres/postgres'
import type { CustomerKey } from '../../catalog/customers/customer'

/** Locks the invoices for which a card of the customer is to be charged, until the caller's commit. */
export async function holdCharged(tx: Db, { sellerId, customerId }: CustomerKey): Promise<void> {
  await tx.query({
    name: 'hold-charged',
    text: `SELECT FROM invoices WHERE id IN (
        SELECT invoice_id FROM automatic_charges WHERE customer_id = $1 AND seller_id = $2
          AND status IN ('WAITING', 'NEEDS_CARD'))
      ORDER BY id FOR UPDATE`,
    values: [customerId, sellerId],
  })
}

/** Locks a customer until the caller's commit. False when the seller has no such customer. */
export async function lockCustomer(tx: Db, { sellerId, customerId }: CustomerKey): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'lock-customer',
    text: 'SELECT FROM customers WHERE id = $1 AND seller_id = $2 FOR UPDATE',
    values: [customerId, sellerId],
  })
  return rows.length > 0
}

/**
 * Holds the automatic charges of a paused recurring invoice's invoices, or lets them go on. An attempt under way goes on
 * in any case; what follows from it is held. Returns how many. `at`: epoch milliseconds.
 */
export async function holdChargesOfRecurring(
  tx: Db,
  key: { sellerId: number; recurringInvoiceId: number; at: number },
  isHeld: boolean,
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'hold-charges-of-recurring',
    text: `WITH held AS (
        SELECT invoice_id FROM automatic_charges WHERE seller_id = $2 AND status IN ('WAITING', 'TRYING', 'NEEDS_CARD')
          AND invoice_id IN (SELECT id FROM invoices WHERE recurring_invoice_id = $1)
        ORDER BY invoice_id FOR UPDATE)
      UPDATE automatic_charges a SET is_held = $4, updated_at = $3 FROM held WHERE a.invoice_id = held.invoice_id`,
    values: [key.recurringInvoiceId, key.sellerId, new Date(key.at), isHeld],
  })
  return rowCount ?? 0
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
  { sellerId, customerId, at }: CustomerKey & { at: number },
): Promise<void> {
  await tx.query({
    name: 'stop-charges-of-customer',
    text: `UPDATE automatic_charges SET status = 'STOPPED', reason = 'CUSTOMER_DELETED', next_attempt_at = NULL, updated_at = $3
      WHERE customer_id = $1 AND seller_id = $2 AND status IN ('WAITING', 'NEEDS_CARD')`,
    values: [customerId, sellerId, new Date(at)],
  })
}
