import {
  invoiceEntrySchema,
  invoiceItemsSchema,
  invoiceSchema,
  paymentUrlOf,
  presentInvoice,
  presentInvoiceEntry,
  presentItems,
} from '@cofre/api/invoice'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { answerPage } from '../../http/page-answer'
import { DRAFT } from '../../docs/sample-invoices'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery } from '../fields/query-fields'
import { chargeUrl, INVOICES } from './invoice-urls'
import { newInvoiceMessage, replacementMessage } from './invoice-message'
import { filtersOf, invoiceFilters } from './invoice-query'
import { invoiceReplacementSchema, invoiceRequestSchema, READ_ONLY } from './invoice-request'

const tag = 'Invoices'
const byId = z.object({ id: pathId })

const recorded = {
  customerId: true,
  dueDate: true,
  paymentLimitDate: true,
  items: { productId: true, quantity: true, unitPriceInCents: true },
} as const

const createInvoice = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/invoices',
  scope: 'invoices:write',
  operationId: 'createInvoice',
  tag,
  summary: 'Create an invoice',
  description:
    'The invoice is a draft: OPEN. Finalize it to request payment, or create it with finalize: true. It keeps the customer and the names of the products as they are now.',
  body: {
    kind: 'json',
    schema: invoiceRequestSchema,
    required: true,
    urls: ['notificationUrl'],
    recorded: { ...recorded, finalize: true },
  },
  responses: {
    201: {
      description:
        'Created. Link rel="payment" is the page on which the customer pays; with finalize, rel="charge" is the charge.',
      schema: invoiceSchema,
      example: DRAFT,
      headers: ['Location', 'Link'],
    },
  },
  problems: [
    'NOTIFICATION_URL_NOT_PUBLIC',
    'REFERENCE_NOT_FOUND',
    'INVOICE_NUMBER_TAKEN',
    'SPLIT_EXCEEDS_TOTAL',
    'PAYMENT_METHOD_NOT_ACCEPTED',
  ],
  message: Invoice,
  handle: async ({ sellerId, body }, { sellerName, services: { invoices } }) => {
    const message = newInvoiceMessage({ sellerId, sellerName: await sellerName({ sellerId }) }, body)
    return callRepeatable(invoices, invoices.createInvoice, message)
  },
  present: (invoice, { baseUrl }) => ({
    status: 201,
    headers: {
      Location: `${baseUrl}${INVOICES}/${invoice.id}`,
      Link: linkHeader({
        payment: paymentUrlOf(invoice, baseUrl),
        ...(invoice.charge ? { charge: chargeUrl(baseUrl, invoice.id) } : {}),
      }),
    },
    body: presentInvoice(invoice, baseUrl),
  }),
})

