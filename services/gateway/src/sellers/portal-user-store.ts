import { DomainError } from '@cofre/platform/errors'
import { breaches, type Pool } from '@cofre/platform/postgres/postgres'

export type PortalUser = {
  id: number
  sellerId: number
  email: string
  passwordHash: string
  /** Epoch milliseconds. */
  createdAt: number
}

type Row = { id: number; seller_id: number; email: string; password_hash: string; created_at: Date }

const COLUMNS = 'id, seller_id, email, password_hash, created_at'
const MAX_LISTED = 500

/** Throws a conflict when the e-mail has an account already, NOT_FOUND when there is no such seller. */
export async function insertPortalUser(
  pool: Pool,
  user: Omit<PortalUser, 'id' | 'createdAt'>,
): Promise<PortalUser> {
  try {
    const { rows } = await pool.query<Row>(
      `INSERT INTO portal_users (seller_id, email, password_hash) VALUES ($1, $2, $3)
       RETURNING ${COLUMNS}`,
      [user.sellerId, user.email.toLowerCase(), user.passwordHash],
    )
    return toUser(rows[0] as Row)
  } catch (error) {
    if (breaches(error, 'portal_users_email')) {
      throw new DomainError('conflict', 'EMAIL_TAKEN', 'This e-mail address already has an account.')
    }
    if (breaches(error, 'portal_users_seller_id_fkey')) {
      throw new DomainError('not_found', 'NOT_FOUND', 'There is no such seller.')
    }
    throw error
  }
}

export async function findPortalUser(pool: Pool, email: string): Promise<PortalUser | undefined> {
  const { rows } = await pool.query<Row>(`SELECT ${COLUMNS} FROM portal_users WHERE email = $1`, [
    email.toLowerCase(),
  ])
  return rows[0] && toUser(rows[0])
}

/** Returns portal users after an id, oldest first, at most 500; without `sellerId`, those of all sellers. */
export async function listPortalUsers(
  pool: Pool,
  sellerId?: number,
  after = 0,
): Promise<{ users: PortalUser[]; more: boolean }> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM portal_users WHERE ($1::bigint IS NULL OR seller_id = $1) AND id > $2
     ORDER BY id LIMIT ${MAX_LISTED + 1}`,
    [sellerId ?? null, after],
  )
  return { users: rows.slice(0, MAX_LISTED).map(toUser), more: rows.length > MAX_LISTED }
}

function toUser(row: Row): PortalUser {
  return {
    id: row.id,
    sellerId: row.seller_id,
    email: row.email,
    passwordHash: row.password_hash,
    createdAt: row.created_at.getTime(),
  }
}
