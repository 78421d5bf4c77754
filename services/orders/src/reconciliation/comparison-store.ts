import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { ChargeKey } from '../charge-store/charge-store'
import type { Pace } from './schedule'

/**
 * Takes charges whose comparison is due, for this caller alone until `again`. A caller that takes some delays the next
 * turn, its own or another replica's, by `everyMs`. A turn takes `least` charges, and the more the longer the oldest has
 * waited: `most` after an hour. So the pace settles at what comes due. Times in epoch milliseconds.
 */
export async function leaseComparisons(
  pool: Pool,
  { at, again, everyMs, least, most }: Pace & { at: number; again: number },
): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>({
    name: 'lease-comparisons',
    text: `WITH due AS (SELECT min(compare_at) AS oldest FROM charges WHERE compare_at <= $1::timestamptz),
      turn AS (
        UPDATE comparison_turn SET next_at = $3 FROM due WHERE next_at <= $1 AND oldest IS NOT NULL
        RETURNING least($5::int, greatest($4::int, ceil($5::int * extract(epoch FROM $1::timestamptz - oldest) / 3600)))::int AS size)
      UPDATE charges SET compare_at = $2
      WHERE id IN (SELECT id FROM charges WHERE compare_at <= $1
        ORDER BY compare_at LIMIT coalesce((SELECT size FROM turn), 0) FOR UPDATE SKIP LOCKED)
      RETURNING id, seller_id AS "sellerId"`,
    values: [new Date(at), new Date(again), new Date(at + everyMs), least, most],
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
    [new Date(databaseNow())],
  )
  return rows[0]?.age ?? 0
}
