import type { Db } from '@cofre/platform/postgres/postgres'

/** Money that came for an invoice, and of which its seller has not decided yet, cents. */
export async function waitingMoney(db: Db, invoiceId: number): Promise<number> {
  const { rows } = await db.query<{ amount: number }>({
    name: 'waiting-money',
    text: `SELECT coalesce(sum(open_amount), 0)::bigint AS amount FROM receipts
      WHERE invoice_id = $1 AND is_unexpected AND NOT is_resolved`,
    values: [invoiceId],
  })
  return rows[0]?.amount ?? 0
}
