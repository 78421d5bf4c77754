import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Bin } from './bin-table'

/** Returns the operator's rows, sorted by prefix. `updatedAt`: epoch milliseconds. */
export async function listBins(db: Db, limit: number): Promise<(Bin & { updatedAt: number })[]> {
  const { rows } = await db.query<Bin & { updatedAt: number }>({
    name: 'list-bins',
    text: `SELECT prefix, brand, floor(extract(epoch FROM updated_at) * 1000)::bigint AS "updatedAt"
      FROM bins ORDER BY prefix LIMIT $1`,
    values: [limit],
  })
  return rows
}

/** Adds a row, or gives an existing one another brand. Returns false when there are `most` others. */
export function saveBin(pool: Pool, { prefix, brand }: Bin, most: number): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    // Two that are added at once count one after the other. Readers do not wait.
    await tx.query('LOCK TABLE bins IN SHARE ROW EXCLUSIVE MODE')
    const { rowCount } = await tx.query(
      `INSERT INTO bins (prefix, brand)
       SELECT $1, $2 WHERE (SELECT count(*) FROM bins WHERE prefix <> $1) < $3
       ON CONFLICT (prefix) DO UPDATE SET brand = excluded.brand, updated_at = now()`,
      [prefix, brand, most],
    )
    return rowCount === 1
  })
}

/** Returns false when there is no such row. */
export async function deleteBin(db: Db, prefix: string): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM bins WHERE prefix = $1', [prefix])
  return rowCount === 1
}
