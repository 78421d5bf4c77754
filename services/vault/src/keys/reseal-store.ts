import type { PoolClient } from '@cofre/platform/postgres/postgres'

/** A table of ciphertexts under the data keys: the columns to read, and the column of the ciphertext. */
export type SealedTable = { name: 'cards' | 'accounts' | 'grants'; columns: string; sealed: string }

/** A row's ciphertext, with the key that sealed it. */
export type Resealed = { id: number; sealed: Buffer; dataKeyId: string }

/**
 * Locks and returns up to `limit` rows sealed under retired keys other than `keyId`, for `saveResealed` in the same
 * transaction. `wait`: waits for rows that another transaction holds; otherwise they are skipped.
 */
export async function takeToReseal<Row extends object>(
  tx: PoolClient,
  { name, columns }: SealedTable,
  options: { keyId: string; limit: number; wait: boolean },
): Promise<Row[]> {
  const { rows } = await tx.query<Row>(
    `SELECT ${columns} FROM ${name}
     WHERE data_key_id IN (SELECT id FROM data_keys WHERE purpose = 'card' AND retired_at IS NOT NULL)
       AND data_key_id <> $2
     ORDER BY id LIMIT $1 FOR UPDATE ${options.wait ? '' : 'SKIP LOCKED'}`,
    [options.limit, options.keyId],
  )
  return rows
}

/** Saves the resealed rows. Returns how many there were. */
export async function saveResealed(
  tx: PoolClient,
  { name, sealed }: SealedTable,
  rows: readonly Resealed[],
): Promise<number> {
  if (rows.length === 0) return 0
  await tx.query(
    `UPDATE ${name} t SET ${sealed} = resealed.sealed, data_key_id = resealed.key
     FROM unnest($1::bigint[], $2::bytea[], $3::uuid[]) AS resealed (id, sealed, key) WHERE t.id = resealed.id`,
    [rows.map(({ id }) => id), rows.map((row) => row.sealed), rows.map(({ dataKeyId }) => dataKeyId)],
  )
  return rows.length
}
