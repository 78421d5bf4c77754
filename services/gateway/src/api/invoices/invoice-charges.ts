import { invoiceChargeSchema, presentInvoiceCharge } from '@cofre/api/invoice'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { queryUniqueName } from '../fields/query-fields'
import { chargeUrl, INVOICES } from './invoice-urls'

const tag = 'Invoices'
const byId = z.object({ id: pathId })

const finalizeInvoice = route({
  method: 'POST',
  path: `${INVOICES}/{id}/finalize`,
  scope: 'invoices:write',
  operationId: 'finalizeInvoice',
  tag,
  summary: 'Finalize an invoice and create its charge',
  description: 'The invoice becomes CLOSED and awaits its payment. Only an OPEN invoice can be finalized.',
  params: byId,
  responses: {
    201: {
      description: 'The charge. Link rel="charge" is its URL.',
      schema: invoiceChargeSchema,
      headers: ['Location', 'Link'],
    },
  },
  problems: ['INVALID_INVOICE_STATE'],
  message: InvoiceCharge,
  handle: ({ sellerId, params }, { services: { invoices } }) =>
    callRepeatable(invoices, invoices.finalizeInvoice, { sellerId, invoiceId: params.id }),
  present: (charge, { baseUrl }) => {
    const Location = chargeUrl(baseUrl, charge.invoiceId)
    return {
      status: 201,
      headers: { Location, Link: linkHeader({ charge: Location }) },
      body: presentInvoiceCharge(charge),
    }
  },
})

const getLatestCharge = route({
  method: 'GET',
  path: `${INVOICES}/{id}/charges/latest`,
  scope: 'invoices:read',
  operationId: 'getLatestInvoiceCharge',
  tag,
  summary: 'Read the latest charge of an invoice',
  description:
    'Its transactions are the attempts to pay it. An invoice that was not finalized has no charge: 404.',
  params: byId,
  responses: { 200: { description: 'The charge.', schema: invoiceChargeSchema } },
  handle: ({ sellerId, params }, { services: { invoices } }) => {
    const request = { sellerId, invoiceId: params.id, invoiceNumber: undefined }
    return callRpc(invoices, invoices.getLatestCharge, request)
  },
  present: (charge) => ({ status: 200, body: presentInvoiceCharge(charge) }),
})

const getLatestChargeByNumber = route({
  method: 'GET',
  path: `${INVOICES}/charges/latest`,
  scope: 'invoices:read',
  operationId: 'getLatestInvoiceChargeByNumber',
  tag,
  summary: 'Read the latest charge of an invoice by its number',
  query: z.object({ invoiceNumber: queryUniqueName() }),
  responses: { 200: { description: 'The charge.', schema: invoiceChargeSchema } },
  problems: ['NOT_FOUND'],
  handle: ({ sellerId, query }, { services: { invoices } }) => {
    const request = { sellerId, invoiceId: undefined, invoiceNumber: query.invoiceNumber }
    return callRpc(invoices, invoices.getLatestCharge, request)
  },
  present: (charge) => ({ status: 200, body: presentInvoiceCharge(charge) }),
})

export const invoiceChargeRoutes = [finalizeInvoice, getLatestChargeByNumber, getLatestCharge]
