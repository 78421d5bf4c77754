import { boletoSchema, pdfUrlOf, presentBoleto } from '@cofre/api/boleto'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { Boleto, BoletoStatus, IssueBoletoResponse } from '@cofre/proto/invoices/v1/boletos'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { INVOICES } from './invoice-urls'

/** The bank registers the boleto in this time. It may also be asked whether it has done so. */
const ISSUING = { timeoutMs: 25_000 }
/** When the bank is first asked about a boleto that it left unanswered. */
const SETTLED_SOON_SECONDS = '2'

const issueBoleto = route({
  method: 'POST',
  path: `${INVOICES}/{id}/boleto`,
  scope: 'invoices:write',
  operationId: 'issueBoleto',
  tag: 'Invoices',
  summary: 'Issue a boleto for an invoice',
  description:
    'Cofre registers the boleto with the seller’s bank. If the invoice already has a boleto that can be paid, the answer is 200 with that boleto. An OPEN invoice is finalized first. The boleto of a late invoice can only be paid on the next business day, for the amount payable on that day. If the bank does not answer in time, the boleto is PENDING: send the request again.',
  params: z.object({ id: pathId }),
  callsPartner: true,
  responses: {
    200: {
      description: 'The boleto that the invoice already has. Link rel="boleto" is the slip to print.',
      schema: boletoSchema,
      headers: ['Link'],
      headersAtTimes: ['Retry-After'],
    },
    201: {
      description: 'A new boleto. Link rel="boleto" is the slip to print.',
      schema: boletoSchema,
      headers: ['Link'],
      headersAtTimes: ['Retry-After'],
    },
  },
  problems: [
    'INVALID_INVOICE_STATE',
    'PAYMENT_METHOD_NOT_ACCEPTED',
    'PAYMENT_WINDOW_CLOSED',
    'PAYMENT_PENDING',
    'BOLETO_REFUSED',
  ],
  message: IssueBoletoResponse,
  handle: ({ sellerId, params }, { services: { boletos } }) =>
    callRepeatable(boletos, boletos.issueBoleto, { sellerId, invoiceId: params.id }, ISSUING),
  present: ({ boleto = Boleto.fromPartial({}), existing }, { baseUrl }) => {
    const waits = boleto.status === BoletoStatus.PENDING
    return {
      status: existing ? 200 : 201,
      headers: {
        Link: linkHeader({ boleto: pdfUrlOf(baseUrl, boleto) }),
        ...(waits ? { 'Retry-After': SETTLED_SOON_SECONDS } : {}),
      },
      body: presentBoleto(boleto, baseUrl),
    }
  },
})

export const boletoRoutes = [issueBoleto]
