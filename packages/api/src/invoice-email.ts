import { EmailKind, EmailLanguage, type InvoiceEmail } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { enumNames, epochMs } from './schema'

export const EMAIL_LANGUAGES = ['pt-BR', 'en'] as const

export const emailLanguageSchema = z.enum(EMAIL_LANGUAGES).meta({ id: 'EmailLanguage' })

const emailKind = enumNames('InvoiceEmailKind', EmailKind)

export type EmailLanguageName = (typeof EMAIL_LANGUAGES)[number]

export function emailLanguage(name: EmailLanguageName): EmailLanguage {
  return name === 'en' ? EmailLanguage.ENGLISH : EmailLanguage.PORTUGUESE
}

export function presentEmailLanguage(language: EmailLanguage): EmailLanguageName {
  return language === EmailLanguage.ENGLISH ? 'en' : 'pt-BR'
}

/** An e-mail to the customer of an invoice, as the API shows it once it is on its way. */
export const invoiceEmailSchema = z
  .object({
    invoiceId: z.int(),
    kind: emailKind.schema.meta({
      description:
        'ISSUED: asks for payment. REMINDER: the same, from the due date on. RECEIPT: confirms the payment.',
    }),
    to: z.string().meta({ description: 'The customer’s address.' }),
    language: emailLanguageSchema,
    createdAt: epochMs(),
  })
  .meta({
    id: 'InvoiceEmail',
    examples: [
      {
        invoiceId: 77,
        kind: 'ISSUED',
        to: 'ana@example.com',
        language: 'pt-BR',
        createdAt: 1_767_225_600_412,
      },
    ],
  })

export function presentInvoiceEmail(email: InvoiceEmail): z.output<typeof invoiceEmailSchema> {
  const { invoiceId, kind, to, language, createdAt } = email
  return {
    invoiceId,
    kind: emailKind.nameOf(kind),
    to,
    language: presentEmailLanguage(language),
    createdAt,
  }
}
