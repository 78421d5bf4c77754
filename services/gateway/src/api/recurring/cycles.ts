import { invoiceEntrySchema, presentInvoiceEntry } from '@cofre/api/invoice'
import { pageSchema } from '@cofre/api/page'
import { presentSchedule, scheduleSchema } from '@cofre/api/recurring-invoice'
import { callRpc } from '@cofre/platform/grpc/client'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route, type ResponseRule } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryText } from '../fields/query-fields'
import { RECURRING, tag } from './recurring-invoices'

const byId = z.object({ id: pathId })
const query = z.object({ ...pageQuery, ...afterQuery })
const aPage: ResponseRule = {
  description: 'A page.',
  schema: pageSchema(invoiceEntrySchema, 'InvoicePage'),
  headers: ['Link'],
}

const getSchedule = route({
  method: 'GET',
  path: `${RECURRING}/{id}/subscription`,
  scope: 'invoices:read',
  operationId: 'getRecurringInvoiceSchedule',
  tag,
  summary: 'Read the state and the schedule of a recurring invoice',
  description: 'The next 12 cycles: when each is billed, when its invoice is due, and its amount.',
  params: byId,
  responses: { 200: { description: 'State and schedule.', schema: scheduleSchema } },
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRpc(recurring, recurring.getSchedule, { sellerId, recurringInvoiceId: params.id }),
  present: (schedule) => ({ status: 200, body: presentSchedule(schedule) }),
})

const listInvoicesOfRecurring = route({
  method: 'GET',
  path: `${RECURRING}/{id}/invoices`,
  scope: 'invoices:read',
  operationId: 'listInvoicesOfRecurringInvoice',
  tag,
  summary: 'List the invoices of a recurring invoice, newest first',
  params: byId,
  query,
  responses: { 200: aPage },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: async ({ sellerId, params, query: asked }, { services: { recurring } }) => ({
    path: `${RECURRING}/${params.id}/invoices`,
    found: await callRpc(recurring, recurring.listCycleInvoices, {
      after: undefined,
      orderReference: undefined,
      ...asked,
      sellerId,
      recurringInvoiceId: params.id,
    }),
  }),
  present: ({ path, found: { invoices, ...end } }, view) => {
    const items = invoices.map((invoice) => presentInvoiceEntry(invoice, view.baseUrl))
    return answerPage(path, { items, ...end }, view)
  },
})

const listInvoicesByReference = route({
  method: 'GET',
  path: `${RECURRING}/reference/{orderReference}/invoices`,
  scope: 'invoices:read',
  operationId: 'listInvoicesByOrderReference',
  tag,
  summary: 'List the invoices of an order reference, newest first',
  description: 'Includes every recurring invoice and booklet with this orderReference.',
  params: z.object({ orderReference: queryText() }),
  query,
  responses: { 200: aPage },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: async ({ sellerId, params: { orderReference }, query: asked }, { services: { recurring } }) => ({
    path: `${RECURRING}/reference/${encodeURIComponent(orderReference)}/invoices`,
    found: await callRpc(recurring, recurring.listCycleInvoices, {
      after: undefined,
      recurringInvoiceId: undefined,
      ...asked,
      sellerId,
      orderReference,
    }),
  }),
  present: ({ path, found: { invoices, ...end } }, view) => {
    const items = invoices.map((invoice) => presentInvoiceEntry(invoice, view.baseUrl))
    return answerPage(path, { items, ...end }, view)
  },
})

export const cycleRoutes = [getSchedule, listInvoicesByReference, listInvoicesOfRecurring]
