import { invoiceSchema, presentInvoice } from '@cofre/api/invoice'
import { cents, epochMs } from '@cofre/api/schema'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { Invoice } from '@cofre/proto/invoices/v1/invoices'
import { ExternalKind } from '@cofre/proto/invoices/v1/money'
import { z } from 'zod'
import { route } from '../../http/route'
import { line, text } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import { INVOICES } from '../invoices/invoice-urls'

const tag = 'Invoices'
const params = z.object({ id: pathId })

const KINDS = ['CASH', 'TRANSFER', 'OTHER_PROVIDER'] as const

const paymentSchema = z
  .object({
    amountInCents: cents(1).meta({
      description: 'At most what the invoice is owed at paidAt. Less leaves a balance. Cents of BRL.',
    }),
    paidAt: epochMs().meta({ description: 'When the money came in. Fine and interest count up to then.' }),
    kind: z.enum(KINDS).meta({ id: 'ExternalPaymentKind' }),
    reference: line().optional().meta({ description: 'Your name for the payment.' }),
  })
  .meta({
    id: 'ExternalPaymentRequest',
    examples: [{ amountInCents: 10_000, paidAt: 1_783_652_400_000, kind: 'TRANSFER', reference: 'TED 4711' }],
  })

const recordPayment = route({
  method: 'POST',
  path: `${INVOICES}/{id}/payments/external`,
  scope: 'invoices:write',
  operationId: 'recordExternalPayment',
  tag,
  summary: 'Record a payment that you received outside Cofre',
  description:
    'An open boleto is withdrawn at the bank. The invoice is PAID once nothing of it is owed; until then it shows a balance.',
  params,
  body: { kind: 'json', schema: paymentSchema, required: true },
  responses: { 200: { description: 'The invoice.', schema: invoiceSchema } },
  problems: ['INVALID_INVOICE_STATE', 'PAYMENT_PENDING'],
  message: Invoice,
  handle: ({ sellerId, params: { id: invoiceId }, body }, { services: { money } }) => {
    const { amountInCents: amount, paidAt, kind, reference = '' } = body
    const request = { sellerId, invoiceId, amount, paidAt, kind: ExternalKind[kind], reference }
    return callRepeatable(money, money.recordPayment, request)
  },
  present: (invoice, { baseUrl }) => ({ status: 200, body: presentInvoice(invoice, baseUrl) }),
})

const returnSchema = z
  .object({
    amountInCents: cents(1).meta({
      description:
        'At most what the invoice took, has not given back, and is not giving back by Pix. Cents of BRL.',
    }),
    returnedAt: epochMs(),
    reference: line().optional().meta({ description: 'Your name for the transfer.' }),
  })
  .meta({
    id: 'InvoiceReturnRequest',
    examples: [{ amountInCents: 10_000, returnedAt: 1_783_738_800_000, reference: 'TED 4712' }],
  })

const recordReturn = route({
  method: 'POST',
  path: `${INVOICES}/{id}/returns`,
  scope: 'invoices:write',
  operationId: 'recordInvoiceReturn',
  tag,
  summary: 'Record money that you gave back outside Cofre',
  description:
    'It moves no money itself. To give money back to a card, refund its charge; by Pix, refund the invoice. An invoice that is PAID stays PAID; any other is owed the money again, in the parts that it had paid.',
  params,
  body: { kind: 'json', schema: returnSchema, required: true },
  responses: { 200: { description: 'The invoice, with refundedInCents.', schema: invoiceSchema } },
  problems: ['PAYMENT_PENDING'],
  message: Invoice,
  handle: ({ sellerId, params: { id: invoiceId }, body }, { services: { money } }) => {
    const { amountInCents: amount, returnedAt, reference = '' } = body
    return callRepeatable(money, money.recordReturn, { sellerId, invoiceId, amount, returnedAt, reference })
  },
  present: (invoice, { baseUrl }) => ({ status: 200, body: presentInvoice(invoice, baseUrl) }),
})

const writeOffSchema = z
  .object({
    amountInCents: cents(1).optional().meta({
      description: 'At most what is owed. Default: all of it. Fine and interest come first. Cents of BRL.',
    }),
    reason: text(),
  })
  .meta({
    id: 'InvoiceWriteOffRequest',
    examples: [{ amountInCents: 1, reason: 'One cent short. We accept it.' }],
  })

const writeOff = route({
  method: 'POST',
  path: `${INVOICES}/{id}/write-off`,
  scope: 'invoices:write',
  operationId: 'writeOffInvoice',
  tag,
  summary: 'Write off what an invoice is still owed',
  description:
    'You ask for it no more. The invoice is PAID once nothing is owed. An invoice of which nobody has paid anything is voided or marked uncollectible instead.',
  params,
  body: { kind: 'json', schema: writeOffSchema, required: true },
  responses: { 200: { description: 'The invoice.', schema: invoiceSchema } },
  problems: ['INVALID_INVOICE_STATE', 'PAYMENT_PENDING'],
  message: Invoice,
  handle: ({ sellerId, params: { id: invoiceId }, body }, { services: { money } }) => {
    const { amountInCents: amount, reason } = body
    return callRepeatable(money, money.writeOff, { sellerId, invoiceId, amount, reason })
  },
  present: (invoice, { baseUrl }) => ({ status: 200, body: presentInvoice(invoice, baseUrl) }),
})

export const invoiceMoneyRoutes = [recordPayment, recordReturn, writeOff]
