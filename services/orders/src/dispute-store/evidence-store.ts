import type { Db, Pool } from '@cofre/platform/postgres/postgres'

/** How long a file may wait for its intention: longer than any request runs. */
const ABANDONED = '1 hour'

export async function keepChunk(
  db: Db,
  operationId: string,
  position: number,
  bytes: Uint8Array,
): Promise<void> {
  await db.query({
    name: 'keep-chunk',
    text: 'INSERT INTO evidence_chunks (operation_id, position, bytes) VALUES ($1, $2, $3)',
    values: [operationId, position, bytes],
  })
}

/** The file of an operation, a piece at a time. */
export async function* chunksOf(pool: Pool, operationId: string): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position += 1) {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: 'read-chunk',
      text: 'SELECT bytes FROM evidence_chunks WHERE operation_id = $1 AND position = $2',
      values: [operationId, position],
    })
    if (!rows[0]) return
    yield rows[0].bytes
  }
}

const NOT_NEEDED =
  'NOT EXISTS (SELECT FROM disputes d WHERE d.ask_at IS NOT NULL AND d.answer_operation_id = e.operation_id)'

/** Deletes the file of an operation, unless its answer is under way and may be sent again. */
export async function dropFile(db: Db, operationId: string): Promise<void> {
  await db.query(`DELETE FROM evidence_chunks e WHERE e.operation_id = $1 AND ${NOT_NEEDED}`, [operationId])
}

/** Deletes the files that no answer under way needs: their request ended, or their answer is known. Returns how many pieces. */
export async function dropAbandoned(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM evidence_chunks e WHERE e.created_at < now() - interval '${ABANDONED}' AND ${NOT_NEEDED}`,
  )
  return rowCount ?? 0
}
