import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../invoice/invoice'
import type { EmailKind, Language } from './email'
import { findAddressee, insertEmail, insertEmails } from './email-store'

/**
 * Why an e-mail is sent, in which language, and in whose name. By default the recurring invoice decides both; without
 * one, the letter is in Portuguese and names no seller.
 */
export type Reason = {
  cause: string
  kind: EmailKind
  language?: Language | undefined
  sellerName?: string | undefined
}

/** The address and the language of a letter. */
export type Queued = { to: string; language: Language }

/** The receipt of an invoice: one, however often its payment is repeated. */
export const RECEIPT: Reason = { cause: 'receipt', kind: 'RECEIPT' }

/**
 * Queues an e-mail to the customer of an invoice, in the caller's transaction. It leaves after the commit, and once for
 * each cause, however often that is repeated. Undefined when the customer has no address: no e-mail is written.
 */
export async function queueEmail(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { cause, kind, ...said }: Reason,
): Promise<Queued | undefined> {
  const { recipient, ...known } = await findAddressee(tx, invoice)
  if (recipient === null) return undefined
  const { id: invoiceId, sellerId } = invoice
  const language = said.language ?? known.language ?? 'pt-BR'
  const sellerName = said.sellerName ?? known.sellerName
  const createdAt = Date.now()
  await insertEmail(tx, { cause, kind, sellerId, invoiceId, language, sellerName, recipient, createdAt })
  return { to: recipient, language }
}

/** The letter about an invoice that a cycle has just made: one, however often that is repeated. */
const ISSUED = { cause: 'issued', kind: 'ISSUED' } as const

/** An invoice that a cycle has made, with the language and the seller's name of its letters. */
export type Issued = Pick<Invoice, 'id' | 'sellerId' | 'customer'> & {
  language: Language
  sellerName: string | null
}

/** Queues e-mails to the customers of new invoices, in the caller's transaction. One without an address gets none. */
export async function queueIssued(tx: Db, invoices: readonly Issued[]): Promise<void> {
  const createdAt = Date.now()
  const emails = invoices.flatMap(({ id: invoiceId, sellerId, customer: { email }, language, sellerName }) =>
    email ? [{ ...ISSUED, sellerId, invoiceId, language, sellerName, recipient: email, createdAt }] : [],
  )
  await insertEmails(tx, emails)
}
