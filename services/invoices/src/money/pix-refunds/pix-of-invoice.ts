import type { Db } from '@cofre/platform/postgres/postgres'

/** A Pix that paid an invoice, and what the invoice has left of it, cents. `paidAt`: epoch milliseconds. */
export type HeldPix = {
  receiptId: number
  account: string
  endToEndId: string
  paidAt: number
  left: number
}

/** The Pix of an invoice that the caller has locked. What is on its way back is not left. */
export async function pixOf(tx: Db, invoiceId: number): Promise<HeldPix[]> {
  const { rows } = await tx.query<HeldPix>({
    name: 'pix-of-invoice',
    text: `SELECT r.id AS "receiptId", r.account, r.bank_id AS "endToEndId",
        floor(extract(epoch FROM r.paid_at) * 1000)::bigint AS "paidAt",
        (sum(CASE m.kind WHEN 'PAYMENT' THEN m.amount ELSE -m.amount END) - coalesce((SELECT sum(p.amount)
          FROM pix_refunds p WHERE p.receipt_id = r.id AND p.invoice_id = $1 AND p.status = 'PENDING'), 0))::bigint AS left
      FROM movements m JOIN receipts r ON r.id = m.receipt_id
      WHERE m.invoice_id = $1 AND m.kind IN ('PAYMENT', 'REFUND') AND r.method = 'PIX' GROUP BY r.id ORDER BY r.id`,
    values: [invoiceId],
  })
  return rows
}

/** What each invoice took of a receipt and has not given back, cents, the latest first. */
export async function invoicesOf(db: Db, receiptId: number): Promise<{ invoiceId: number; took: number }[]> {
  const { rows } = await db.query<{ invoiceId: number; took: number }>({
    name: 'invoices-of-receipt',
    text: `SELECT invoice_id AS "invoiceId",
        sum(CASE kind WHEN 'PAYMENT' THEN amount ELSE -amount END)::bigint AS took
      FROM movements WHERE receipt_id = $1 AND invoice_id IS NOT NULL AND kind IN ('PAYMENT', 'REFUND')
      GROUP BY invoice_id ORDER BY max(id) DESC`,
    values: [receiptId],
  })
  return rows
}
