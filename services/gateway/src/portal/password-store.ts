import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import { deleteSessions, insertSession, type SignedInFrom } from './session-store'

/**
 * Replaces the password, and every session of the user by one new session. False when the password is no longer the
 * checked one: of two concurrent changes, one holds.
 */
export function replacePassword(
  pool: Pool,
  change: { userId: number; oldHash: string; newHash: string; newSessionIdHash: Buffer; from: SignedInFrom },
): Promise<boolean> {
  const { userId, oldHash, newHash, newSessionIdHash, from } = change
  return withTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      'UPDATE portal_users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
      [userId, oldHash, newHash],
    )
    if (rowCount !== 1) return false
    await deleteSessions(tx, userId)
    return insertSession(tx, {
      idHash: newSessionIdHash,
      userId,
      passwordHash: newHash,
      isVerified: true,
      from,
    })
  })
}
