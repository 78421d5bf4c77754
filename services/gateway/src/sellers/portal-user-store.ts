import { DomainError, notFound } from '@cofre/platform/errors'
import { breaches, withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Role } from './roles'

export type PortalUser = {
  id: number
  sellerId: number
  email: string
  role: Role
  /** Null until an invited person chooses a password. */
  passwordHash: string | null
  /** Epoch milliseconds. Null: the person may sign in. */
  disabledAt: number | null
  /** Epoch milliseconds. */
  createdAt: number
}

type Row = {
  id: number
  seller_id: number
  email: string
  role: Role
  password_hash: string | null
  disabled_at: Date | null
  created_at: Date
}

const COLUMNS = 'id, seller_id, email, role, password_hash, disabled_at, created_at'
const MAX_LISTED = 500

/** Throws a conflict when the e-mail has an account already, NOT_FOUND when there is no such seller. */
export async function insertPortalUser(
  pool: Pool,
  user: Pick<PortalUser, 'sellerId' | 'email' | 'passwordHash'> & { role?: Role },
): Promise<PortalUser> {
  try {
    const { rows } = await pool.query<Row>(
      `INSERT INTO portal_users (seller_id, email, password_hash, role) VALUES ($1, $2, $3, $4)
       RETURNING ${COLUMNS}`,
      [user.sellerId, user.email.toLowerCase(), user.passwordHash, user.role ?? 'OWNER'],
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

/** A user by its id; undefined when the seller has none with it. Without `sellerId`, of any seller. */
export async function findPerson(db: Db, id: number, sellerId?: number): Promise<PortalUser | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM portal_users WHERE id = $1 AND ($2::bigint IS NULL OR seller_id = $2)`,
    [id, sellerId ?? null],
  )
  return rows[0] && toUser(rows[0])
}

/** `removed`: the row goes; what it did stays in the audit. */
export type PersonChange = { role: Role } | { disabled: boolean } | { removed: true }

/**
 * Changes a user of a seller. A disabled or removed one is signed out everywhere. Throws LAST_OWNER when nobody could
 * manage people afterwards, NOT_FOUND when the seller has no such user.
 */
export function changePerson(pool: Pool, user: PortalUser, change: PersonChange): Promise<void> {
  const { id, sellerId } = user
  return withTransaction(pool, async (tx) => {
    // All owners at once: of two that disable each other, one is refused.
    const { rows: owners } = await tx.query<{ id: number }>(
      `SELECT id FROM portal_users WHERE seller_id = $1 AND role = 'OWNER' AND disabled_at IS NULL
       ORDER BY id FOR UPDATE`,
      [sellerId],
    )
    const staysOwner = 'role' in change ? change.role === 'OWNER' : 'disabled' in change && !change.disabled
    if (!staysOwner && owners.length === 1 && owners[0]?.id === id) {
      const message = 'This is the only owner. Make another person an owner first.'
      throw new DomainError('failed_precondition', 'LAST_OWNER', message)
    }
    const changed = await apply(tx, user, change)
    if (!changed) throw notFound('There is no such user.')
    if ('disabled' in change && change.disabled) {
      await tx.query('DELETE FROM portal_sessions WHERE user_id = $1', [id])
    }
  })
}

async function apply(tx: Db, { id, sellerId }: PortalUser, change: PersonChange): Promise<boolean> {
  const [set, value] =
    'role' in change
      ? ['role = $3', change.role]
      : [
          'disabled_at = CASE WHEN $3 THEN coalesce(disabled_at, now()) END',
          'disabled' in change && change.disabled,
        ]
  const { rowCount } =
    'removed' in change
      ? await tx.query('DELETE FROM portal_users WHERE id = $1 AND seller_id = $2', [id, sellerId])
      : await tx.query(`UPDATE portal_users SET ${set} WHERE id = $1 AND seller_id = $2`, [
          id,
          sellerId,
          value,
        ])
  return rowCount === 1
}

/** Keeps the secret of a link by which the user chooses a password. An older link ends. */
export async function saveLink(db: Db, id: number, linkHash: Buffer, endsAt: number): Promise<void> {
  await db.query('UPDATE portal_users SET link_hash = $2, link_ends_at = $3 WHERE id = $1', [
    id,
    linkHash,
    new Date(endsAt),
  ])
}

/** The user whose link this is, unless it has ended. */
export async function findByLink(db: Db, linkHash: Buffer): Promise<PortalUser | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM portal_users WHERE link_hash = $1 AND link_ends_at > now() AND disabled_at IS NULL`,
    [linkHash],
  )
  return rows[0] && toUser(rows[0])
}

/** Sets the password of a link's user, once, and ends every session. False: the link was used, or has ended. */
export function chooseByLink(pool: Pool, linkHash: Buffer, passwordHash: string): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(
      `UPDATE portal_users SET password_hash = $2, link_hash = NULL, link_ends_at = NULL
       WHERE link_hash = $1 AND link_ends_at > now() AND disabled_at IS NULL RETURNING id`,
      [linkHash, passwordHash],
    )
    if (!rows[0]) return false
    await tx.query('DELETE FROM portal_sessions WHERE user_id = $1', [rows[0].id])
    return true
  })
}

/** All users of a seller, as many at once as a list has. */
export async function* pagesOfUsers(pool: Pool, sellerId: number): AsyncGenerator<readonly PortalUser[]> {
  for (let after = 0, isMore = true; isMore;) {
    const { users, more } = await listPortalUsers(pool, sellerId, after)
    if (users.length > 0) yield users
    after = users.at(-1)?.id ?? after
    isMore = more
  }
}

function toUser(row: Row): PortalUser {
  return {
    id: row.id,
    sellerId: row.seller_id,
    email: row.email,
    role: row.role,
    passwordHash: row.password_hash,
    disabledAt: row.disabled_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
  }
}
