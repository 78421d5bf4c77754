import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../../invoice/rules/invoice'
import type { EmailKind, Language, RefundFacts } from './email'
import { findAddressee, insertEmail, insertEmails } from './email-store'

/**
 * Why an e-mail is sent, in which language, and in whose name. By default the recurring invoice decides the language,
 * else it is Portuguese; the name is the invoice's own, or that of the recurring invoice.
 */
export type Reason = {
  cause: string
  kind: EmailKind
  language?: Language | undefined
  sellerName?: string | undefined
  /** The attempt to pay that the e-mail reports. */
  transactionId?: number | undefined
  facts?: RefundFacts | undefined
  /** How long the e-mail waits for what it is to carry, milliseconds. */
  waitsMs?: number | undefined
}

/** The address and the language of a letter. */
export type Queued = { to: string; language: Language }

/** The receipt of an invoice: one, however often its payment is repeated. */
export const RECEIPT: Reason = { cause: 'receipt', kind: 'RECEIPT' }

/** The letter about a card payment that no invoice took, and whose money went back. */
export function givenBack(transactionId: number): Reason {
  return { cause: `given-back:${transactionId}`, kind: 'GIVEN_BACK', transactionId }
}

/** The letter of a booklet, about its first invoice. `waitsMs`: for its slips to be registered. */
export function bookletIssued(waitsMs: number): Reason {
  return { cause: 'booklet', kind: 'BOOKLET', waitsMs }
}

/**
 * Queues an e-mail to the customer of an invoice, in the caller's transaction. It leaves after the commit, and once for
 * each cause, however often that is repeated. Undefined when the customer has no address: no e-mail is written.
 */
export async function queueEmail(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { cause, kind, transactionId, facts, waitsMs = 0, ...said }: Reason,
): Promise<Queued | undefined> {
  const { recipient, ...known } = await findAddressee(tx, invoice)
  if (recipient === null) return undefined
  const { id: invoiceId, sellerId } = invoice
  const language = said.language ?? known.language ?? 'pt-BR'
  const sellerName = said.sellerName ?? known.sellerName
  const createdAt = databaseNow()
  const about = { sellerId, invoiceId, transactionId, facts, askAt: createdAt + waitsMs }
  await insertEmail(tx, { ...about, cause, kind, language, sellerName, recipient, createdAt })
  return { to: recipient, language }
}

/** The letter about an invoice that a cycle has made: one, however often that is repeated. */
export const ISSUED = { cause: 'issued', kind: 'ISSUED' } as const

/** An invoice that a cycle has made, with the language and the seller's name of its letters. */
export type Issued = Pick<Invoice, 'id' | 'sellerId' | 'customer'> & {
  language: Language
  sellerName: string | null
}

/** Queues e-mails to the customers of new invoices, in the caller's transaction. One without an address gets none. */
export async function queueIssued(tx: Db, invoices: readonly Issued[]): Promise<void> {
  const createdAt = databaseNow()
  const emails = invoices.flatMap(({ id: invoiceId, sellerId, customer: { email }, language, sellerName }) =>
    email ? [{ ...ISSUED, sellerId, invoiceId, language, sellerName, recipient: email, createdAt }] : [],
  )
  await insertEmails(tx, emails)
}
