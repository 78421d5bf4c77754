import { notFound } from '@cofre/platform/errors'
import type { ListPage } from '@cofre/platform/list-page'
import { readList, type List, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../../invoice/rules/invoice'
import { invoiceOf, SELECT_INVOICE, type InvoiceRow } from '../../invoice/store/invoice-store'

/** Selects the invoices of one recurring invoice, or of all that have an order reference. */
export type MadeBy = {
  sellerId: number
  recurringInvoiceId: number | undefined
  orderReference: string | undefined
}

/** A page of the invoices of cycles, newest first. NOT_FOUND when no recurring invoice matches; PAGE_TOO_DEEP. */
export async function listCycleInvoices(
  pool: Pool,
  madeBy: MadeBy,
  request: ListRequest,
): Promise<ListPage<Invoice>> {
  const { sellerId } = madeBy
  const recurringIds = await findRecurring(pool, madeBy)
  if (recurringIds.length === 0) throw notFound()
  const conditions: List['conditions'] = [['t.recurring_invoice_id = ANY($)', recurringIds]]
  const list = { table: 'invoices', select: SELECT_INVOICE, sellerId, conditions, statuses: [] }
  const { entries, ...end } = await readList<InvoiceRow>(pool, list, request)
  return { entries: entries.map(invoiceOf), ...end }
}

/** The most recurring invoices whose invoices one list holds: the newest with the order reference. */
const RECURRING_MAX = 1_000

async function findRecurring(
  pool: Pool,
  { sellerId, recurringInvoiceId, orderReference }: MadeBy,
): Promise<number[]> {
  const [condition, value] =
    recurringInvoiceId === undefined
      ? ['order_reference = $2', orderReference]
      : ['id = $2', recurringInvoiceId]
  const { rows } = await pool.query<{ id: number }>(
    `SELECT id FROM recurring_invoices WHERE seller_id = $1 AND ${condition}
     ORDER BY created_at DESC, id DESC LIMIT ${RECURRING_MAX}`,
    [sellerId, value],
  )
  return rows.map(({ id }) => id)
}
