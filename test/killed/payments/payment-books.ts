import { isOrderTxid } from '@cofre/platform/pix-txid'
import type { DoomedSystem } from '../doomed-system'
import { readPixBank } from '../pix/pix-books'
import { payerOf } from './payment-story'

/** An invoice that was to be paid, as the database holds it. Amounts in cents. */
export type PaidInvoice = {
  id: number
  status: string
  amount: number
  paid: number
  refunded: number
  sequence: number
  transactions: { type: string; status: string; amount: number; orderChargeId: number | null }[]
  asks: { number: string; status: string; withdrawing: boolean }[]
  receipts: { bankId: string; amount: number; unexpected: number }[]
}

export function readPaidInvoices(system: DoomedSystem, run: string): Promise<PaidInvoice[]> {
  return system.read<PaidInvoice>(
    'invoices',
    `SELECT i.id, i.status, i.amount, i.paid_amount AS paid, i.refunded_amount AS refunded, i.sequence,
       (SELECT coalesce(json_agg(json_build_object('type', t.type, 'status', t.status, 'amount', t.amount,
          'orderChargeId', t.order_charge_id) ORDER BY t.id), '[]')
        FROM invoice_transactions t WHERE t.invoice_id = i.id) AS transactions,
       (SELECT coalesce(json_agg(a), '[]') FROM (
          SELECT our_number AS number, status, withdrawing FROM boletos WHERE invoice_id = i.id
          UNION ALL SELECT txid, status, withdrawing FROM pix_charges WHERE invoice_id = i.id) a) AS asks,
       (SELECT coalesce(json_agg(json_build_object('bankId', r.bank_id, 'amount', r.amount,
          'unexpected', r.unexpected) ORDER BY r.id), '[]') FROM receipts r WHERE r.invoice_id = i.id) AS receipts
     FROM invoices i WHERE starts_with(i.customer_name, $1) ORDER BY i.id`,
    [payerOf(`${run}-`)],
  )
}

/** A charge that was made for an invoice, and the order numbers of its payments at the acquirer. */
export type InvoiceCharge = { invoiceId: number; id: number; orderNumbers: string[] }

export function readInvoiceCharges(system: DoomedSystem): Promise<InvoiceCharge[]> {
  return system.read<InvoiceCharge>(
    'orders',
    `SELECT (c.metadata->>'invoiceId')::bigint AS "invoiceId", c.id,
       (SELECT json_agg(p.order_number) FROM payments p WHERE p.charge_id = c.id) AS "orderNumbers"
     FROM charges c WHERE c.metadata->>'invoiceId' IS NOT NULL`,
  )
}

/** A boleto or a Pix charge of an invoice, as its bank has it. */
export type BankAsk = {
  number: string
  cancelled: boolean
  payments: { id: string; amount: number }[]
}

export async function readBank(system: DoomedSystem): Promise<BankAsk[]> {
  const response = await fetch(`${system.ready.sandboxUrl}/boletos`)
  const slips = (await response.json()) as (BankAsk & { ourNumber: string })[]
  const charges = await readPixBank(system)
  return [
    ...slips.map((slip) => ({ ...slip, number: slip.ourNumber })),
    ...charges
      .filter(({ txid }) => !isOrderTxid(txid))
      .map(({ txid, status, payments }) => ({
        number: txid,
        cancelled: status.startsWith('REMOVIDA'),
        payments: payments.map(({ endToEndId, amount }) => ({ id: endToEndId, amount })),
      })),
  ]
}
