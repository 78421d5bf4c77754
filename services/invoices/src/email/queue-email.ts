import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../invoice/invoice'
import type { EmailKind, Language } from './email'
import { findRecipient, insertEmail, insertEmails } from './email-store'

/** Why an e-mail is sent, in which language, and in whose name. Without a name the letter names no seller. */
export type Reason = { cause: string; kind: EmailKind; language?: Language; sellerName?: string | null }

/** The receipt of an invoice: one, whatever repeats its payment. */
export const RECEIPT: Reason = { cause: 'receipt', kind: 'RECEIPT' }

/**
 * Has the customer of an invoice mailed, in the caller's transaction: it leaves once that commits, once for each cause,
 * whatever repeats. The address; undefined: the customer has none, and no e-mail is written.
 */
export async function queueEmail(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { language = 'pt-BR', sellerName = null, ...why }: Reason,
): Promise<string | undefined> {
  const recipient = await findRecipient(tx, invoice)
  if (recipient === null) return undefined
  const { id: invoiceId, sellerId } = invoice
  await insertEmail(tx, {
    ...why,
    sellerId,
    invoiceId,
    language,
    sellerName,
    recipient,
    createdAt: Date.now(),
  })
  return recipient
}

/** What is to be paid, as soon as a cycle has made it. One, whatever repeats. */
const ISSUED = { cause: 'issued', kind: 'ISSUED', language: 'pt-BR', sellerName: null } as const

/** Has the customers of new invoices mailed, in the caller's transaction. Who has no address gets no e-mail. */
export async function queueIssued(tx: Db, invoices: readonly Invoice[]): Promise<void> {
  const createdAt = Date.now()
  const emails = invoices.flatMap(({ id: invoiceId, sellerId, customer: { email } }) =>
    email ? [{ ...ISSUED, sellerId, invoiceId, recipient: email, createdAt }] : [],
  )
  await insertEmails(tx, emails)
}
