import { notFound } from '@cofre/platform/errors'
import type { GetInvoiceRequest, Invoice, ListedEmail } from '@cofre/proto/invoices/v1/invoices'

/** The e-mails that a test sets: every invoice has the same. */
export function createLetters(invoices: ReadonlyMap<number, Invoice>) {
  const emails: ListedEmail[] = []
  const answers = {
    listInvoiceEmails: async ({ sellerId, invoiceId }: GetInvoiceRequest) => {
      if (invoices.get(invoiceId)?.sellerId !== sellerId) throw notFound()
      return { emails }
    },
  }
  return { emails, answers }
}
