import type { Db } from '@cofre/platform/postgres/postgres'

/** Whose calls a token admits, and the version of the account that it was given for. */
export type TokenOwner = { accountId: number; accountVersion: number; partner: string }

/** A token as stored. `usableUntil`: epoch milliseconds. */
export type SealedToken = { sealed: Buffer; dataKeyId: string; usableUntil: number }

/** A breach of this constraint means that the data key was destroyed meanwhile. */
export const TOKEN_KEY_CONSTRAINT = 'access_tokens_data_key'

/** Finds the token of an owner that is still usable. */
export async function findToken(db: Db, owner: TokenOwner): Promise<SealedToken | undefined> {
  const { rows } = await db.query<SealedToken>({
    name: 'find-token',
    text: `SELECT sealed, data_key_id AS "dataKeyId", floor(extract(epoch FROM usable_until) * 1000)::bigint AS "usableUntil"
      FROM access_tokens WHERE account_id = $1 AND partner = $2 AND account_version = $3 AND usable_until > now()`,
    values: [owner.accountId, owner.partner, owner.accountVersion],
  })
  return rows[0]
}

/** Saves a token in place of an older one, unless the account was replaced or removed meanwhile. */
export async function saveToken(db: Db, owner: TokenOwner, token: SealedToken): Promise<void> {
  await db.query(
    `INSERT INTO access_tokens (account_id, partner, account_version, sealed, data_key_id, usable_until)
     SELECT id, $2, version, $4, $5, to_timestamp($6::float8 / 1000) FROM accounts WHERE id = $1 AND version = $3
     ON CONFLICT ON CONSTRAINT access_tokens_owner DO UPDATE
       SET account_version = excluded.account_version, sealed = excluded.sealed,
         data_key_id = excluded.data_key_id, usable_until = excluded.usable_until`,
    [owner.accountId, owner.partner, owner.accountVersion, token.sealed, token.dataKeyId, token.usableUntil],
  )
}

/** Deletes the token with this ciphertext; another one, of another replica, stays. */
export async function deleteToken(db: Db, owner: TokenOwner, sealed: Buffer): Promise<void> {
  await db.query('DELETE FROM access_tokens WHERE account_id = $1 AND partner = $2 AND sealed = $3', [
    owner.accountId,
    owner.partner,
    sealed,
  ])
}
