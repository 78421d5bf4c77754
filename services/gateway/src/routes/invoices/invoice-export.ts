import { currentCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Invoice, InvoicesClient, ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { route, type Language } from '../../http/route'
import { csvHead, csvLines } from './invoice-csv'
import { filtersOf, invoiceFilters } from './invoice-query'
import { INVOICES } from './invoice-urls'

const PAGE_SIZE = 500
/** How long one page may take. The whole file has no limit. */
const PAGE_MS = 30_000

type Request = Omit<ListInvoicesRequest, 'after'>

/** The pages of a list. The first is read at once; each further page is requested after the one before was sent. */
type Pages = AsyncIterable<readonly Invoice[]>

const exportInvoices = route({
  method: 'GET',
  path: `${INVOICES}/csv`,
  scope: 'invoices:read',
  operationId: 'exportInvoices',
  tag: 'Invoices',
  summary: 'Export invoices as CSV',
  description:
    'The filters are those of the list. With `Accept-Language: pt-BR` the file has semicolons, decimal commas and a byte order mark. Dates are days of America/Sao_Paulo, amounts are reais. Text that a spreadsheet would read as a formula begins with an apostrophe.',
  query: z.object(invoiceFilters),
  translated: true,
  responses: {
    200: {
      description: 'UTF-8, RFC 4180, newest first.',
      contentType: 'text/csv',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
  handle: ({ sellerId, query }, { services: { invoices } }) =>
    readPages(invoices, { ...filtersOf(query), sellerId, page: 0, size: PAGE_SIZE }),
  present: (pages, { language }) => ({
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="invoices.csv"',
      'Content-Language': language,
      Vary: 'Accept-Language',
    },
    text: linesOf(pages, language),
  }),
})

/** Reads the first page before the answer begins: a failure until then is a problem with its own status. */
async function readPages(client: InvoicesClient, request: Request): Promise<Pages> {
  const call = currentCall()
  if (!call) throw new Error('an export outside a call')
  // The stream requests pages long after the request began, so each page has a deadline of its own.
  const read = (after?: number, at?: number) =>
    runCall({ ...call, deadline: Date.now() + PAGE_MS }, () =>
      callRpc(client, client.exportInvoices, { ...request, after, at }),
    )
  const first = await read()
  // 0 comes from an older replica, which reads each page as of its own moment.
  const at = first.at || undefined
  return (async function* () {
    for (let page = first; ; page = await read(page.invoices.at(-1)?.id, at)) {
      yield page.invoices
      if (!page.more) return
    }
  })()
}

async function* linesOf(pages: Pages, language: Language): AsyncGenerator<string> {
  yield csvHead(language)
  for await (const invoices of pages) yield csvLines(invoices, language)
}

export const invoiceExportRoutes = [exportInvoices]
