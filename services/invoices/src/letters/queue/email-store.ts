import { randomUUID } from 'node:crypto'
import type { CalendarDay } from '@cofre/platform/calendar-day'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Invoice } from '../../invoice/rules/invoice'
import type { EmailKind, EmailStatus, Language, RefundFacts } from './email'

/** An e-mail to be sent. `cause`: its reason; each sends one e-mail of an invoice. */
export type NewEmail = {
  sellerId: number
  invoiceId: number
  cause: string
  kind: EmailKind
  language: Language
  recipient: string
  /** Null: the letter names no seller. */
  sellerName: string | null
  /** The attempt to pay that it reports. Undefined: it is about the invoice. */
  transactionId?: number | undefined
  /** With REFUNDED. */
  facts?: RefundFacts | undefined
  /** Epoch milliseconds. It leaves after `askAt`; without it, at once. */
  createdAt: number
  askAt?: number | undefined
  /** The day on which it asks for payment. Null: it reports what happened. */
  askedOn: CalendarDay | null
  /** When it leaves by the billing clock, epoch milliseconds. Undefined: it is not held. */
  heldUntil?: number | undefined
}

/** An e-mail that is due. `asks`: how often it was taken, this time included. */
export type DueEmail = Omit<
  NewEmail,
  'cause' | 'transactionId' | 'facts' | 'askAt' | 'askedOn' | 'heldUntil'
> & {
  id: number
  transactionId: number | null
  facts: RefundFacts | null
  messageId: string
  asks: number
}

/** The prefix of the cause of an e-mail that a seller asked for. */
const BY_HAND = 'asked:'

/** The cause of an e-mail that a seller asked for: each request has its own. */
export function newCauseByHand(): string {
  return `${BY_HAND}${randomUUID()}`
}

/**
 * Writes an e-mail in the transaction of its cause. False when this cause has its e-mail already, or when the payer was
 * asked for payment on that day: only by hand a second letter asks.
 */
export async function insertEmail(tx: Db, email: NewEmail): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-email',
    text: `INSERT INTO emails (seller_id, invoice_id, cause, kind, language, recipient, seller_name, message_id, status,
        asks, ask_at, created_at, transaction_id, facts, asked_on, held_until)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, 'WAITING', 0, $12, $9, $10, $11, $13::date, $14::timestamptz
      WHERE $13::date IS NULL OR $3 LIKE '${BY_HAND}%'
        OR NOT EXISTS (SELECT FROM emails e WHERE e.invoice_id = $2 AND e.asked_on = $13::date)
      ON CONFLICT DO NOTHING`,
    values: [
      email.sellerId,
      email.invoiceId,
      email.cause,
      email.kind,
      email.language,
      email.recipient,
      email.sellerName,
      randomUUID(),
      new Date(email.createdAt),
      email.transactionId ?? null,
      email.facts ? JSON.stringify(email.facts) : null,
      email.heldUntil === undefined ? new Date(email.askAt ?? email.createdAt) : 'infinity',
      email.askedOn,
      email.heldUntil === undefined ? null : new Date(email.heldUntil),
    ],
  })
  return rowCount === 1
}

/** Writes many e-mails in one statement. A cause that has its e-mail already is left out. */
export async function insertEmails(tx: Db, emails: readonly NewEmail[]): Promise<void> {
  if (emails.length === 0) return
  const rows = emails.map((email) => ({
    seller_id: email.sellerId,
    invoice_id: email.invoiceId,
    cause: email.cause,
    kind: email.kind,
    language: email.language,
    recipient: email.recipient,
    seller_name: email.sellerName,
    message_id: randomUUID(),
    created_at: new Date(email.createdAt).toISOString(),
    asked_on: email.askedOn,
  }))
  await tx.query({
    name: 'insert-emails',
    text: `INSERT INTO emails (seller_id, invoice_id, cause, kind, language, recipient, seller_name, message_id, status,
        asks, ask_at, created_at, asked_on)
      SELECT seller_id, invoice_id, cause, kind, language, recipient, seller_name, message_id, 'WAITING', 0, created_at,
        created_at, asked_on
      FROM json_populate_recordset(null::emails, $1::json) ON CONFLICT DO NOTHING`,
    values: [JSON.stringify(rows)],
  })
}

/**
 * The addressee of an invoice's letters. `recipient`: the customer's current address; of a deleted customer, the
 * printed one; null when there is none. The language is that of the recurring
 * invoice, if any; so is the seller's name, unless the invoice has its own.
 */
export type Addressee = { recipient: string | null; language: Language | null; sellerName: string | null }

type AddresseeRow = Omit<Addressee, 'recipient'> & { isKnown: boolean; email: string | null }

export async function findAddressee(
  db: Db,
  { id, customer }: Pick<Invoice, 'id' | 'customer'>,
): Promise<Addressee> {
  const { rows } = await db.query<AddresseeRow>({
    name: 'find-addressee',
    text: `SELECT c.id IS NOT NULL AS "isKnown", c.email, r.language, coalesce(i.seller_name, r.seller_name) AS "sellerName"
      FROM invoices i LEFT JOIN customers c ON c.id = i.customer_id AND c.seller_id = i.seller_id
        LEFT JOIN recurring_invoices r ON r.id = i.recurring_invoice_id
      WHERE i.id = $1`,
    values: [id],
  })
  const { isKnown = false, email = null, language = null, sellerName = null } = rows[0] ?? {}
  return { recipient: (isKnown ? email : customer.email) || null, language, sellerName }
}

