import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { ChargeKey } from '../charge-store/charge-store'

/**
 * Takes up to `batch` charges whose comparison is due, for this caller alone until `again`. A caller that takes some
 * delays the next turn, its own or another replica's, by `everyMs`. Times in epoch milliseconds.
 */
export async function leaseComparisons(
  pool: Pool,
  { at, again, everyMs, batch }: { at: number; again: number; everyMs: number; batch: number },
): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>({
    name: 'lease-comparisons',
    text: `WITH turn AS (
        UPDATE comparison_turn SET next_at = $3
        WHERE next_at <= $1 AND EXISTS (SELECT FROM charges WHERE compare_at <= $1)
        RETURNING id)
      UPDATE charges SET compare_at = $2
      WHERE id IN (SELECT id FROM charges WHERE compare_at <= $1 AND EXISTS (SELECT FROM turn)
        ORDER BY compare_at LIMIT $4 FOR UPDATE SKIP LOCKED)
      RETURNING id, seller_id AS "sellerId"`,
    values: [new Date(at), new Date(again), new Date(at + everyMs), batch],
  })
  return rows
}

/**
 * Sets when a charge is compared next, in epoch milliseconds; null: not before it changes. Does nothing when it has
 * changed since `version`.
 */
export async function setNextComparison(
  db: Db,
  { id, version }: { id: number; version: number },
  nextAt: number | null,
): Promise<void> {
  await db.query({
    name: 'next-comparison',
    text: 'UPDATE charges SET compare_at = $3 WHERE id = $1 AND version = $2',
    values: [id, version, nextAt === null ? null : new Date(nextAt)],
  })
}

/** How long the oldest due comparison has waited, in seconds. */
export async function oldestComparisonAge(db: Db): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(0, coalesce(extract(epoch FROM $1::timestamptz - min(compare_at)), 0))::float8 AS age
     FROM charges WHERE compare_at IS NOT NULL`,
    [new Date()],
  )
  return rows[0]?.age ?? 0
}
