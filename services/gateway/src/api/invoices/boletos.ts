import { boletoSchema, boletosSchema, pdfUrlOf, presentBoleto } from '@cofre/api/boleto'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Boleto, BoletoStatus, IssueBoletoResponse } from '@cofre/proto/invoices/v1/boletos'
import { z } from 'zod'
import { linkHeader, type Answer } from '../../http/answer'
import { route, type View } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { INVOICES } from './invoice-urls'

/** The bank registers the boleto in this time. It may also be asked whether it has done so. */
const ISSUING = { timeoutMs: 25_000 }
/** When the bank is first asked about a boleto that it left unanswered. */
const RESOLVED_SOON_SECONDS = '2'

const issueBoleto = route({
  method: 'POST',
  path: `${INVOICES}/{id}/boleto`,
  scope: 'invoices:write',
  operationId: 'issueBoleto',
  tag: 'Invoices',
  summary: 'Issue a boleto for an invoice',
  description:
    'Cofre registers the boleto with the seller’s bank. If the invoice already has a boleto that can be paid, the answer is 200 with that boleto. If the invoice accepts PIX too, a Pix charge is made with the boleto, whose PDF shows its QR code; the first of the two that is paid withdraws the other. An OPEN invoice is finalized with its boleto; if the bank refuses the boleto, the invoice stays OPEN. The boleto of a late invoice can only be paid on the next business day, for the amount payable on that day. If the bank does not answer in time, the boleto is PENDING: read it at its Location after Retry-After.',
  params: z.object({ id: pathId }),
  callsPartner: 'bank',
  responses: {
    200: {
      description: 'The boleto that the invoice already has. Link rel="boleto" is the slip to print.',
      schema: boletoSchema,
      headers: ['Location', 'Link'],
      headersAtTimes: ['Retry-After'],
    },
    201: {
      description: 'A new boleto. Link rel="boleto" is the slip to print.',
      schema: boletoSchema,
      headers: ['Location', 'Link'],
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
  present: ({ boleto = Boleto.fromPartial({}), existing }, view) => {
    const { status, headers, body } = answerBoleto(boleto, view)
    const Location = boletoUrl(view.baseUrl, boleto)
    return { status: existing ? status : 201, headers: { Location, ...headers }, body }
  },
})

const getBoleto = route({
  method: 'GET',
  path: `${INVOICES}/{id}/boletos/{boletoId}`,
  scope: 'invoices:read',
  operationId: 'getBoleto',
  tag: 'Invoices',
  summary: 'Read a boleto of an invoice',
  description:
    'The answer has Retry-After while the boleto is PENDING. 404 once the bank has refused a PENDING boleto: issue another.',
  params: z.object({ id: pathId, boletoId: pathId }),
  responses: {
    200: {
      description: 'The boleto as it is now. Link rel="boleto" is the slip to print.',
      schema: boletoSchema,
      headers: ['Link'],
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params }, { services: { boletos } }) =>
    callRpc(boletos, boletos.readBoleto, { sellerId, invoiceId: params.id, boletoId: params.boletoId }),
  present: answerBoleto,
})

const listBoletos = route({
  method: 'GET',
  path: `${INVOICES}/{id}/boletos`,
  scope: 'invoices:read',
  operationId: 'listBoletos',
  tag: 'Invoices',
  summary: 'List the boletos of an invoice, newest first',
  description: 'The latest 100. An invoice has a new boleto when the terms of the one before no longer hold.',
  params: z.object({ id: pathId }),
  responses: { 200: { description: 'Its boletos.', schema: boletosSchema } },
  handle: ({ sellerId, params }, { services: { boletos } }) =>
    callRpc(boletos, boletos.listBoletos, { sellerId, invoiceId: params.id }),
  present: ({ boletos }, { baseUrl }) => ({
    status: 200,
    body: boletos.map((boleto) => presentBoleto(boleto, baseUrl)),
  }),
})

function answerBoleto(boleto: Boleto, { baseUrl }: View): Answer {
  const waits = boleto.status === BoletoStatus.PENDING
  return {
    status: 200,
    headers: {
      Link: linkHeader({ boleto: pdfUrlOf(baseUrl, boleto) }),
      ...(waits ? { 'Retry-After': RESOLVED_SOON_SECONDS } : {}),
    },
    body: presentBoleto(boleto, baseUrl),
  }
}

function boletoUrl(baseUrl: string, { invoiceId, id }: Boleto): string {
  return `${baseUrl}${INVOICES}/${invoiceId}/boletos/${id}`
}

export const boletoRoutes = [issueBoleto, listBoletos, getBoleto]
