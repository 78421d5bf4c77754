import {
  EMAIL_LANGUAGES,
  emailLanguage,
  invoiceEmailSchema,
  presentInvoiceEmail,
} from '@cofre/api/invoice-email'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { EmailLanguage, InvoiceEmail } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { route } from '../../http/route'
import { findSeller } from '../../sellers/seller-store'
import { pathId } from '../fields/path-fields'
import { INVOICES } from './invoices'

const emailRequestSchema = z
  .object({
    language: z.enum(EMAIL_LANGUAGES).optional().meta({
      description: 'Absent: that of the recurring invoice; of any other invoice, pt-BR.',
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
    'The customer gets the link on which the invoice is paid; from the due date on, a reminder; once it is paid, the receipt. The e-mail leaves soon after the answer, once, also where the mail server is away for some days. An invoice is mailed at most five times an hour.',
  params: z.object({ id: pathId }),
  body: { kind: 'json', schema: emailRequestSchema, required: false, recorded: { language: true } },
  responses: { 200: { description: 'The e-mail is on its way.', schema: invoiceEmailSchema } },
  problems: ['INVALID_INVOICE_STATE', 'PAYMENT_WINDOW_CLOSED', 'CUSTOMER_HAS_NO_EMAIL', 'EMAIL_NOT_SET_UP'],
  message: InvoiceEmail,
  handle: async ({ sellerId, params, body }, { pool, services: { invoices } }) => {
    const seller = await findSeller(pool, sellerId)
    return callRepeatable(invoices, invoices.sendInvoiceEmail, {
      sellerId,
      invoiceId: params.id,
      language: body.language ? emailLanguage(body.language) : EmailLanguage.UNSPECIFIED,
      sellerName: seller?.name ?? '',
    })
  },
  present: (email) => ({ status: 200, body: presentInvoiceEmail(email) }),
})

export const invoiceEmailRoutes = [sendInvoiceEmail]
