import {
  agingReportSchema,
  customerAgingSchema,
  presentAging,
  presentAgingReport,
  presentCustomerAging,
} from '@cofre/api/reports/aging'
import { callRpc } from '@cofre/platform/grpc/client'
import type { CustomerAging, ListDebtorsResponse } from '@cofre/proto/invoices/v1/reports'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { route } from '../../http/route'
import {
  CSV_DIALECT,
  csvHeaders,
  csvOf,
  documentCell,
  readPages,
  reais,
  textCell,
  type Columns,
} from '../csv/csv'
import { pathId } from '../fields/path-fields'
import { pageQuery, placeQuery, queryId } from '../fields/query-fields'

const PATH = '/api/v2/reports/aging'
const EXPORT_SIZE = 100
const OWED =
  'CLOSED invoices are owed, with what is left of their amount, as of today in America/Sao_Paulo. Days late count from the due date; what is due on a weekend or a holiday may be paid on the next business day. A purchase by a payment link is owed once a part of it is paid.'

const getCustomerAging = route({
  method: 'GET',
  path: '/api/v2/customers/{id}/aging',
  scope: 'invoices:read',
  operationId: 'getCustomerAging',
  tag: 'Customers',
  summary: 'Read what a customer owes',
  description: OWED,
  params: z.object({ id: pathId }),
  responses: {
    200: { description: 'What the customer owes, by how long it is late.', schema: customerAgingSchema },
  },
  handle: ({ sellerId, params }, { services: { invoiceReports } }) =>
    callRpc(invoiceReports, invoiceReports.getCustomerAging, { sellerId, customerId: params.id }),
  present: (debtor) => ({ status: 200, body: presentCustomerAging(debtor) }),
})

const reportAging = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'reportAging',
  tag: 'Reports',
  summary: 'List the customers who owe, and for how long',
  description: `The customer with the oldest open invoice first. ${OWED} A page may have fewer than \`size\` customers: follow \`next\`, or Link rel="next", until there is none.`,
  query: z.object({
    size: pageQuery.size,
    after: queryId().optional().meta({ description: 'The `next` of the page before.' }),
    ...placeQuery,
  }),
  problems: ['PAGE_SIZE_TOO_LARGE'],
  responses: {
    200: {
      description: 'A page, and the sums of all customers.',
      schema: agingReportSchema,
      headersAtTimes: ['Link'],
    },
  },
  handle: async ({ sellerId, query }, { services: { invoiceReports } }) => {
    const [total, page] = await Promise.all([
      callRpc(invoiceReports, invoiceReports.sumOwed, { sellerId }),
      callRpc(invoiceReports, invoiceReports.listDebtors, { sellerId, ...query }),
    ])
    return { total, page }
  },
  present: ({ total, page }, { baseUrl, query }) => {
    const { size } = query as { size: number }
    const body = presentAgingReport(total, page)
    if (body.next === null) return { status: 200, body }
    const place = body.nextPlace === null ? '' : `&place=${body.nextPlace}`
    const next = `${baseUrl}${PATH}?size=${size}&after=${body.next}${place}`
    return { status: 200, headers: { Link: linkHeader({ next }) }, body }
  },
})

const COLUMNS: Columns<CustomerAging> = [
  ['customerId', ({ customerId }) => String(customerId)],
  ['customerName', ({ name }) => textCell(name)],
  ['customerDocument', ({ document }) => documentCell(document)],
  ['daysLate', ({ daysLate }) => String(daysLate)],
  ['invoices', ({ aging }) => String(presentAging(aging).owed.count)],
  ['owed', ({ aging }, dialect) => reais(presentAging(aging).owed.amountInCents, dialect)],
  ['pastDue', ({ aging }, dialect) => reais(presentAging(aging).pastDue.amountInCents, dialect)],
  ['notDue', ({ aging }, dialect) => reais(aging?.notDue?.amount ?? 0, dialect)],
  ['days1To30', ({ aging }, dialect) => reais(aging?.days1To30?.amount ?? 0, dialect)],
  ['days31To60', ({ aging }, dialect) => reais(aging?.days31To60?.amount ?? 0, dialect)],
  ['days61To90', ({ aging }, dialect) => reais(aging?.days61To90?.amount ?? 0, dialect)],
  ['over90Days', ({ aging }, dialect) => reais(aging?.over90Days?.amount ?? 0, dialect)],
  ['fine', ({ fine }, dialect) => reais(fine, dialect)],
  ['interest', ({ interest }, dialect) => reais(interest, dialect)],
]

const exportAging = route({
  method: 'GET',
  path: `${PATH}/csv`,
  scope: 'invoices:read',
  operationId: 'exportAging',
  tag: 'Reports',
  summary: 'Export the customers who owe as CSV',
  description: `${OWED} fine and interest come on top of owed. ${CSV_DIALECT}`,
  translated: true,
  responses: {
    200: {
      description: 'UTF-8, RFC 4180, the customer with the oldest open invoice first.',
      contentType: 'text/csv',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
  handle: ({ sellerId }, { services: { invoiceReports } }) =>
    readPages<ListDebtorsResponse & { more: boolean }>(async (size, before) => {
      const asked = { sellerId, size: Math.min(size, EXPORT_SIZE), after: before?.next, place: before?.place }
      const page = await callRpc(invoiceReports, invoiceReports.listDebtors, asked)
      return { ...page, more: page.next !== undefined }
    }),
  present: (pages, { language }) => ({
    status: 200,
    headers: csvHeaders('customers-who-owe', language),
    text: csvOf(pages, COLUMNS, (page) => page.debtors, language),
  }),
})

export const agingRoutes = [getCustomerAging, reportAging, exportAging]
