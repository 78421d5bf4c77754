import { presentUnexpectedReceipt, unexpectedReceiptSchema } from '@cofre/api/boleto'
import { pageSchema } from '@cofre/api/page'
import { callRpc } from '@cofre/platform/grpc/client'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { text } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryBoolean } from '../fields/query-fields'
import { INVOICES } from './invoice-urls'

const PATH = `${INVOICES}/unexpected-receipts`
const tag = 'Invoices'
const ABSENT = { after: undefined, resolved: undefined }

const listUnexpectedReceipts = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'listUnexpectedReceipts',
  tag,
  summary: 'List unexpected receipts: money that no invoice accepted',
  description:
    'Newest first. Payers can pay a boleto with too little or too much, twice, too late, or for a voided invoice. Decide what to do with the money, then resolve the receipt.',
  query: z.object({
    ...pageQuery,
    ...afterQuery,
    resolved: queryBoolean().optional().meta({
      type: 'boolean',
      enum: undefined,
      description: 'Whether the receipt is resolved. Default: both.',
    }),
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(unexpectedReceiptSchema, 'UnexpectedReceiptPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { boletos } }) =>
    callRpc(boletos, boletos.listUnexpectedReceipts, {
      ...ABSENT,
      sellerId,
      ...query,
    }),
  present: ({ receipts, ...end }, view) =>
    answerPage(PATH, { items: receipts.map(presentUnexpectedReceipt), ...end }, view),
})

const resolutionSchema = z
  .object({ note: text(2_000).meta({ description: 'What you did with the money.' }) })
  .meta({ id: 'UnexpectedReceiptResolution', examples: [{ note: 'Returned to the payer on 2026-07-14.' }] })

const resolveUnexpectedReceipt = route({
  method: 'POST',
  path: `${PATH}/{id}/resolve`,
  scope: 'invoices:write',
  operationId: 'resolveUnexpectedReceipt',
  tag,
  summary: 'Resolve an unexpected receipt',
  description:
    'Records what you did with the money. It moves no money itself. A repeat does not change the first note.',
  params: z.object({ id: pathId }),
  body: { kind: 'json', schema: resolutionSchema, required: true },
  responses: { 200: { description: 'Resolved.', schema: unexpectedReceiptSchema } },
  handle: ({ sellerId, params, body }, { services: { boletos } }) =>
    callRpc(boletos, boletos.resolveUnexpectedReceipt, { sellerId, receiptId: params.id, note: body.note }),
  present: (receipt) => ({ status: 200, body: presentUnexpectedReceipt(receipt) }),
})

export const unexpectedReceiptRoutes = [listUnexpectedReceipts, resolveUnexpectedReceipt]
