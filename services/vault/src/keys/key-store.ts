import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import type { Purpose, WrappedKey } from './data-key'

const COLUMNS = `id, purpose, wrapped, kek_id AS "kekId", retired_at IS NOT NULL AS retired`

export async function findKeys(db: Db): Promise<WrappedKey[]> {
  const { rows } = await db.query<WrappedKey>(`SELECT ${COLUMNS} FROM data_keys`)
  return rows
}

/** Adds a key unless its purpose has a current one: of several processes that start at once, one wins. */
export async function insertKeyIfNone(db: Db, key: WrappedKey): Promise<void> {
  await db.query(
    `INSERT INTO data_keys (id, purpose, wrapped, kek_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (purpose) WHERE retired_at IS NULL DO NOTHING`,
    [key.id, key.purpose, key.wrapped, key.kekId],
  )
}

/** Makes `key` the current one of its purpose and retires its predecessor. */
export async function replaceCurrentKey(pool: Pool, key: WrappedKey): Promise<void> {
  await withTransaction(pool, async (tx) => {
    await tx.query('UPDATE data_keys SET retired_at = now() WHERE purpose = $1 AND retired_at IS NULL', [
      key.purpose,
    ])
    await insertKeyIfNone(tx, key)
  })
}

/** Locks the retired keys of a purpose until the transaction ends: nothing new can be sealed under them meanwhile. */
export async function lockRetiredKeys(tx: Db, purpose: Purpose): Promise<void> {
  await tx.query('SELECT FROM data_keys WHERE purpose = $1 AND retired_at IS NOT NULL FOR UPDATE', [purpose])
}

/** Destroys the keys of a purpose that were retired at least `minutes` ago. Returns how many. */
export async function destroyRetiredKeys(db: Db, purpose: Purpose, minutes: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM data_keys WHERE purpose = $1 AND retired_at <= now() - make_interval(mins => $2)`,
    [purpose, minutes],
  )
  return rowCount ?? 0
}

/** Saves a key that was wrapped again. Returns false when another process wrapped or destroyed it meanwhile. */
export async function rewrapKey(db: Db, was: WrappedKey, wrapped: Buffer, kekId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE data_keys SET wrapped = $3, kek_id = $4 WHERE id = $1 AND wrapped = $2',
    [was.id, was.wrapped, wrapped, kekId],
  )
  return rowCount === 1
}

/** Runs `work`; returns undefined when another process is rotating keys. The lock is free before this returns. */
export async function whileAloneRotating<T>(pool: Pool, work: () => Promise<T>): Promise<T | undefined> {
  const session = await pool.connect()
  try {
    const { rows } = await session.query("SELECT pg_try_advisory_lock(hashtext('key-rotation')) AS held")
    return rows[0].held ? await work() : undefined
  } finally {
    session.release(await unlock(session))
  }
}

/**
 * Closing the session would free its lock too, but only once PostgreSQL notices. A rotation that starts at once would
 * be refused. Returns the error of a session that can't unlock and must be closed.
 */
function unlock(session: PoolClient): Promise<Error | undefined> {
  return session.query('SELECT pg_advisory_unlock_all()').then(
    () => undefined,
    (error: Error) => error,
  )
}
