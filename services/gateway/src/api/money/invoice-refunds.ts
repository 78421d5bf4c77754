import {
  invoiceRefundSchema,
  invoiceRefundsSchema,
  presentInvoiceRefund,
} from '@cofre/api/methods/pix-refund'
import { cents } from '@cofre/api/schema'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { PixRefund, PixRefundStatus } from '@cofre/proto/invoices/v1/pix'
import { z } from 'zod'
import type { Answer } from '../../http/answer'
import { route } from '../../http/route'
import { text } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import { INVOICES } from '../invoices/invoice-urls'

const tag = 'Invoices'
const params = z.object({ id: pathId })
/** The bank answers in this time. */
const REFUNDING = { timeoutMs: 25_000 }
/** When the bank is first asked about a refund that it left unanswered. */
const RESOLVED_SOON_SECONDS = '2'

const refundSchema = z
  .object({
    amountInCents: cents(1).optional().meta({
      description: 'At most what the invoice has left of the Pix. Default: all of that. Cents of BRL.',
    }),
    endToEndId: z
      .string()
      .regex(/^[a-zA-Z0-9]{32}$/, 'must be 32 letters and digits')
      .optional()
      .meta({
        description:
          'The Pix, as the movements of the invoice name it. Required where several have something left.',
      }),
    reason: text().optional(),
  })
  .meta({
    id: 'InvoiceRefundRequest',
    examples: [
      {
        amountInCents: 2_500,
        endToEndId: 'E9999900820260709121500f3a91c07b',
        reason: 'One item was sold out.',
      },
    ],
  })

const refundInvoice = route({
  method: 'POST',
  path: `${INVOICES}/{id}/refunds`,
  scope: 'invoices:write',
  operationId: 'refundInvoice',
  tag,
  summary: 'Give money of an invoice back by Pix',
  description:
    'The bank sends it to the account that it came from, in full or in parts, within 90 days. To give money back to a card, refund its charge. If the bank refuses, the refund is FAILED: read failure. If the bank does not answer in time, the refund is PENDING: read it at its Location after Retry-After. An invoice that is PAID stays PAID; any other is owed the money again. Do not send `Prefer: handling=lenient`: a misspelt `amountInCents` would be ignored, and everything refunded.',
  params,
  body: { kind: 'json', schema: refundSchema, required: true },
  callsPartner: 'pix',
  responses: {
    201: {
      description: 'The refund.',
      schema: invoiceRefundSchema,
      headers: ['Location'],
      headersAtTimes: ['Retry-After'],
    },
  },
  problems: ['REFUND_UNAVAILABLE', 'REFUND_EXCEEDS_CAPTURED'],
  message: PixRefund,
  handle: ({ sellerId, params: { id: invoiceId }, body }, { services: { pix } }) => {
    const { amountInCents: amount, endToEndId, reason = '' } = body
    return callRepeatable(pix, pix.refundPix, { sellerId, invoiceId, amount, endToEndId, reason }, REFUNDING)
  },
  present: (refund, { baseUrl }) => {
    const { headers, body } = answerRefund(refund)
    const Location = `${baseUrl}${INVOICES}/${refund.invoiceId}/refunds/${refund.id}`
    return { status: 201, headers: { Location, ...headers }, body }
  },
})

const getRefund = route({
  method: 'GET',
  path: `${INVOICES}/{id}/refunds/{refundId}`,
  scope: 'invoices:read',
  operationId: 'getInvoiceRefund',
  tag,
  summary: 'Read a refund of an invoice',
  description: 'The answer has Retry-After while the refund is PENDING.',
  params: z.object({ id: pathId, refundId: pathId }),
  responses: {
    200: {
      description: 'The refund as it is now.',
      schema: invoiceRefundSchema,
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params: { id: invoiceId, refundId } }, { services: { pix } }) =>
    callRpc(pix, pix.readPixRefund, { sellerId, invoiceId, refundId }),
  present: answerRefund,
})

const listRefunds = route({
  method: 'GET',
  path: `${INVOICES}/{id}/refunds`,
  scope: 'invoices:read',
  operationId: 'listInvoiceRefunds',
  tag,
  summary: 'List the Pix refunds of an invoice, newest first',
  description: 'The latest 100, also those that were made at the bank. Refunds of a card are at its charge.',
  params,
  responses: { 200: { description: 'Its refunds.', schema: invoiceRefundsSchema } },
  handle: ({ sellerId, params: { id: invoiceId } }, { services: { pix } }) =>
    callRpc(pix, pix.listPixRefunds, { sellerId, invoiceId }),
  present: ({ refunds }) => ({ status: 200, body: refunds.map(presentInvoiceRefund) }),
})

function answerRefund(refund: PixRefund): Answer {
  const waits = refund.status === PixRefundStatus.PENDING
  return {
    status: 200,
    headers: waits ? { 'Retry-After': RESOLVED_SOON_SECONDS } : {},
    body: presentInvoiceRefund(refund),
  }
}

export const invoiceRefundRoutes = [refundInvoice, listRefunds, getRefund]
