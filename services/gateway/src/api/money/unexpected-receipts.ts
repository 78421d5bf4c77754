import { presentUnexpectedReceipt, unexpectedReceiptSchema } from '@cofre/api/boleto'
import { pageSchema } from '@cofre/api/page'
import { cents, epochMs } from '@cofre/api/schema'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { line, text } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import {
  afterQuery,
  pageQuery,
  queryBoolean,
  queryId,
  queryOurNumber,
  queryText,
} from '../fields/query-fields'
import { INVOICES } from '../invoices/invoice-urls'
import { id } from '../invoices/terms-request'

const PATH = `${INVOICES}/unexpected-receipts`
const tag = 'Invoices'
/** The bank answers in this time. */
const RETURNING = { timeoutMs: 25_000 }
const ABSENT = {
  after: undefined,
  resolved: undefined,
  invoiceId: undefined,
  ourNumber: undefined,
  bankReceiptId: undefined,
}

const listUnexpectedReceipts = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'listUnexpectedReceipts',
  tag,
  summary: 'List unexpected receipts: money that no invoice accepted',
  description:
    'Newest first. Payers can pay a boleto with too little or too much, twice, too late, or for a voided invoice. Apply the money to an invoice, return it, or keep it. While it waits, reminders and automatic charges of its invoice wait too.',
  query: z.object({
    ...pageQuery,
    ...afterQuery,
    resolved: queryBoolean().optional().meta({
      type: 'boolean',
      enum: undefined,
      description: 'Whether the receipt is resolved. Default: both.',
    }),
    invoiceId: queryId().optional().meta({ description: 'Paid for this invoice.' }),
    ourNumber: queryOurNumber().optional(),
    bankReceiptId: queryText()
      .optional()
      .meta({ description: 'The bank’s id of the receipt; of a Pix, its endToEndId.' }),
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

const params = z.object({ id: pathId })

const getUnexpectedReceipt = route({
  method: 'GET',
  path: `${PATH}/{id}`,
  scope: 'invoices:read',
  operationId: 'getUnexpectedReceipt',
  tag,
  summary: 'Read a receipt, unexpected or not',
  description:
    'Also one that its invoice took whole, as `source.receiptId` of a movement names it. Its reason is null.',
  params,
  responses: { 200: { description: 'The receipt.', schema: unexpectedReceiptSchema } },
  handle: ({ sellerId, params: { id: receiptId } }, { services: { money } }) =>
    callRpc(money, money.getReceipt, { sellerId, receiptId }),
  present: (receipt) => ({ status: 200, body: presentUnexpectedReceipt(receipt) }),
})

const applySchema = z
  .object({
    invoiceId: id().optional().meta({ description: 'Default: the invoice that it was paid for.' }),
    writeOffRest: z.boolean().default(false).meta({
      description: 'Whether what the money does not cover is written off. Otherwise it stays owed.',
    }),
    note: text().optional(),
  })
  .meta({
    id: 'ReceiptApplication',
    examples: [{ invoiceId: 77, writeOffRest: true, note: 'One cent short. We accept it.' }],
  })

const applyReceipt = route({
  method: 'POST',
  path: `${PATH}/{id}/apply`,
  scope: 'invoices:write',
  operationId: 'applyUnexpectedReceipt',
  tag,
  summary: 'Have an invoice take the money of an unexpected receipt',
  description:
    'Fine and interest count up to the day on which the bank took the money. What the invoice does not need stays on the receipt. An open boleto of the invoice is withdrawn at the bank.',
  params,
  body: { kind: 'json', schema: applySchema, required: true },
  responses: { 200: { description: 'The receipt.', schema: unexpectedReceiptSchema } },
  problems: ['RECEIPT_RESOLVED', 'INVALID_INVOICE_STATE', 'REFERENCE_NOT_FOUND', 'PAYMENT_PENDING'],
  message: UnexpectedReceipt,
  handle: ({ sellerId, params: { id: receiptId }, body }, { services: { money } }) => {
    const { invoiceId, writeOffRest, note = '' } = body
    return callRepeatable(money, money.applyReceipt, { sellerId, receiptId, invoiceId, writeOffRest, note })
  },
  present: (receipt) => ({ status: 200, body: presentUnexpectedReceipt(receipt) }),
})

const returnSchema = z
  .object({
    amountInCents: cents(1).optional().meta({ description: 'Default: all that waits. Cents of BRL.' }),
    returnedAt: epochMs().optional().meta({
      description:
        'When you gave it back yourself. Without it, Cofre gives it back now; that needs money that came by Pix. Epoch milliseconds.',
    }),
    reference: line().optional().meta({ description: 'Your name for the transfer.' }),
    note: text().optional(),
  })
  .meta({
    id: 'ReceiptReturn',
    examples: [
      {
        amountInCents: 20,
        returnedAt: 1_783_738_800_000,
        reference: 'TED 4711',
        note: 'Paid twice.',
      },
    ],
  })

const returnReceipt = route({
  method: 'POST',
  path: `${PATH}/{id}/return`,
  scope: 'invoices:write',
  operationId: 'returnUnexpectedReceipt',
  tag,
  summary: 'Give back the money of an unexpected receipt, or record that you did',
  description:
    'Without returnedAt, Cofre gives money that came by Pix back to the payer, within 90 days. Until the bank has done so, returningInCents shows it. If the bank refuses, the money waits again, and receipt.return_failed is sent. With returnedAt, no money is moved. Do not send `Prefer: handling=lenient`: a misspelt `returnedAt` would be ignored, and the money given back.',
  params,
  callsPartner: 'pix',
  body: { kind: 'json', schema: returnSchema, required: true },
  responses: { 200: { description: 'The receipt.', schema: unexpectedReceiptSchema } },
  problems: ['RECEIPT_RESOLVED', 'REFUND_UNAVAILABLE'],
  message: UnexpectedReceipt,
  handle: ({ sellerId, params: { id: receiptId }, body }, { services: { money } }) => {
    const { amountInCents: amount, returnedAt = 0, reference = '', note = '' } = body
    const byPix = body.returnedAt === undefined
    const request = { sellerId, receiptId, amount, returnedAt, byPix, reference, note }
    return callRepeatable(money, money.returnReceipt, request, RETURNING)
  },
  present: (receipt) => ({ status: 200, body: presentUnexpectedReceipt(receipt) }),
})

const keepSchema = z
  .object({ note: text().meta({ description: 'Why you keep it.' }) })
  .meta({ id: 'UnexpectedReceiptResolution', examples: [{ note: 'The payer wants it as credit.' }] })

const KEPT =
  'The money is income without an invoice. The invoice that it was paid for stays as it is, and its card is charged no more. A later request does not change the first note.'

/** `resolve` is the older name of `keep`. */
const keepReceipt = (name: 'keep' | 'resolve') =>
  route({
    method: 'POST',
    path: `${PATH}/{id}/${name}`,
    scope: 'invoices:write',
    operationId: name === 'keep' ? 'keepUnexpectedReceipt' : 'resolveUnexpectedReceipt',
    tag,
    summary: name === 'keep' ? 'Keep the money of an unexpected receipt' : 'Resolve an unexpected receipt',
    description: name === 'keep' ? KEPT : `The same as keep. ${KEPT}`,
    params,
    body: { kind: 'json', schema: keepSchema, required: true },
    responses: { 200: { description: 'The receipt.', schema: unexpectedReceiptSchema } },
    problems: ['RECEIPT_RESOLVED'],
    message: UnexpectedReceipt,
    handle: ({ sellerId, params: { id: receiptId }, body }, { services: { boletos } }) =>
      callRepeatable(boletos, boletos.resolveUnexpectedReceipt, { sellerId, receiptId, note: body.note }),
    present: (receipt) => ({ status: 200, body: presentUnexpectedReceipt(receipt) }),
  })

export const unexpectedReceiptRoutes = [
  listUnexpectedReceipts,
  getUnexpectedReceipt,
  applyReceipt,
  returnReceipt,
  keepReceipt('keep'),
  keepReceipt('resolve'),
]
