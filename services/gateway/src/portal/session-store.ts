import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Role } from '../sellers/roles'

/** A session ends after 8 hours without use, and 7 days after the sign-in. */
const IDLE = "interval '8 hours'"
const AT_MOST = "interval '7 days'"
/** Within this time after the password, the code is typed. */
const AWAITING = "interval '10 minutes'"
const MAX_SWEPT = 500

export type SessionRow = {
  userId: number
  email: string
  sellerId: number
  sellerName: string
  role: Role
  hasFlash: boolean
  /** A code is awaited: nothing is shown yet. */
  awaitsCode: boolean
  /** The seller asks its users for two steps, and this one has not set them up. */
  mustSetUp: boolean
}

/** Where a person signed in, in words that the person recognises. */
export type SignedInFrom = { address: string; browser: string }

/**
 * Opens a session for a user whose password is still the checked one. It awaits a code where the user has an app, unless
 * `isVerified`. A concurrent change of password ends this session too. False when the password has changed. Deletes
 * sessions that have ended.
 */
export async function insertSession(
  db: Db,
  session: {
    idHash: Buffer
    userId: number
    passwordHash: string
    isVerified?: boolean
    from: SignedInFrom
  },
): Promise<boolean> {
  await db.query(
    `DELETE FROM portal_sessions WHERE id_hash IN (
       SELECT id_hash FROM portal_sessions WHERE expires_at < now() LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED)`,
  )
  const { rowCount } = await db.query(
    `INSERT INTO portal_sessions (id_hash, user_id, awaits_code, address, browser, expires_at)
     SELECT $1, id, totp_secret IS NOT NULL AND NOT $4, $5, $6,
       now() + CASE WHEN totp_secret IS NOT NULL AND NOT $4 THEN ${AWAITING} ELSE ${IDLE} END
     FROM portal_users WHERE id = $2 AND disabled_at IS NULL AND password_hash = $3 FOR SHARE`,
    [
      session.idHash,
      session.userId,
      session.passwordHash,
      session.isVerified ?? false,
      session.from.address,
      session.from.browser,
    ],
  )
  return rowCount === 1
}

/** Returns the session if it has not ended, and notes its use once a minute. */
export async function findSession(pool: Pool, idHash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await pool.query<SessionRow & { stale: boolean }>(
    `SELECT u.id AS "userId", u.email, u.seller_id AS "sellerId", r.name AS "sellerName", u.role,
       s.flash IS NOT NULL AS "hasFlash", s.awaits_code AS "awaitsCode",
       r.two_steps AND u.totp_secret IS NULL AS "mustSetUp", s.last_seen_at < now() - interval '1 minute' AND NOT s.awaits_code AS stale
     FROM portal_sessions s JOIN portal_users u ON u.id = s.user_id JOIN sellers r ON r.id = u.seller_id
     WHERE s.id_hash = $1 AND s.expires_at > now() AND u.disabled_at IS NULL`,
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

/** The code was right: the session shows pages from now on. */
export async function completeSession(pool: Pool, idHash: Buffer): Promise<void> {
  await pool.query(
    `UPDATE portal_sessions SET awaits_code = false, created_at = now(), expires_at = now() + ${IDLE}
     WHERE id_hash = $1 AND awaits_code`,
    [idHash],
  )
}

export async function deleteSession(pool: Pool, idHash: Buffer): Promise<void> {
  await pool.query('DELETE FROM portal_sessions WHERE id_hash = $1', [idHash])
}

/** Ends every session of a user. */
export async function deleteSessions(db: Db, userId: number): Promise<void> {
  await db.query('DELETE FROM portal_sessions WHERE user_id = $1', [userId])
}

export type ShownSession = SignedInFrom & {
  /** The start of the hash of its id: enough to name it among one user's, and no cookie. */
  name: string
  idHash: Buffer
  createdAt: Date
  lastSeenAt: Date
}

/** Returns the sessions of a user that have not ended, the latest used first. */
export async function listSessions(pool: Pool, userId: number): Promise<ShownSession[]> {
  const { rows } = await pool.query<ShownSession>(
    `SELECT left(encode(id_hash, 'hex'), 16) AS name, id_hash AS "idHash", address, browser,
       created_at AS "createdAt", last_seen_at AS "lastSeenAt"
     FROM portal_sessions WHERE user_id = $1 AND expires_at > now() AND NOT awaits_code
     ORDER BY last_seen_at DESC LIMIT 50`,
    [userId],
  )
  return rows
}

/** Ends one session of a user, by the name that its list gives. */
export async function endSession(pool: Pool, userId: number, name: string): Promise<void> {
  await pool.query(
    `DELETE FROM portal_sessions WHERE user_id = $1 AND left(encode(id_hash, 'hex'), 16) = $2`,
    [userId, name],
  )
}

/** True when the person with this e-mail has signed in with this browser. */
export async function isKnownBrowser(pool: Pool, email: string, idHash: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM portal_browsers b JOIN portal_users u ON u.id = b.user_id
     WHERE u.email = lower($1) AND b.id_hash = $2`,
    [email, idHash],
  )
  return rowCount === 1
}

/** Keeps a browser of a person, and forgets those unused for a number of days. */
export async function keepBrowser(pool: Pool, userId: number, idHash: Buffer, days: number): Promise<void> {
  await pool.query(
    `WITH gone AS (
       DELETE FROM portal_browsers WHERE user_id = $1 AND seen_at < now() - make_interval(days => $3))
     INSERT INTO portal_browsers (user_id, id_hash) VALUES ($1, $2)
     ON CONFLICT (user_id, id_hash) DO UPDATE SET seen_at = now()`,
    [userId, idHash, days],
  )
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
