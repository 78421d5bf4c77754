import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { JWK } from 'jose'

export type SigningKeyRow = { kid: string; publicJwk: JWK; privateJwk: Buffer }

export async function findCurrentKey(pool: Pool): Promise<SigningKeyRow | undefined> {
  const { rows } = await pool.query<SigningKeyRow>(
    `SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk" FROM signing_keys WHERE retired_at IS NULL`,
  )
  return rows[0]
}

/** Returns every public key whose tokens may still arrive, newest first. Revoked keys are left out. */
export async function listPublicKeys(pool: Pool): Promise<{ kid: string; publicJwk: JWK }[]> {
  const { rows } = await pool.query<{ kid: string; publicJwk: JWK }>(
    'SELECT kid, public_jwk AS "publicJwk" FROM signing_keys WHERE revoked_at IS NULL ORDER BY created_at DESC LIMIT 100',
  )
  return rows
}

/**
 * Makes the key the current one and destroys the private part of the former one. With `unlessOne`, only when there is
 * no current key: several processes may start at once. Deletes retired keys 30 days after their last token ended.
 * Revoked keys stay on record.
 */
export async function insertSigningKey(
  pool: Pool,
  key: SigningKeyRow,
  options: { unlessOne?: boolean } = {},
): Promise<void> {
  await withTransaction(pool, async (tx) => {
    await lockKeys(tx)
    const { rowCount } = await tx.query('SELECT 1 FROM signing_keys WHERE retired_at IS NULL')
    if (options.unlessOne && rowCount) return
    await replaceKey(tx, key)
    await tx.query(
      `DELETE FROM signing_keys k WHERE retired_at < now() - interval '30 days' AND revoked_at IS NULL AND NOT EXISTS (
         SELECT FROM api_tokens t WHERE t.kid = k.kid
           AND coalesce(least(t.expires_at, t.revoked_at), 'infinity') > now() - interval '30 days')`,
    )
  })
}

export type Revocation = { kid: string; by: string; reason: string }

/**
 * Revokes a key and every token made under it. If it is the current key, `successor` takes its place. A repeat changes
 * nothing. Returns the number of revoked tokens, undefined when there is no such key.
 */
export async function revokeKey(
  pool: Pool,
  { kid, by, reason }: Revocation,
  successor: SigningKeyRow,
): Promise<number | undefined> {
  return withTransaction(pool, async (tx) => {
    await lockKeys(tx)
    const { rows } = await tx.query<{ current: boolean }>(
      'SELECT retired_at IS NULL AS current FROM signing_keys WHERE kid = $1',
      [kid],
    )
    if (!rows[0]) return undefined
    if (rows[0].current) await replaceKey(tx, successor)
    await tx.query(
      `UPDATE signing_keys SET revoked_at = now(), revoked_by = $2, revocation_reason = $3
       WHERE kid = $1 AND revoked_at IS NULL`,
      [kid, by, reason],
    )
    const { rowCount } = await tx.query(
      'UPDATE api_tokens SET revoked_at = now() WHERE kid = $1 AND revoked_at IS NULL',
      [kid],
    )
    return rowCount ?? 0
  })
}

/** Lets one transaction at a time change the keys. */
async function lockKeys(tx: Db): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('signing_keys'))")
}

async function replaceKey(tx: Db, { kid, publicJwk, privateJwk }: SigningKeyRow): Promise<void> {
  await tx.query('UPDATE signing_keys SET retired_at = now(), private_jwk = NULL WHERE retired_at IS NULL')
  await tx.query('INSERT INTO signing_keys (kid, public_jwk, private_jwk) VALUES ($1, $2, $3)', [
    kid,
    JSON.stringify(publicJwk),
    privateJwk,
  ])
}
