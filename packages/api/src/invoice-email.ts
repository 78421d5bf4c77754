import {
  EmailKind,
  EmailLanguage,
  EmailStatus,
  type InvoiceEmail,
  type ListedEmail,
} from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { enumNames, epochMs } from './schema'

export const EMAIL_LANGUAGES = ['pt-BR', 'en'] as const

export const emailLanguageSchema = z.enum(EMAIL_LANGUAGES).meta({ id: 'EmailLanguage' })

const emailKind = enumNames('InvoiceEmailKind', EmailKind)
const emailStatus = enumNames('InvoiceEmailStatus', EmailStatus)

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

const KINDS =
  'ISSUED: asks for payment. REMINDER: the same, from the due date on. RECEIPT: confirms the payment. DECLINED: the card could not be charged. NOT_COLLECTED: Pix Automático could not collect it. GIVEN_BACK: a charge that the invoice could not take was given back. REFUNDED: money that paid it went back. VOIDED: nobody need pay it any more. BOOKLET: all invoices of a booklet, of which this is the first. RETRY_PLANNED: the card was declined and is charged again on another day.'

const STATUSES =
  'WAITING: on its way. SENT: a mail server took it. REFUSED: the mail server refused the address or the e-mail for good. OUTDATED: it was no longer true when it was to leave. EXPIRED: no mail server took it for five days.'

const listedEmailSchema = z
  .object({
    id: z.int(),
    kind: emailKind.schema.meta({ description: KINDS }),
    to: z.string().meta({ description: 'The address to which it goes.' }),
    language: emailLanguageSchema,
    status: emailStatus.schema.meta({ description: STATUSES }),
    createdAt: epochMs(),
    endedAt: epochMs().nullable().meta({
      description: 'When it was sent, refused or given up. Null while it waits. Epoch milliseconds.',
    }),
  })
  .meta({ id: 'ListedEmail' })

/** The e-mails to the customer of an invoice, as the API lists them. */
export const listedEmailsSchema = z.array(listedEmailSchema).meta({
  id: 'ListedEmails',
  description: 'Newest first.',
  examples: [
    [
      {
        id: 12,
        kind: 'ISSUED',
        to: 'ana@example.com',
        language: 'pt-BR',
        status: 'SENT',
        createdAt: 1_767_225_600_412,
        endedAt: 1_767_225_601_100,
      },
    ],
  ],
})

export type ListedEmailJson = z.output<typeof listedEmailSchema>

export function presentListedEmail(email: ListedEmail): ListedEmailJson {
  const { id, kind, to, language, status, createdAt, endedAt } = email
  return {
    id,
    kind: emailKind.nameOf(kind),
    to,
    language: presentEmailLanguage(language),
    status: emailStatus.nameOf(status),
    createdAt,
    endedAt: endedAt ?? null,
  }
}
