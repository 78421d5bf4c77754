import {
  InvoiceStatus,
  type ListInvoicesRequest,
  type ListInvoicesResponse,
} from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../deps'
import { toEntry } from '../invoice-store/invoice-message'
import { listInvoices as findInvoices } from '../invoice-store/invoice-search-store'
import { checkPage } from './request-check'

const STATUSES = ['OPEN', 'CLOSED', 'PAID', 'CANCELLED', 'UNCOLLECTIBLE'] as const

export async function listInvoices(
  { pool }: Deps,
  request: ListInvoicesRequest,
): Promise<ListInvoicesResponse> {
  const { sellerId, page, size, after, statuses, invoiceNumber, document, pastDue } = request
  checkPage({ page, size })
  const filter = {
    sellerId,
    invoiceNumber,
    document,
    pastDue,
    statuses: STATUSES.filter((status) => statuses.includes(InvoiceStatus[status])),
    dueDate: { from: request.dueDateFrom, to: request.dueDateTo },
    closeDate: { from: request.closeDateFrom, to: request.closeDateTo },
    paymentDate: { from: request.paymentDateFrom, to: request.paymentDateTo },
    created: { from: request.createdFrom, to: request.createdTo },
  }
  const at = Date.now()
  const { entries, ...end } = await findInvoices(pool, filter, { page, size, after }, at)
  return { invoices: entries.map((invoice) => toEntry(invoice, at)), ...end }
}