/** Redirects waiting e-mails of a deleted customer to the address on their invoice. Without one, they end OUTDATED. */
export async function redirectEmails(
  tx: Db,
  { sellerId, customerId }: { sellerId: number; customerId: number },
): Promise<void> {
  await tx.query({
    name: 'redirect-emails',
    text: `UPDATE emails e SET recipient = coalesce(i.customer_email, e.recipient),
        status = (CASE WHEN i.customer_email IS NULL THEN 'OUTDATED' ELSE 'WAITING' END)::email_status,
        ask_at = CASE WHEN i.customer_email IS NOT NULL THEN e.ask_at END,
        held_until = CASE WHEN i.customer_email IS NOT NULL THEN e.held_until END,
        ended_at = CASE WHEN i.customer_email IS NULL THEN now() END
      FROM invoices i
      WHERE e.status = 'WAITING' AND e.seller_id = $2 AND i.id = e.invoice_id AND i.customer_id = $1`,
    values: [customerId, sellerId],
  })
}

/** The moments at which an invoice was mailed by hand since a moment, epoch milliseconds, the oldest first. */
export async function mailedByHand(db: Db, invoiceId: number, since: number): Promise<number[]> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'mailed-by-hand',
    text: `SELECT created_at AS at FROM emails
      WHERE invoice_id = $1 AND created_at > $2 AND cause LIKE '${BY_HAND}%' ORDER BY created_at LIMIT 100`,
    values: [invoiceId, new Date(since)],
  })
  return rows.map(({ at }) => at.getTime())
}

/** The last letter that asked for the payment of an invoice and was sent, or is being sent, of those that are kept. */
export async function lastAsking(
  db: Db,
  invoiceId: number,
): Promise<{ language: Language; sellerName: string | null } | undefined> {
  const { rows } = await db.query<{ language: Language; sellerName: string | null }>({
    name: 'last-asking',
    // The letter of a booklet is kept with the first of its invoices.
    text: `SELECT language, seller_name AS "sellerName" FROM emails
      WHERE (invoice_id = $1 AND kind IN ('ISSUED', 'REMINDER', 'DECLINED', 'NOT_COLLECTED', 'RETRY_PLANNED')
          OR kind = 'BOOKLET' AND invoice_id = (SELECT f.id FROM invoices i
            JOIN invoices f ON f.recurring_invoice_id = i.recurring_invoice_id AND f.cycle = 1 WHERE i.id = $1))
        AND (status = 'SENT' OR status = 'WAITING' AND asks > 0) ORDER BY id DESC LIMIT 1`,
    values: [invoiceId],
  })
  return rows[0]
}

export type ListedEmail = Pick<NewEmail, 'kind' | 'language' | 'recipient' | 'createdAt'> & {
  id: number
  status: EmailStatus
  /** Epoch milliseconds. Null while it waits. */
  endedAt: number | null
}

/** The latest 100 e-mails of an invoice that are kept, newest first. */
export async function listEmails(db: Db, invoiceId: number): Promise<ListedEmail[]> {
  const { rows } = await db.query<ListedEmail>({
    name: 'list-emails',
    text: `SELECT id, kind, language, recipient, status, (extract(epoch FROM created_at) * 1000)::bigint AS "createdAt",
        (extract(epoch FROM ended_at) * 1000)::bigint AS "endedAt"
      FROM emails WHERE invoice_id = $1 ORDER BY id DESC LIMIT 100`,
    values: [invoiceId],
  })
  return rows
}

const DUE = `id, seller_id AS "sellerId", invoice_id AS "invoiceId", kind, language, recipient, seller_name AS "sellerName",
  message_id AS "messageId", transaction_id AS "transactionId", facts, asks, (extract(epoch FROM created_at) * 1000)::bigint AS "createdAt"`

/** Takes e-mails that are due, for this caller alone until the lease ends. */
export function leaseEmails(pool: Pool, lease: Lease): Promise<DueEmail[]> {
  return leaseDue(pool, { table: 'emails', key: 'id', returning: DUE }, lease)
}

/** Ends an e-mail with its final status. */
export async function endEmail(db: Db, id: number, status: Exclude<EmailStatus, 'WAITING'>): Promise<void> {
  await db.query({
    name: 'end-email',
    text: `UPDATE emails SET status = $2, ask_at = NULL, ended_at = now() WHERE id = $1 AND status = 'WAITING'`,
    values: [id, status],
  })
}

/** Postpones an e-mail to a moment (epoch milliseconds). */
export async function postponeEmail(db: Db, id: number, at: number): Promise<void> {
  await db.query({
    name: 'postpone-email',
    text: `UPDATE emails SET ask_at = $2 WHERE id = $1 AND status = 'WAITING'`,
    values: [id, new Date(at)],
  })
}

/** The number of e-mails that wait to be sent and are not held, up to 10,000, and how many seconds the oldest has waited. */
export async function waitingEmails(db: Db): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(
    `SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
     FROM (SELECT created_at FROM emails WHERE status = 'WAITING' AND held_until IS NULL ORDER BY created_at
       LIMIT 10000) AS waiting`,
  )
  return rows[0] ?? { count: 0, oldestSeconds: 0 }
}

/** Forgets e-mails older than 30 days, with their addresses. Returns how many. */
export async function forgetEmails(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM emails WHERE id IN (
       SELECT id FROM emails WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT 1000)`,
  )
  return rowCount ?? 0
}
