import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Db } from '@cofre/platform/postgres/postgres'
import { now } from '../../clock/billing-clock'
import type { Invoice } from '../../invoice/rules/invoice'
import { asksToPay, morningOf, type EmailKind, type Language, type RefundFacts } from './email'
import { findAddressee, insertEmail, insertEmails, type NewEmail } from './email-store'
import { dropLesser, lastAskedOn } from './held-email-store'

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
  /** The moment of its cause, epoch milliseconds. Undefined: now. */
  at?: number | undefined
}

/** The address and the language of a letter. `isNew`: it was written now, and not before. */
export type Queued = { to: string; language: Language; isNew: boolean }

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
 * each cause, however often that is repeated. Nobody is asked for payment twice on a day, but by hand: a reminder is
 * dropped, any other letter waits for the next morning. Undefined when the customer has no address: no e-mail is written.
 */
export async function queueEmail(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { cause, kind, transactionId, facts, waitsMs = 0, at = now(), ...said }: Reason,
): Promise<Queued | undefined> {
  const { recipient, ...known } = await findAddressee(tx, invoice)
  if (recipient === null) return undefined
  const { id: invoiceId, sellerId } = invoice
  const language = said.language ?? known.language ?? 'pt-BR'
  const sellerName = said.sellerName ?? known.sellerName
  const createdAt = databaseNow()
  const about = { sellerId, invoiceId, transactionId, facts, askAt: createdAt + waitsMs }
  const askedOn = asksToPay(kind) ? dayOf(at) : null
  const isNew = await insertInTurn(tx, {
    ...about,
    cause,
    kind,
    language,
    sellerName,
    recipient,
    createdAt,
    askedOn,
  })
  return { to: recipient, language, isNew }
}

/** Writes an e-mail. One that asks for payment gets a day of its own. False: it has been written, or is not needed. */
async function insertInTurn(tx: Db, email: NewEmail): Promise<boolean> {
  const { kind, invoiceId, cause, askedOn } = email
  if (await insertEmail(tx, email)) return true
  if (askedOn === null || kind === 'REMINDER') return false
  if (await dropLesser(tx, { invoiceId, cause, askedOn })) return insertEmail(tx, email)
  const last = (await lastAskedOn(tx, invoiceId)) ?? askedOn
  const day = addDays(last > askedOn ? last : askedOn, 1)
  return insertEmail(tx, { ...email, askedOn: day, heldUntil: morningOf(day) })
}

/** The letter about an invoice that a cycle has made: one, however often that is repeated. */
export const ISSUED = { cause: 'issued', kind: 'ISSUED' } as const

/** An invoice that a cycle has made, with the language and the seller's name of its letters. */
export type Issued = Pick<Invoice, 'id' | 'sellerId' | 'customer'> & {
  language: Language
  sellerName: string | null
}

/** Queues e-mails to the customers of new invoices, in the caller's transaction. One without an address gets none. */
export async function queueIssued(tx: Db, invoices: readonly Issued[], at: number): Promise<void> {
  const createdAt = databaseNow()
  const askedOn = dayOf(at)
  const emails = invoices.flatMap(({ id: invoiceId, sellerId, customer: { email }, language, sellerName }) =>
    email
      ? [{ ...ISSUED, sellerId, invoiceId, language, sellerName, recipient: email, createdAt, askedOn }]
      : [],
  )
  await insertEmails(tx, emails)
}
