import type { CalendarDay } from '@cofre/platform/calendar-day'
import { startOf } from '@cofre/platform/calendar-day'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { InvoiceKey } from '../../invoice/store/invoice-store'
import { lockPermission } from '../../pix/automatic/permission-store'
import type { PixPermission } from '../../pix/rules/permission'

/** Takes a permission with an invoice to collect at a moment (epoch milliseconds), for this caller alone until its commit. */
export async function takePermissionToCollect(tx: Db, at: number): Promise<PixPermission | undefined> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'take-permission-to-collect',
    text: `SELECT id FROM pix_permissions WHERE collect_at <= $1 ORDER BY collect_at, id LIMIT 1
      FOR UPDATE SKIP LOCKED`,
    values: [new Date(at)],
  })
  return rows[0] && lockPermission(tx, rows[0].id)
}

const OF_PERMISSION = `i.recurring_invoice_id = $1 AND i.seller_id = $2 AND i.cycle >= $3 AND i.status = 'CLOSED'
  AND NOT EXISTS (SELECT FROM automatic_charges a WHERE a.invoice_id = i.id)
  AND NOT EXISTS (SELECT FROM pix_charges c WHERE c.invoice_id = i.id AND c.collection_rec_id IS NOT NULL)`

/** The invoices that a permission was to collect and has not. */
export async function uncollected(
  tx: Db,
  { sellerId, recurringInvoiceId, firstCycle }: PixPermission,
): Promise<InvoiceKey[]> {
  const { rows } = await tx.query<InvoiceKey>({
    name: 'uncollected-by-pix',
    text: `SELECT i.id, i.seller_id AS "sellerId" FROM invoices i WHERE ${OF_PERMISSION} ORDER BY i.cycle`,
    values: [recurringInvoiceId, sellerId, firstCycle],
  })
  return rows
}

/** The first invoice that a permission is to collect and is not late. None while its recurring invoice rests. */
export async function nextToCollect(
  tx: Db,
  { sellerId, recurringInvoiceId, firstCycle }: PixPermission,
  today: CalendarDay,
): Promise<InvoiceKey | undefined> {
  const { rows } = await tx.query<InvoiceKey>({
    name: 'next-to-collect',
    text: `SELECT i.id, i.seller_id AS "sellerId" FROM invoices i JOIN recurring_invoices r ON r.id = i.recurring_invoice_id
      WHERE ${OF_PERMISSION} AND i.due_date >= $4 AND r.status = 'ACTIVE'
      ORDER BY i.cycle LIMIT 1`,
    values: [recurringInvoiceId, sellerId, firstCycle, new Date(startOf(today))],
  })
  return rows[0]
}

/** When the next collection may be sent, epoch milliseconds. Undefined when none is planned. */
export async function nextCollectedAt(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'next-pix-collected',
    text: `SELECT collect_at AS at FROM pix_permissions WHERE collect_at IS NOT NULL ORDER BY collect_at LIMIT 1`,
  })
  return rows[0]?.at.getTime()
}
