import { generatedBoletosSchema, presentGenerated } from '@cofre/api/boleto'
import { presentVoided, voidedBookletSchema } from '@cofre/api/recurring/voided-booklet'
import { presentRecurring, recurringSchema } from '@cofre/api/recurring-invoice'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import {
  GenerateBoletosResponse,
  RecurringInvoice,
  VoidBookletResponse,
} from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { linkHeader } from '../../http/answer'
import { BOOKLET } from '../../docs/sample-invoices'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { bookletRequestSchema } from './booklet-request'
import { RECURRING, recurringLinks, tag } from './recurring-invoices'
import { newBookletMessage } from './recurring-message'

const byId = z.object({ id: pathId })
/** The bank registers up to 120 boletos in this time. Boletos without an answer by then are resolved by themselves. */
const REGISTERING = { timeoutMs: 25_000 }
/** When the bank is first asked about a boleto that it left unanswered. */
const RESOLVED_SOON_SECONDS = '2'

const createBooklet = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/booklet',
  scope: 'invoices:write',
  operationId: 'createBooklet',
  tag,
  summary: 'Create a booklet',
  description:
    'A recurring invoice with a fixed number of charges (carnê). Cofre creates and finalizes all its invoices at once, each with a boleto. The first is due daysUntilDue days after the first cycle day, the others on the same day of the month. The customer gets one e-mail with all invoices, their payment pages and the first 24 boletos; none where a kept card is charged automatically. If the bank does not answer at once, a boleto is PENDING, and Cofre keeps asking. If the bank refuses a boleto, its invoice stays CLOSED; boleto/generate-bulk shows the error and tries again. If you accept only CREDIT_CARD, or have no bank account in Cofre, the invoices have no boletos. To name BOLETO, you need a bank account.',
  body: {
    kind: 'json',
    schema: bookletRequestSchema,
    required: true,
    urls: ['notificationUrl'],
    recorded: {
      customerId: true,
      billingFrequency: true,
      collectionMethod: true,
      chargesByBooklet: true,
      daysUntilDue: true,
    },
  },
  callsPartner: 'bank',
  responses: {
    201: {
      description:
        'Created, and FINISHED: no cycle follows. Link rel="self" is the booklet, rel="subscription" its state and schedule, rel="invoices" its invoices, rel="booklet" the slips to print.',
      schema: recurringSchema,
      example: BOOKLET,
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
    const message = newBookletMessage({ sellerId, sellerName: await sellerName({ sellerId }) }, body)
    return callRepeatable(recurring, recurring.createBooklet, message, REGISTERING)
  },
  present: (made, { baseUrl }) => {
    const self = `${baseUrl}${RECURRING}/${made.id}`
    return {
      status: 201,
      headers: {
        Location: self,
        Link: linkHeader({ ...recurringLinks(baseUrl, made.id), booklet: `${self}/booklet` }),
      },
      body: presentRecurring(made),
    }
  },
})

const drawBooklet = route({
  method: 'GET',
  path: `${RECURRING}/{id}/booklet`,
  scope: 'invoices:read',
  operationId: 'drawBooklet',
  tag,
  summary: 'Print a booklet',
  description:
    'A page in Portuguese with a slip for each invoice: three slips on a sheet of A4, with cut lines, in the colors of your theme. The page loads nothing and has no scripts, so you can save it and send it. A slip that the bank has not registered yet has no digits and says so. A slip that must not be paid is marked PAGO, CANCELADO or VENCIDO. For a recurring invoice that is not a booklet, the page has its latest 120 invoices.',
  params: byId,
  responses: {
    200: {
      description: 'The page, UTF-8.',
      contentType: 'text/html',
      headers: ['Content-Disposition'],
    },
  },
  handle: async ({ sellerId, params }, { sellerName, services: { recurring } }) => {
    const asked = { sellerId, recurringInvoiceId: params.id, sellerName: await sellerName({ sellerId }) }
    return callRpc(recurring, recurring.drawBooklet, asked)
  },
  present: ({ html, styleSource }) => ({
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'pt-BR',
      'Content-Disposition': 'inline; filename="carne.html"',
      'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    text: whole(html),
  }),
})

async function* whole(text: string): AsyncGenerator<string> {
  yield text
}

const generateBoletos = route({
  method: 'POST',
  path: `${RECURRING}/{id}/boleto/generate-bulk`,
  scope: 'invoices:write',
  operationId: 'generateBoletos',
  tag,
  summary: 'Issue boletos for all closed invoices of a recurring invoice',
  description:
    'In order of cycle, at most 1000 invoices. An invoice that already has a payable boleto keeps it. A boleto that fails has its own error and does not affect the others. If the bank does not answer in time, the boleto is PENDING, and Cofre keeps asking. A repeat with the same Idempotency-Key returns the same boletos, in their current state.',
  params: byId,
  callsPartner: 'bank',
  responses: {
    200: {
      description: 'The result of each invoice. Empty: no invoice is CLOSED.',
      schema: generatedBoletosSchema,
      headersAtTimes: ['Retry-After'],
    },
  },
  message: GenerateBoletosResponse,
  handle: ({ sellerId, params }, { services: { recurring } }) => {
    const asked = { sellerId, recurringInvoiceId: params.id }
    return callRepeatable(recurring, recurring.generateBoletos, asked, REGISTERING)
  },
  present: (generated, { baseUrl }) => {
    const waits = generated.boletos.some(({ boleto }) => boleto?.status === BoletoStatus.PENDING)
    return {
      status: 200,
      ...(waits ? { headers: { 'Retry-After': RESOLVED_SOON_SECONDS } } : {}),
      body: presentGenerated(generated, baseUrl),
    }
  },
})

const voidBooklet = route({
  method: 'POST',
  path: `${RECURRING}/{id}/void`,
  scope: 'invoices:write',
  operationId: 'voidBooklet',
  tag,
  summary: 'Void all open invoices of a booklet',
  description:
    'Cofre voids each invoice that is not paid, withdraws its boleto at the bank, and cancels the booklet. You cannot undo this. Paid invoices stay PAID. An invoice that holds a part of its money, or for which a card is being charged, stays as it is, with its error; the others are voided. If a payment and this request come at the same time, the first decides: an invoice that was paid stays PAID, and money for a voided invoice is an unexpected receipt. A repeat voids what is open by then.',
  params: byId,
  responses: {
    200: {
      description: 'The invoices that were open. Empty: none was, and nothing changed.',
      schema: voidedBookletSchema,
    },
  },
  problems: ['INVALID_INVOICE_STATE'],
  message: VoidBookletResponse,
  handle: ({ sellerId, params }, { services: { recurring } }) =>
    callRepeatable(recurring, recurring.voidBooklet, { sellerId, recurringInvoiceId: params.id }),
  present: (voided) => ({ status: 200, body: presentVoided(voided) }),
})

export const bookletRoutes = [createBooklet, drawBooklet, generateBoletos, voidBooklet]
