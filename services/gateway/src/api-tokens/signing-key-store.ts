import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import type { JWK } from 'jose'

export type SigningKeyRow = { kid: string; publicJwk: JWK; privateJwk: Buffer }

export async function findCurrentKey(pool: Pool): Promise<SigningKeyRow | undefined> {
  const { rows } = await pool.query<SigningKeyRow>(
    `SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk" FROM signing_keys WHERE retired_at IS NULL`,
  )
  return rows[0]
}

/** Every public key whose tokens may still be shown to us, newest first. */
export async function listPublicKeys(pool: Pool): Promise<{ kid: string; publicJwk: JWK }[]> {
  const { rows } = await pool.query<{ kid: string; publicJwk: JWK }>(
    'SELECT kid, public_jwk AS "publicJwk" FROM signing_keys ORDER BY created_at DESC LIMIT 100',
  )
  return rows
}

/**
 * Makes the key the current one and destroys the private part of the one before. `unlessOne`: only when there is no
 * current key yet, as when several processes start at once. Retired keys go 30 days after their last token ended.
 */
export async function insertSigningKey(
  pool: Pool,
  key: SigningKeyRow,
  options: { unlessOne?: boolean } = {},
): Promise<void> {
  await withTransaction(pool, async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('signing_keys'))")
    const { rowCount } = await tx.query('SELECT 1 FROM signing_keys WHERE retired_at IS NULL')
    if (options.unlessOne && rowCount) return
    await tx.query('UPDATE signing_keys SET retired_at = now(), private_jwk = NULL WHERE retired_at IS NULL')
    await tx.query('INSERT INTO signing_keys (kid, public_jwk, private_jwk) VALUES ($1, $2, $3)', [
      key.kid,
      JSON.stringify(key.publicJwk),
      key.privateJwk,
    ])
    await tx.query(
      `DELETE FROM signing_keys k WHERE retired_at < now() - interval '30 days' AND NOT EXISTS (
         SELECT FROM api_tokens t WHERE t.kid = k.kid
           AND coalesce(least(t.expires_at, t.revoked_at), 'infinity') > now() - interval '30 days')`,
    )
  })
}
