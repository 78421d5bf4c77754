import type { Db } from '@cofre/platform/postgres/postgres'

/** The sealed secret of a user's app; null: the user signs in with the password alone. */
export async function findTotp(db: Db, userId: number): Promise<Buffer | null> {
  const { rows } = await db.query<{ totp_secret: Buffer | null }>(
    'SELECT totp_secret FROM portal_users WHERE id = $1',
    [userId],
  )
  return rows[0]?.totp_secret ?? null
}

/** Turns two-step sign-in on. False: it is on already. `recovery`: hashes of the recovery codes. */
export async function turnOn(
  db: Db,
  userId: number,
  { sealed, step, recovery }: { sealed: Buffer; step: number; recovery: readonly Buffer[] },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE portal_users SET totp_secret = $2, totp_step = $3, recovery_hashes = $4
     WHERE id = $1 AND totp_secret IS NULL`,
    [userId, sealed, step, recovery],
  )
  return rowCount === 1
}

export async function turnOff(db: Db, userId: number): Promise<void> {
  await db.query(
    `UPDATE portal_users SET totp_secret = NULL, totp_step = NULL, recovery_hashes = '{}' WHERE id = $1`,
    [userId],
  )
}

/** Takes the code of a step, once: whoever saw it typed can't use it again. */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE portal_users SET totp_step = $2 WHERE id = $1 AND totp_step < $2',
    [userId, step],
  )
  return rowCount === 1
}

/** Takes a recovery code, once. */
export async function takeRecovery(db: Db, userId: number, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE portal_users SET recovery_hashes = array_remove(recovery_hashes, $2)
     WHERE id = $1 AND $2 = ANY (recovery_hashes)`,
    [userId, hash],
  )
  return rowCount === 1
}

/** Whether every user of a seller must sign in with two steps. */
export async function requireTwoSteps(db: Db, sellerId: number, isRequired: boolean): Promise<void> {
  await db.query('UPDATE sellers SET two_steps = $2 WHERE id = $1', [sellerId, isRequired])
}
