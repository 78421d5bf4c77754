import type { ExportInvoicesResponse, Invoice, ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { toEntry } from '../store/invoice-message'
import { exportInvoices as findInvoices } from '../store/invoice-search-store'
import { filterOf } from './invoice-filter'
import { fault, throwFaults } from '../../request-check'

const SIZE_MAX = 1_000

/** An entry with the fields that a line of a file needs: the others may be long. */
function linesOf(entry: Invoice): Invoice {
  return { ...entry, acceptedMethods: [], splits: [], warnings: [], notificationUrl: '', successUrl: '' }
}

export async function exportInvoices(
  { pool }: Deps,
  request: ListInvoicesRequest,
): Promise<ExportInvoicesResponse> {
  const { size, after, place } = request
  if (size < 1 || size > SIZE_MAX) throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)])
  // One file shows one day, however long it takes.
  const at = request.at ?? now()
  const { entries, ...end } = await findInvoices(pool, filterOf(request), { size, after, place }, at)
  return { invoices: entries.map((invoice) => linesOf(toEntry(invoice, at))), ...end, at }
}
