import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { EmailStatus, Language } from '../queue/email'

/** A disabled endpoint, and why it was disabled. `at`: epoch milliseconds. */
export type DisabledEndpoint = {
  about: 'endpoint'
  endpointId: number
  url: string
  reason: 'GONE' | 'FAILING'
  at: number
}

/** A dispute that was opened, or whose last day comes (`isReminder`). Cents; texts are empty where nothing is known. */
export type DisputeFacts = {
  about: 'dispute'
  isReminder: boolean
  disputeId: number
  chargeId: number | null
  amount: number
  /** Whether money was taken back. */
  withdrawn: boolean
  needsResponse: boolean
  /** YYYY-MM-DD. */
  respondBy: string
  customer: string
  invoiceNumber: string
  orderReference: string
  card: string
  reason: string
}

/** The link by which a person chooses a password. `endsAt`: epoch milliseconds. */
export type PasswordLink = {
  about: 'password'
  path: string
  isInvitation: boolean
  sellerName: string
  endsAt: number
}

/** What a letter tells. */
export type UserLetterFacts = DisabledEndpoint | DisputeFacts | PasswordLink

/**
 * An e-mail to a seller's users. `cause`: its reason; each sends one to an address. `createdAt`: epoch milliseconds.
 */
export type NewUserLetter = {
  sellerId: number
  cause: string
  recipients: readonly string[]
  language: Language
  facts: UserLetterFacts
  createdAt: number
}

/** An e-mail that is due. `asks`: how often it was taken, this time included. */
export type DueUserLetter = Omit<NewUserLetter, 'recipients' | 'cause'> & {
  id: number
  recipient: string
  messageId: string
  asks: number
}

/** Writes the e-mails that this cause has not written yet. */
export async function insertUserLetters(
  pool: Pool,
  { sellerId, cause, recipients, language, facts, createdAt }: NewUserLetter,
): Promise<void> {
  await pool.query(
    `INSERT INTO user_letters (seller_id, cause, recipient, language, facts, ask_at, created_at)
     SELECT $1, $2, recipient, $4, $5, $6, $6 FROM unnest($3::text[]) AS recipient
     ON CONFLICT ON CONSTRAINT user_letters_cause DO NOTHING`,
    [sellerId, cause, recipients, language, JSON.stringify(facts), new Date(createdAt)],
  )
}

const DUE = `id, seller_id AS "sellerId", recipient, language, facts, message_id AS "messageId", asks,
  (extract(epoch FROM created_at) * 1000)::bigint AS "createdAt"`

/** Takes e-mails that are due, for this caller alone until the lease ends. */
export function leaseUserLetters(pool: Pool, lease: Lease): Promise<DueUserLetter[]> {
  return leaseDue(pool, { table: 'user_letters', key: 'id', returning: DUE }, lease)
}

/** Ends an e-mail with its final status, and forgets the secret of a link. */
export async function endUserLetter(
  pool: Pool,
  id: number,
  status: Exclude<EmailStatus, 'WAITING'>,
): Promise<void> {
  await pool.query(
    `UPDATE user_letters SET status = $2, ask_at = NULL,
       facts = CASE facts->>'about' WHEN 'password' THEN '{}' ELSE facts END
     WHERE id = $1 AND status = 'WAITING'`,
    [id, status],
  )
}

/** Postpones an e-mail to a moment (epoch milliseconds). */
export async function postponeUserLetter(pool: Pool, id: number, at: number): Promise<void> {
  await pool.query(`UPDATE user_letters SET ask_at = $2 WHERE id = $1 AND status = 'WAITING'`, [
    id,
    new Date(at),
  ])
}

/** How many seconds the oldest waiting e-mail, or notice without its addresses, has waited; 0 when none waits. */
export async function oldestUserLetterAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ age: number }>(
    `SELECT coalesce(extract(epoch FROM now() - least(
       (SELECT min(created_at) FROM user_letters WHERE ask_at IS NOT NULL),
       (SELECT min(created_at) FROM dispute_notices))), 0)::float8 AS age`,
  )
  return rows[0]?.age ?? 0
}

/** Forgets e-mails older than 30 days, with their addresses. Returns how many. */
export async function forgetUserLetters(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM user_letters WHERE id IN (
       SELECT id FROM user_letters WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT 1000)`,
  )
  return rowCount ?? 0
}
