import {
  emailLanguage,
  emailLanguageSchema,
  invoiceEmailSchema,
  listedEmailsSchema,
  presentInvoiceEmail,
  presentListedEmail,
} from '@cofre/api/invoice-email'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { EmailLanguage, InvoiceEmail } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { INVOICES } from './invoice-urls'

const emailRequestSchema = z
  .object({
    language: emailLanguageSchema.optional().meta({
      description: 'Default: the language of the recurring invoice, or pt-BR for any other invoice.',
    }),
  })
  .meta({ id: 'InvoiceEmailRequest', examples: [{ language: 'en' }] })

const sendInvoiceEmail = route({
  method: 'POST',
  path: `${INVOICES}/{id}/send-email`,
  scope: 'invoices:write',
  operationId: 'sendInvoiceEmail',
  tag: 'Invoices',
  summary: 'Send an invoice by e-mail',
  description:
    'The customer gets a link to the payment page, at the e-mail address that the customer has now; a deleted customer, at the one on the invoice. Every invoice can be sent that is not CANCELLED, a draft too. From the due date on, the e-mail is a reminder; after payment, it is a receipt. Cofre sends it once, soon after the answer, and keeps trying for days if the mail server is down. You can send an invoice at most five times an hour.',
  params: z.object({ id: pathId }),
  body: { kind: 'json', schema: emailRequestSchema, required: false, recorded: { language: true } },
  responses: { 200: { description: 'The e-mail is on its way.', schema: invoiceEmailSchema } },
  problems: ['INVALID_INVOICE_STATE', 'PAYMENT_WINDOW_CLOSED', 'CUSTOMER_HAS_NO_EMAIL', 'EMAIL_NOT_SET_UP'],
  message: InvoiceEmail,
  handle: async ({ sellerId, params, body }, { sellerName, services: { invoices } }) => {
    return callRepeatable(invoices, invoices.sendInvoiceEmail, {
      sellerId,
      invoiceId: params.id,
      language: body.language ? emailLanguage(body.language) : EmailLanguage.UNSPECIFIED,
      sellerName: await sellerName({ sellerId }),
    })
  },
  present: (email) => ({ status: 200, body: presentInvoiceEmail(email) }),
})

const listInvoiceEmails = route({
  method: 'GET',
  path: `${INVOICES}/{id}/emails`,
  scope: 'invoices:read',
  operationId: 'listInvoiceEmails',
  tag: 'Invoices',
  summary: 'List the e-mails to the customer of an invoice, newest first',
  description:
    'Those of the last 30 days, at most the latest 100, with what became of each: sent, refused by the mail server, or still on its way. The first invoice of a booklet lists the e-mail of the booklet.',
  params: z.object({ id: pathId }),
  responses: { 200: { description: 'Its e-mails.', schema: listedEmailsSchema } },
  handle: ({ sellerId, params }, { services: { invoices } }) =>
    callRpc(invoices, invoices.listInvoiceEmails, { sellerId, invoiceId: params.id }),
  present: ({ emails }) => ({ status: 200, body: emails.map(presentListedEmail) }),
})

export const invoiceEmailRoutes = [sendInvoiceEmail, listInvoiceEmails]
