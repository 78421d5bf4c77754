import type { Db } from '@cofre/platform/postgres/postgres'

/** The most sales that are added up: the sum reads no more rows, however long a product has been sold. */
export const SALES_MAX = 10_000

/** What was sold by the payment link of a product: its latest paid invoices, and what they took, less what went back. */
export async function readSales(
  db: Db,
  { sellerId, productId }: { sellerId: number; productId: number },
): Promise<{ count: number; amount: number; more: boolean }> {
  const { rows } = await db.query<{ count: number; amount: number }>({
    name: 'payment-link-sales',
    text: `SELECT count(*) AS count, coalesce(sum(taken) FILTER (WHERE place <= ${SALES_MAX}), 0)::bigint AS amount FROM (
      SELECT paid_amount - refunded_amount AS taken, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place
      FROM invoices WHERE seller_id = $1 AND payment_link_product_id = $2 AND status = 'PAID'
      ORDER BY created_at DESC, id DESC LIMIT ${SALES_MAX + 1}) AS paid`,
    values: [sellerId, productId],
  })
  const { count, amount } = rows[0] ?? { count: 0, amount: 0 }
  return { count: Math.min(count, SALES_MAX), amount, more: count > SALES_MAX }
}

/** When the unpaid invoices of a link for a document were made since a moment, epoch milliseconds, the oldest first. */
export async function unpaidSince(
  tx: Db,
  { sellerId, productId, document }: { sellerId: number; productId: number; document: string },
  since: number,
): Promise<number[]> {
  const { rows } = await tx.query<{ at: Date }>({
    name: 'unpaid-of-payment-link',
    text: `SELECT created_at AS at FROM invoices
      WHERE seller_id = $1 AND customer_document = $2 AND payment_link_product_id = $3 AND status = 'CLOSED' AND created_at > $4
      ORDER BY created_at LIMIT 100`,
    values: [sellerId, document, productId, new Date(since)],
  })
  return rows.map(({ at }) => at.getTime())
}

/** The customer of a seller with this document and this e-mail, the latest; both must match. Locked until the commit. */
export async function findCustomer(
  tx: Db,
  { sellerId, document, emailKey }: { sellerId: number; document: string; emailKey: string },
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'find-buyer',
    text: `SELECT id FROM customers WHERE seller_id = $1 AND document = $2 AND email_key = $3
      ORDER BY created_at DESC, id DESC LIMIT 1 FOR KEY SHARE`,
    values: [sellerId, document, emailKey],
  })
  return rows[0]?.id
}

/** Lets one purchase at a time through for a link and a document, until the caller's commit. */
export async function lockBuyer(tx: Db, productId: number, document: string): Promise<void> {
  await tx.query({
    name: 'lock-buyer',
    text: 'SELECT pg_advisory_xact_lock(hashtext($1))',
    values: [`buyer ${productId} ${document}`],
  })
}
