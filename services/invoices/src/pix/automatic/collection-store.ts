import type { Db } from '@cofre/platform/postgres/postgres'
import type { PixCharge } from '../rules/pix-charge'
import { PIX_CHARGES } from '../store/pix-store'
import { codeWithPermission } from '../rules/code-with-permission'
import { latestPermission } from './permission-store'

/** The collection of a seller's invoice: an invoice has one at most. */
export async function findCollection(
  db: Db,
  { sellerId, invoiceId }: { sellerId: number; invoiceId: number },
): Promise<PixCharge | undefined> {
  const { rows } = await db.query<{ txid: string }>({
    name: 'find-pix-collection',
    text: `SELECT txid FROM pix_charges
      WHERE invoice_id = $1 AND seller_id = $2 AND collection_rec_id IS NOT NULL`,
    values: [invoiceId, sellerId],
  })
  return rows[0] && PIX_CHARGES.find(db, rows[0].txid)
}

/** A charge as payers scan it: with the permission that its recurring invoice asks for, while the payer can give it. */
export async function withPermission(db: Db, charge: PixCharge): Promise<PixCharge> {
  const { status, dueDay, copyAndPaste, invoiceId } = charge
  // A charge for one day would have to be named in the permission: journey 3 of API Pix.
  if (status !== 'REGISTERED' || dueDay === null || copyAndPaste === null) return charge
  const { rows } = await db.query<{ id: number | null }>({
    name: 'recurring-of-invoice',
    text: 'SELECT recurring_invoice_id AS id FROM invoices WHERE id = $1',
    values: [invoiceId],
  })
  const permission = rows[0]?.id ? await latestPermission(db, rows[0].id) : undefined
  const isAsked = permission?.status === 'CREATED' && !permission.cancelling
  if (!isAsked || permission.copyAndPaste === null) return charge
  return { ...charge, copyAndPaste: codeWithPermission(copyAndPaste, permission.copyAndPaste) }
}
