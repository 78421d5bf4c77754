import { pageSchema } from '@cofre/api/page'
import {
  billingFrequency,
  presentRecurring,
  presentRecurringEntry,
  recurringEntrySchema,
  recurringSchema,
  recurringStatus,
} from '@cofre/api/recurring-invoice'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { answerPage } from '../../http/page-answer'
import { NEW_RECURRING } from '../../docs/sample-invoices'
import { route } from '../../http/route'
import { documentNumber } from '../fields/document-number'
import { pathId } from '../fields/path-fields'
import {
  afterQuery,
  pageQuery,
  queryBoolean,
  queryBound,
  queryNames,
  queryText,
} from '../fields/query-fields'
import { newRecurringMessage } from './recurring-message'
import { recurringRequestSchema } from './recurring-request'

export const RECURRING = '/api/v2/recurring-invoices'
export const tag = 'Recurring invoices'
const byId = z.object({ id: pathId })

/** Returns links to a recurring invoice, its schedule, and its invoices. */
export function recurringLinks(baseUrl: string, id: number): Record<string, string> {
  const self = `${baseUrl}${RECURRING}/${id}`
  return { self, subscription: `${self}/subscription`, invoices: `${self}/invoices` }
}

const createRecurringInvoice = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/recurring-invoices',
  scope: 'invoices:write',
  operationId: 'createRecurringInvoice',
  tag,
  summary: 'Create a recurring invoice',
  description:
    'On each cycle day Cofre creates and finalizes an invoice, due daysUntilDue days later. The schedule keeps the day of the month: 31 January, 28 February, 31 March. SEND_INVOICE e-mails the invoice to the customer. CHARGE_AUTOMATICALLY charges the stored card on the due date, and tries again after a decline. With a permission of the payer, Pix Automático collects the invoice instead. Without either, Cofre e-mails the invoice.',
  body: {
    kind: 'json',
    schema: recurringRequestSchema,
    required: true,
    urls: ['notificationUrl'],
    recorded: {
      customerId: true,
      billingFrequency: true,
      collectionMethod: true,
      billingCycleStartDate: true,
      daysUntilDue: true,
    },
  },
  responses: {
    201: {
      description:
        'Created. Link rel="self" is the recurring invoice, rel="subscription" its state and schedule, rel="invoices" the invoices of its cycles.',
      schema: recurringSchema,
      example: NEW_RECURRING,
      headers: ['Location', 'Link'],
    },
  },
  problems: [
    'NOTIFICATION_URL_NOT_PUBLIC',
    'REFERENCE_NOT_FOUND',
    'SPLIT_EXCEEDS_TOTAL',
    'PAYMENT_METHOD_NOT_ACCEPTED',
  ],
  message: RecurringInvoice,
  handle: async ({ sellerId, body }, { sellerName, services: { recurring } }) => {
    const message = newRecurringMessage({ sellerId, sellerName: await sellerName({ sellerId }) }, body)
    return callRepeatable(recurring, recurring.createRecurringInvoice, message)
  },
  present: (made, { baseUrl }) => ({
    status: 201,
    headers: {
      Location: `${baseUrl}${RECURRING}/${made.id}`,
      Link: linkHeader(recurringLinks(baseUrl, made.id)),
    },
    body: presentRecurring(made),
  }),
})

const listQuery = z.object({
  ...pageQuery,
  ...afterQuery,
  status: queryNames(recurringStatus.schema).optional(),
  orderReference: queryText().optional(),
  document: documentNumber().optional(),
  billingFrequency: billingFrequency.schema.optional(),
  cardFails: queryBoolean().optional().meta({
    description: 'true: its card fails or was given up. It has the warning `CARD_FAILS` or `CARD_GIVEN_UP`.',
  }),
  createdFrom: queryBound('from').optional(),
  createdTo: queryBound('to').optional(),
})

const absent = {
  after: undefined,
  orderReference: undefined,
  document: undefined,
  cardFails: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}

