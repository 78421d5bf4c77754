import type { Db, Pool } from '@cofre/platform/postgres/postgres'

/** A session ends after 8 hours without use, and 7 days after the sign-in. */
const IDLE = "interval '8 hours'"
const AT_MOST = "interval '7 days'"
const MAX_SWEPT = 500

export type SessionRow = {
  userId: number
  email: string
  sellerId: number
  sellerName: string
  hasFlash: boolean
}

/**
 * Opens a session for a user whose password is still the checked one: a concurrent change of password ends this session
 * too. False when the password has changed. Deletes sessions that have ended.
 */
export async function insertSession(
  db: Db,
  session: { idHash: Buffer; userId: number; passwordHash: string },
): Promise<boolean> {
  await db.query(
    `DELETE FROM portal_sessions WHERE id_hash IN (
       SELECT id_hash FROM portal_sessions WHERE expires_at < now() LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED)`,
  )
  const { rowCount } = await db.query(
    `INSERT INTO portal_sessions (id_hash, user_id, expires_at)
     SELECT $1, id, now() + ${IDLE} FROM portal_users WHERE id = $2 AND password_hash = $3 FOR SHARE`,
    [session.idHash, session.userId, session.passwordHash],
  )
  return rowCount === 1
}

/** Returns the session if it has not ended, and notes its use once a minute. */
export async function findSession(pool: Pool, idHash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await pool.query<SessionRow & { stale: boolean }>(
    `SELECT u.id AS "userId", u.email, u.seller_id AS "sellerId", r.name AS "sellerName",
       s.flash IS NOT NULL AS "hasFlash", s.last_seen_at < now() - interval '1 minute' AS stale
     FROM portal_sessions s JOIN portal_users u ON u.id = s.user_id JOIN sellers r ON r.id = u.seller_id
     WHERE s.id_hash = $1 AND s.expires_at > now()`,
    [idHash],
  )
  const [row] = rows
  if (!row) return undefined
  const { stale, ...session } = row
  if (stale) {
    await pool.query(
      `UPDATE portal_sessions
       SET last_seen_at = now(), expires_at = least(now() + ${IDLE}, created_at + ${AT_MOST})
       WHERE id_hash = $1`,
      [idHash],
    )
  }
  return session
}

export async function deleteSession(pool: Pool, idHash: Buffer): Promise<void> {
  await pool.query('DELETE FROM portal_sessions WHERE id_hash = $1', [idHash])
}

/** Ends every session of a user. */
export async function deleteSessions(db: Db, userId: number): Promise<void> {
  await db.query('DELETE FROM portal_sessions WHERE user_id = $1', [userId])
}

export async function saveFlash(pool: Pool, idHash: Buffer, flash: Buffer): Promise<void> {
  await pool.query('UPDATE portal_sessions SET flash = $2 WHERE id_hash = $1', [idHash, flash])
}

/** Returns the saved flash and deletes it: of two concurrent requests, one gets it. */
export async function takeFlash(pool: Pool, idHash: Buffer): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ flash: Buffer }>(
    `WITH saved AS (
       SELECT id_hash, flash FROM portal_sessions WHERE id_hash = $1 AND flash IS NOT NULL FOR UPDATE)
     UPDATE portal_sessions s SET flash = NULL FROM saved WHERE s.id_hash = saved.id_hash RETURNING saved.flash`,
    [idHash],
  )
  return rows[0]?.flash
}

/** False when this browser sent the same form last. */
export async function claimForm(pool: Pool, idHash: Buffer, form: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE portal_sessions SET last_form = $2 WHERE id_hash = $1 AND last_form IS DISTINCT FROM $2',
    [idHash, form],
  )
  return rowCount === 1
}

export async function releaseForm(pool: Pool, idHash: Buffer, form: Buffer): Promise<void> {
  await pool.query('UPDATE portal_sessions SET last_form = NULL WHERE id_hash = $1 AND last_form = $2', [
    idHash,
    form,
  ])
}