const listInvoices = route({
  method: 'GET',
  path: INVOICES,
  scope: 'invoices:read',
  operationId: 'listInvoices',
  tag,
  summary: 'List invoices, newest first',
  description: 'Filters combine. Bounds are inclusive. Items and charges are left out.',
  query: z.object({ ...pageQuery, ...afterQuery, ...invoiceFilters }),
  responses: {
    200: { description: 'A page.', schema: pageSchema(invoiceEntrySchema, 'InvoicePage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { invoices } }) => {
    const { page, size, after, place, ...filters } = query
    return callRpc(invoices, invoices.listInvoices, {
      ...filtersOf(filters),
      sellerId,
      page,
      size,
      after,
      place,
    })
  },
  present: ({ invoices, ...end }, view) => {
    const items = invoices.map((invoice) => presentInvoiceEntry(invoice, view.baseUrl))
    return answerPage(INVOICES, { items, ...end }, view)
  },
})

const getInvoice = route({
  method: 'GET',
  path: `${INVOICES}/{id}`,
  scope: 'invoices:read',
  operationId: 'getInvoice',
  tag,
  summary: 'Read an invoice',
  params: byId,
  responses: { 200: { description: 'The current invoice.', schema: invoiceSchema } },
  handle: ({ sellerId, params }, { services: { invoices } }) =>
    callRpc(invoices, invoices.getInvoice, { sellerId, invoiceId: params.id }),
  present: (invoice, { baseUrl }) => ({ status: 200, body: presentInvoice(invoice, baseUrl) }),
})

const replaceInvoice = route({
  method: 'PUT',
  path: `${INVOICES}/{id}`,
  scope: 'invoices:write',
  operationId: 'replaceInvoice',
  tag,
  summary: 'Replace a draft',
  description: `Replaces every field of an OPEN invoice: one that you leave out is cleared. Its number and its page stay. Customer and products are printed as they are now. You can send what a read answered: ${READ_ONLY.map((name) => `\`${name}\``).join(', ')} are ignored.`,
  params: byId,
  body: {
    kind: 'json',
    schema: invoiceReplacementSchema,
    required: true,
    urls: ['notificationUrl'],
    readOnly: READ_ONLY,
    recorded,
  },
  responses: {
    200: { description: 'Replaced.', schema: invoiceSchema, example: DRAFT, headers: ['Link'] },
  },
  problems: [
    'NOTIFICATION_URL_NOT_PUBLIC',
    'INVALID_INVOICE_STATE',
    'INVOICE_CHANGED',
    'PAYMENT_PENDING',
    'REFERENCE_NOT_FOUND',
    'SPLIT_EXCEEDS_TOTAL',
    'PAYMENT_METHOD_NOT_ACCEPTED',
  ],
  message: Invoice,
  handle: ({ sellerId, params, body }, { services: { invoices } }) =>
    callRepeatable(
      invoices,
      invoices.replaceInvoice,
      replacementMessage({ sellerId, invoiceId: params.id }, body),
    ),
  present: (invoice, { baseUrl }) => ({
    status: 200,
    headers: { Link: linkHeader({ payment: paymentUrlOf(invoice, baseUrl) }) },
    body: presentInvoice(invoice, baseUrl),
  }),
})

const listInvoiceItems = route({
  method: 'GET',
  path: `${INVOICES}/{id}/items`,
  scope: 'invoices:read',
  operationId: 'listInvoiceItems',
  tag,
  summary: 'List the items of an invoice',
  params: byId,
  responses: { 200: { description: 'All items, in their order.', schema: invoiceItemsSchema } },
  handle: ({ sellerId, params }, { services: { invoices } }) =>
    callRpc(invoices, invoices.getInvoice, { sellerId, invoiceId: params.id }),
  present: (invoice) => ({ status: 200, body: presentItems(invoice) }),
})

const voidInvoice = route({
  method: 'POST',
  path: `${INVOICES}/{id}/void`,
  scope: 'invoices:write',
  operationId: 'voidInvoice',
  tag,
  summary: 'Void an invoice',
  description: 'The invoice becomes CANCELLED, and its charge too. A PAID invoice cannot be voided.',
  params: byId,
  responses: { 200: { description: 'The invoice, CANCELLED.', schema: invoiceSchema } },
  problems: ['INVALID_INVOICE_STATE'],
  message: Invoice,
  handle: ({ sellerId, params }, { services: { invoices } }) =>
    callRepeatable(invoices, invoices.voidInvoice, { sellerId, invoiceId: params.id }),
  present: (invoice, { baseUrl }) => ({ status: 200, body: presentInvoice(invoice, baseUrl) }),
})

const markUncollectible = route({
  method: 'POST',
  path: `${INVOICES}/{id}/uncollectible`,
  scope: 'invoices:write',
  operationId: 'markInvoiceUncollectible',
  tag,
  summary: 'Mark an invoice as uncollectible',
  description: 'You no longer expect its payment. The invoice can still be paid, and voided.',
  params: byId,
  responses: { 200: { description: 'The invoice, UNCOLLECTIBLE.', schema: invoiceSchema } },
  problems: ['INVALID_INVOICE_STATE'],
  message: Invoice,
  handle: ({ sellerId, params }, { services: { invoices } }) =>
    callRepeatable(invoices, invoices.markUncollectible, { sellerId, invoiceId: params.id }),
  present: (invoice, { baseUrl }) => ({ status: 200, body: presentInvoice(invoice, baseUrl) }),
})

export const invoiceRoutes = [
  createInvoice,
  listInvoices,
  getInvoice,
  replaceInvoice,
  listInvoiceItems,
  voidInvoice,
  markUncollectible,
]
