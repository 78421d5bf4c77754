import { callRpc } from '@cofre/platform/grpc/client'
import type { ExportInvoicesResponse } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { route } from '../../http/route'
import { CSV_DIALECT, csvHeaders, csvOf, readPages } from '../csv/csv'
import { INVOICE_COLUMNS } from './invoice-csv'
import { filtersOf, invoiceFilters } from './invoice-query'
import { INVOICES } from './invoice-urls'

const exportInvoices = route({
  method: 'GET',
  path: `${INVOICES}/csv`,
  scope: 'invoices:read',
  operationId: 'exportInvoices',
  tag: 'Invoices',
  summary: 'Export invoices as CSV',
  description: `fine, interest, discount, payable and balance are of today; balance is what is still owed of amount. paid is without what the payer bore for the card. The filters are those of the list. ${CSV_DIALECT}`,
  query: z.object(invoiceFilters),
  translated: true,
  responses: {
    200: {
      description: 'UTF-8, RFC 4180, newest first.',
      contentType: 'text/csv',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
  handle: ({ sellerId, query }, { services: { invoices } }) => {
    const request = { ...filtersOf(query), sellerId, page: 0 }
    return readPages<ExportInvoicesResponse>((size, before, first) =>
      callRpc(invoices, invoices.exportInvoices, {
        ...request,
        size,
        after: before?.invoices.at(-1)?.id,
        place: before?.place,
        at: first?.at,
      }),
    )
  },
  present: (pages, { language }) => ({
    status: 200,
    headers: csvHeaders('invoices', language),
    text: csvOf(pages, INVOICE_COLUMNS, (page) => page.invoices, language),
  }),
})

export const invoiceExportRoutes = [exportInvoices]
