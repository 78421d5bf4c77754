import { InvoiceStatus, type ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import type { InvoiceFilter } from '../../invoice-store/invoice-search-store'

const STATUSES = ['OPEN', 'CLOSED', 'PAID', 'CANCELLED', 'UNCOLLECTIBLE'] as const

/** The invoices that a request asks for. */
export function filterOf(request: ListInvoicesRequest): InvoiceFilter {
  const { sellerId, statuses, invoiceNumber, document, pastDue } = request
  return {
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
}
