import { pixListSchema, pixSchema, presentPix } from '@cofre/api/methods/pix'
import { collectionSchema, presentCollection } from '@cofre/api/methods/pix-automatic'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { IssuePixResponse, PixCharge, PixStatus } from '@cofre/proto/invoices/v1/pix'
import { z } from 'zod'
import type { Answer } from '../../http/answer'
import { route, type View } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { INVOICES } from './invoice-urls'

/** The bank registers the charge in this time. */
const ISSUING = { timeoutMs: 25_000 }
/** When the bank is first asked about a charge that it left unanswered. */
const RESOLVED_SOON_SECONDS = '2'

const issuePix = route({
  method: 'POST',
  path: `${INVOICES}/{id}/pix`,
  scope: 'invoices:write',
  operationId: 'issuePix',
  tag: 'Invoices',
  summary: 'Issue a Pix charge for an invoice',
  description:
    'Cofre registers the charge with the seller’s bank. If the invoice already has a Pix charge that can be paid, the answer is 200 with that charge. An OPEN invoice is finalized with its charge; if the bank refuses the charge, the invoice stays OPEN. The payer’s bank adds fine and interest to a charge that is paid late. The charge of a late invoice can only be paid today, for the amount payable today. If the bank does not answer in time, the charge is PENDING: read it at its Location after Retry-After.',
  params: z.object({ id: pathId }),
  callsPartner: 'pix',
  responses: {
    200: {
      description: 'The Pix charge that the invoice already has.',
      schema: pixSchema,
      headers: ['Location'],
      headersAtTimes: ['Retry-After'],
    },
    201: {
      description: 'A new Pix charge.',
      schema: pixSchema,
      headers: ['Location'],
      headersAtTimes: ['Retry-After'],
    },
  },
  problems: [
    'INVALID_INVOICE_STATE',
    'PAYMENT_METHOD_NOT_ACCEPTED',
    'PAYMENT_WINDOW_CLOSED',
    'PAYMENT_PENDING',
    'PIX_REFUSED',
  ],
  message: IssuePixResponse,
  handle: ({ sellerId, params }, { services: { pix } }) =>
    callRepeatable(pix, pix.issuePix, { sellerId, invoiceId: params.id }, ISSUING),
  present: ({ pix = PixCharge.fromPartial({}), existing }, view) => {
    const { status, headers, body } = answerPix(pix, view)
    const Location = `${view.baseUrl}${INVOICES}/${pix.invoiceId}/pix/${pix.id}`
    return { status: existing ? status : 201, headers: { Location, ...headers }, body }
  },
})

const getPix = route({
  method: 'GET',
  path: `${INVOICES}/{id}/pix/{pixId}`,
  scope: 'invoices:read',
  operationId: 'getPix',
  tag: 'Invoices',
  summary: 'Read a Pix charge of an invoice',
  description:
    'The answer has Retry-After while the charge is PENDING. 404 once the bank has refused a PENDING charge: issue another.',
  params: z.object({ id: pathId, pixId: pathId }),
  responses: {
    200: {
      description: 'The Pix charge as it is now.',
      schema: pixSchema,
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params }, { services: { pix } }) =>
    callRpc(pix, pix.readPix, { sellerId, invoiceId: params.id, pixId: params.pixId }),
  present: answerPix,
})

const listPix = route({
  method: 'GET',
  path: `${INVOICES}/{id}/pix`,
  scope: 'invoices:read',
  operationId: 'listPix',
  tag: 'Invoices',
  summary: 'List the Pix charges of an invoice, newest first',
  description: 'The latest 100. An invoice has a new charge when the terms of the one before no longer hold.',
  params: z.object({ id: pathId }),
  responses: { 200: { description: 'Its Pix charges.', schema: pixListSchema } },
  handle: ({ sellerId, params }, { services: { pix } }) =>
    callRpc(pix, pix.listPix, { sellerId, invoiceId: params.id }),
  present: ({ pix }, { baseUrl }) => ({
    status: 200,
    body: pix.map((charge) => presentPix(charge, baseUrl)),
  }),
})

function answerPix(charge: PixCharge, { baseUrl }: View): Answer {
  const waits = charge.status === PixStatus.PENDING
  return {
    status: 200,
    headers: waits ? { 'Retry-After': RESOLVED_SOON_SECONDS } : {},
    body: presentPix(charge, baseUrl),
  }
}

const getPixCollection = route({
  method: 'GET',
  path: `${INVOICES}/{id}/pix-collection`,
  scope: 'invoices:read',
  operationId: 'getPixCollection',
  tag: 'Invoices',
  summary: 'Read the collection of an invoice by Pix Automático',
  description:
    'Cofre sends the collection to the bank 2 to 10 days before the due date. After a try that fails, it asks for up to three more within seven days. REFUSED with the code OTHER_AMOUNT: less is owed than the payer has permitted, so Cofre sent nothing. 404 before it is sent.',
  params: z.object({ id: pathId }),
  responses: { 200: { description: 'The collection as it is now.', schema: collectionSchema } },
  handle: ({ sellerId, params }, { services: { pix } }) =>
    callRpc(pix, pix.getPixCollection, { sellerId, invoiceId: params.id }),
  present: (collection) => ({ status: 200, body: presentCollection(collection) }),
})

export const pixRoutes = [issuePix, listPix, getPix, getPixCollection]
