import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { EmailStatus, Language } from '../email/email'

/** A disabled endpoint, and why it was disabled. `at`: epoch milliseconds. */
export type DisabledEndpoint = { endpointId: number; url: string; reason: 'GONE' | 'FAILING'; at: number }

/**
 * An e-mail to a seller's users. `cause`: its reason; each sends one to an address. `createdAt`: epoch milliseconds.
 */
export type NewUserLetter = {
  sellerId: number
  cause: string
  recipients: readonly string[]
  language: Language
  facts: DisabledEndpoint
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

/** Ends an e-mail with its final status. */
export async function settleUserLetter(
  pool: Pool,
  id: number,
  status: Exclude<EmailStatus, 'WAITING'>,
): Promise<void> {
  await pool.query(
    `UPDATE user_letters SET status = $2, ask_at = NULL WHERE id = $1 AND status = 'WAITING'`,
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

/** How many seconds the oldest waiting e-mail has waited; 0 when none waits. */
export async function oldestUserLetterAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ age: number }>(
    `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
     FROM user_letters WHERE ask_at IS NOT NULL`,
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
