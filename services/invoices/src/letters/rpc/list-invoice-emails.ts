import {
  EmailKind,
  EmailStatus,
  type GetInvoiceRequest,
  type ListInvoiceEmailsResponse,
} from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { listEmails } from '../queue/email-store'
import { languageMessage } from './language'

export async function listInvoiceEmails(
  { pool }: Deps,
  { sellerId, invoiceId }: GetInvoiceRequest,
): Promise<ListInvoiceEmailsResponse> {
  await readInvoice(pool, { sellerId, id: invoiceId })
  const emails = await listEmails(pool, invoiceId)
  return {
    emails: emails.map(({ kind, status, language, recipient: to, endedAt, ...email }) => ({
      ...email,
      to,
      kind: EmailKind[kind],
      status: EmailStatus[status],
      language: languageMessage(language),
      endedAt: endedAt ?? undefined,
    })),
  }
}
