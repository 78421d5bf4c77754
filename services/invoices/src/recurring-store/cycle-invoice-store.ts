import { notFound } from '@cofre/platform/errors'
import type { ListPage } from '@cofre/platform/list-page'
import type { Row } from '@cofre/platform/postgres/columns'
import { readList, type List, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../invoice/invoice'
import { invoiceOf, SELECT_INVOICE } from '../invoice-store/invoice-store'

/** Invoices that one recurring invoice made, or all of an order reference. */
export type MadeBy = {
  sellerId: number
  recurringInvoiceId: number | undefined
  orderReference: string | undefined
}

/** A page of the invoices of cycles, newest first. NOT_FOUND where there is no such recurring invoice; PAGE_TOO_DEEP. */
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
  const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
  return { entries: entries.map(invoiceOf), ...end }
}

/** Most recurring invoices whose invoices one list holds: the newest of the order reference. */
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
