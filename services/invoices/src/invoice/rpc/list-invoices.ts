import type { ListInvoicesRequest, ListInvoicesResponse } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { toEntry } from '../store/invoice-message'
import { listInvoices as findInvoices } from '../store/invoice-search-store'
import { filterOf } from './invoice-filter'
import { checkPage } from '../../request-check'

export async function listInvoices(
  { pool }: Deps,
  request: ListInvoicesRequest,
): Promise<ListInvoicesResponse> {
  const { page, size, after, place } = request
  checkPage({ page, size })
  const at = now()
  const { entries, ...end } = await findInvoices(pool, filterOf(request), { page, size, after, place }, at)
  return { invoices: entries.map((invoice) => toEntry(invoice, at)), ...end }
}
