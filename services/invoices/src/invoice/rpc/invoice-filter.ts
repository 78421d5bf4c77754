import { statusNames } from '@cofre/platform/list-page'
import { InvoiceStatus, type ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import type { InvoiceFilter } from '../store/invoice-search-store'

/** The invoices that a request asks for. Throws VALIDATION_FAILED for a status that no invoice has. */
export function filterOf(request: ListInvoicesRequest): InvoiceFilter {
  const { sellerId, statuses, invoiceNumber, document, paymentLinkProductId, ourNumber } = request
  const { pastDue, refunded, unreachable } = request
  return {
    sellerId,
    invoiceNumber,
    document,
    pastDue,
    refunded,
    unreachable,
    paymentLinkProductId,
    ourNumber,
    statuses: statusNames(InvoiceStatus, statuses),
    dueDate: { from: request.dueDateFrom, to: request.dueDateTo },
    closeDate: { from: request.closeDateFrom, to: request.closeDateTo },
    paymentDate: { from: request.paymentDateFrom, to: request.paymentDateTo },
    created: { from: request.createdFrom, to: request.createdTo },
  }
}
