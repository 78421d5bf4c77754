import { isOrderTxid } from '@cofre/platform/pix-txid'
import type { DoomedSystem } from '../doomed-system'

/** A Pix that the bank took, with what it gave back. Amounts in cents. */
export type BankPix = {
  endToEndId: string
  amount: number
  devolutions: { id: string; amount: number; status: string }[]
}

/** A Pix charge as the bank has it. */
export type BankCharge = { txid: string; status: string; payments: BankPix[] }

export async function readPixBank({ ready }: DoomedSystem): Promise<BankCharge[]> {
  const response = await fetch(`${ready.sandboxUrl}/pix/charges`)
  return (await response.json()) as BankCharge[]
}

/** How many Pix of orders the service has not received: each pays its charge, or goes back. */
export async function countUntakenOfOrders(system: DoomedSystem): Promise<number> {
  const charges = (await readPixBank(system)).filter(({ txid }) => isOrderTxid(txid))
  const came = charges.flatMap(({ payments }) => payments.map(({ endToEndId }) => endToEndId))
  const [row] = await system.read<{ count: number }>(
    'orders',
    `SELECT count(*) AS count FROM unnest($1::text[]) AS came (pix)
     WHERE NOT EXISTS (SELECT FROM payments WHERE acquirer_payment_id = came.pix)
       AND NOT EXISTS (SELECT FROM transactions WHERE end_to_end_id = came.pix)`,
    [came],
  )
  return row?.count ?? 0
}

/** A refund of an invoice, as the database holds it. */
export type BookedRefund = {
  id: number
  invoiceId: number
  endToEndId: string
  number: string
  amount: number
  status: string
}

export function readRefunds(system: DoomedSystem): Promise<BookedRefund[]> {
  return system.read<BookedRefund>(
    'invoices',
    `SELECT id, invoice_id AS "invoiceId", end_to_end_id AS "endToEndId", number, amount, status FROM pix_refunds
     WHERE invoice_id IS NOT NULL`,
  )
}

/** Has the bank report money of no charge to each Pix key: the service then asks what else the key received. */
export async function wakeKeys(system: DoomedSystem): Promise<void> {
  const keys = await system.read<{ account: string }>('invoices', 'SELECT account FROM pix_accounts')
  for (const { account: key } of keys) {
    await fetch(`${system.ready.sandboxUrl}/pix/received`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key, amountInCents: 1, txid: `nobodys${Date.now()}` }),
    })
  }
}