const listRecurringInvoices = route({
  method: 'GET',
  path: RECURRING,
  scope: 'invoices:read',
  operationId: 'listRecurringInvoices',
  tag,
  summary: 'List recurring invoices and booklets, newest first',
  description: 'Filters combine. Bounds are inclusive, epoch milliseconds. Items are left out.',
  query: listQuery,
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(recurringEntrySchema, 'RecurringInvoicePage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { recurring } }) => {
    const { status = [], billingFrequency: frequency, ...asked } = query
    return callRpc(recurring, recurring.listRecurringInvoices, {
      ...absent,
      ...asked,
      sellerId,
      statuses: status.map(recurringStatus.valueOf),
      frequency: frequency && billingFrequency.valueOf(frequency),
    })
  },
  present: ({ recurringInvoices, ...end }, view) =>
    answerPage(RECURRING, { items: recurringInvoices.map(presentRecurringEntry), ...end }, view),
})

const getRecurringInvoice = route({
  method: 'GET',
  path: `${RECURRING}/{id}`,
  scope: 'invoices:read',
  operationId: 'getRecurringInvoice',
  tag,
  summary: 'Read a recurring invoice or booklet',
  params: byId,
  responses: {
    200: { description: 'The current recurring invoice.', schema: recurringSchema, headers: ['Link'] },
  },
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRpc(recurring, recurring.getRecurringInvoice, { sellerId, recurringInvoiceId: params.id }),
  present: (read, { baseUrl }) => ({
    status: 200,
    headers: { Link: linkHeader(recurringLinks(baseUrl, read.id)) },
    body: presentRecurring(read),
  }),
})

const cancelRecurringInvoice = route({
  method: 'POST',
  path: `${RECURRING}/{id}/cancel`,
  scope: 'invoices:write',
  operationId: 'cancelRecurringInvoice',
  tag,
  summary: 'Cancel a recurring invoice',
  description:
    'Cofre bills no further cycles. You cannot undo this. Existing invoices stay, but Cofre no longer charges a card for them: their automaticCharge becomes STOPPED. A charge that is TRYING still completes. A repeat changes nothing. Of a booklet this stops the automatic charges: its invoices and slips can still be paid. A booklet with SEND_INVOICE has none: void the booklet.',
  params: byId,
  responses: { 200: { description: 'The recurring invoice, CANCELLED.', schema: recurringSchema } },
  problems: ['INVALID_INVOICE_STATE'],
  message: RecurringInvoice,
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRepeatable(recurring, recurring.cancelRecurringInvoice, { sellerId, recurringInvoiceId: params.id }),
  present: (changed) => ({ status: 200, body: presentRecurring(changed) }),
})

const pauseRecurringInvoice = route({
  method: 'POST',
  path: `${RECURRING}/{id}/pause`,
  scope: 'invoices:write',
  operationId: 'pauseRecurringInvoice',
  tag,
  summary: 'Pause a recurring invoice',
  description:
    'Cofre bills nothing, charges no card and reminds no customer until you resume it. Cycles that fall in the pause are never billed. A charge that is TRYING still completes.',
  params: byId,
  responses: { 200: { description: 'The recurring invoice, PAUSED.', schema: recurringSchema } },
  problems: ['INVALID_INVOICE_STATE'],
  message: RecurringInvoice,
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRepeatable(recurring, recurring.pauseRecurringInvoice, { sellerId, recurringInvoiceId: params.id }),
  present: (changed) => ({ status: 200, body: presentRecurring(changed) }),
})

const resumeRecurringInvoice = route({
  method: 'POST',
  path: `${RECURRING}/{id}/resume`,
  scope: 'invoices:write',
  operationId: 'resumeRecurringInvoice',
  tag,
  summary: 'Resume a recurring invoice',
  description:
    'The next cycle is the first cycle of the schedule from today on. Automatic charges whose day fell in the pause are made now.',
  params: byId,
  responses: { 200: { description: 'The recurring invoice, ACTIVE.', schema: recurringSchema } },
  problems: ['INVALID_INVOICE_STATE'],
  message: RecurringInvoice,
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRepeatable(recurring, recurring.resumeRecurringInvoice, { sellerId, recurringInvoiceId: params.id }),
  present: (changed) => ({ status: 200, body: presentRecurring(changed) }),
})

export const recurringRoutes = [
  createRecurringInvoice,
  listRecurringInvoices,
  getRecurringInvoice,
  cancelRecurringInvoice,
  pauseRecurringInvoice,
  resumeRecurringInvoice,
]
