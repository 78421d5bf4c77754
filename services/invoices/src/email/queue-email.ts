import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../invoice/invoice'
import type { EmailKind, Language } from './email'
import { findAddressee, insertEmail, insertEmails } from './email-store'

/**
 * Why an e-mail is sent, in which language, and in whose name. Without a word, as the recurring invoice says; where there is
 * none, in Portuguese, and the letter names no seller.
 */
export type Reason = {
  cause: string
  kind: EmailKind
  language?: Language | undefined
  sellerName?: string | undefined
}

/** To which address a letter goes, and in which language. */
export type Queued = { to: string; language: Language }

/** The receipt of an invoice: one, whatever repeats its payment. */
export const RECEIPT: Reason = { cause: 'receipt', kind: 'RECEIPT' }

/**
 * Has the customer of an invoice mailed, in the caller's transaction: it leaves once that commits, once for each cause,
 * whatever repeats. Undefined: the customer has no address, and no e-mail is written.
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

/** What is to be paid, as soon as a cycle has made it. One, whatever repeats. */
const ISSUED = { cause: 'issued', kind: 'ISSUED' } as const

/** An invoice that a cycle has made, and how its recurring invoice has letters written. */
export type Issued = Pick<Invoice, 'id' | 'sellerId' | 'customer'> & {
  language: Language
  sellerName: string | null
}

/** Has the customers of new invoices mailed, in the caller's transaction. Who has no address gets no e-mail. */
export async function queueIssued(tx: Db, invoices: readonly Issued[]): Promise<void> {
  const createdAt = Date.now()
  const emails = invoices.flatMap(({ id: invoiceId, sellerId, customer: { email }, language, sellerName }) =>
    email ? [{ ...ISSUED, sellerId, invoiceId, language, sellerName, recipient: email, createdAt }] : [],
  )
  await insertEmails(tx, emails)
}
