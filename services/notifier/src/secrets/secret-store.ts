import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { newSecret } from './secret'

// Bounds the signature header of a seller that rotates without end.
const MAX_SIGNING = 10

/** The secrets that sign for a seller now, newest first: the current one, and those retired within 24 hours. */
export async function signingSecrets(
  pool: Pool,
  key: Buffer,
  sellerId: number,
): Promise<[string, ...string[]]> {
  const [current, ...older] = await readSecrets(pool, key, sellerId)
  return current === undefined ? [await makeFirstSecret(pool, key, sellerId)] : [current, ...older]
}

/** Retires the current secret, if there is one, and makes the next. */
export async function rotateSecret(tx: Db, key: Buffer, sellerId: number): Promise<string> {
  await lockSecrets(tx, sellerId)
  await tx.query('UPDATE secrets SET retired_at = now() WHERE seller_id = $1 AND retired_at IS NULL', [
    sellerId,
  ])
  return insertSecret(tx, key, sellerId)
}

/** Binds what is sealed to its seller: another's row can't be opened as theirs. */
export function secretContext(sellerId: number): string {
  return `signing secret of seller ${sellerId}`
}

/** Forgets secrets that sign no more. Returns how many. */
export async function forgetRetiredSecrets(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query("DELETE FROM secrets WHERE retired_at < now() - interval '24 hours'")
  return rowCount ?? 0
}

async function readSecrets(db: Db, key: Buffer, sellerId: number): Promise<string[]> {
  const { rows } = await db.query<{ sealed: Buffer }>({
    name: 'signing-secrets',
    text: `SELECT sealed FROM secrets
      WHERE seller_id = $1 AND (retired_at IS NULL OR retired_at > now() - interval '24 hours')
      ORDER BY retired_at DESC NULLS FIRST LIMIT ${MAX_SIGNING}`,
    values: [sellerId],
  })
  return rows.map(({ sealed }) => openSecret(key, sealed, secretContext(sellerId)).toString())
}

function makeFirstSecret(pool: Pool, key: Buffer, sellerId: number): Promise<string> {
  return withTransaction(pool, async (tx) => {
    await lockSecrets(tx, sellerId)
    const [made] = await readSecrets(tx, key, sellerId)
    return made ?? insertSecret(tx, key, sellerId)
  })
}

/** First use and rotation of one seller take turns until they commit. */
async function lockSecrets(tx: Db, sellerId: number): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [secretContext(sellerId)])
}

async function insertSecret(tx: Db, key: Buffer, sellerId: number): Promise<string> {
  const secret = newSecret()
  await tx.query('INSERT INTO secrets (seller_id, sealed) VALUES ($1, $2)', [
    sellerId,
    sealSecret(key, secret, secretContext(sellerId)),
  ])
  return secret
}
